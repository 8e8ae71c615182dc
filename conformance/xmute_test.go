package conformance

import (
	"strings"
	"testing"
)

func TestMutations(t *testing.T) {
	const source = `<a>
  <?xmute mutator="identity" schematron-valid="x:R-1 x:R-2" ?>
  <?xmute mutator='identity' schematron-valid='x:R-1' schematron-invalid="x:R-3,x:R-4"?>
  <?xmute mutator="remove" schematron-invalid="x:R-1" ?>
  <?xmute mutator="empty" schematron-invalid="x:R-1"?>
  <?xmute mutator="code" values="1, &2" schematron-valid="x:R-5"?>
  <?xmute mutator="code" values="p;q" separator=";" attribute="k" schematron-valid="x:R-5"?>
  <!-- a note <?xmute mutator="remove"?>
  -->
  <b k='v'>text<c/></b>
  <?xmute mutator="remove" attribute="l" schematron-valid="x:R-6"?>
  <?xmute mutator="empty" attribute="l" schematron-valid="x:R-6"?>
  <?xmute mutator="code" values="n" schematron-valid="x:R-6"?>
  <d l="m" />
</a>`
	// The document around the two elements.
	const frame = "<a>\n  <!-- a note  -->\n  B\n  D\n</a>"
	const b, d = "<b k='v'>text<c/></b>", `<d l="m" />`
	want := []struct {
		name, b, d, fires, passes string
	}{
		{"identity", b, d, "R-3 R-4", "R-1 R-2"},
		{"remove-01", "", d, "R-1", ""},
		{"empty-02", "<b k='v'></b>", d, "R-1", ""},
		{"code-03", "<b k='v'>1</b>", d, "", "R-5"},
		{"code-04", "<b k='v'>&amp;2</b>", d, "", "R-5"},
		{"code-05", `<b k="p">text<c/></b>`, d, "", "R-5"},
		{"code-06", `<b k="q">text<c/></b>`, d, "", "R-5"},
		{"remove-07", b, "<d></d>", "", "R-6"},
		{"empty-08", b, `<d l=""></d>`, "", "R-6"},
		{"code-09", b, `<d l="m">n</d>`, "", "R-6"},
	}
	got, err := readMutations([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d documents, want %d", len(got), len(want))
	}
	for i, w := range want {
		document := strings.NewReplacer("B", w.b, "D", w.d).Replace(frame)
		sameVariant(t, got[i], variant{w.name, []byte(document), strings.Fields(w.fires), strings.Fields(w.passes)})
	}
}

func TestWhiteSpace(t *testing.T) {
	for instruction, want := range map[string][]string{
		`mutator="whitespace"`: {"<b>\n\t \n\tx</b>", "<b>x\n\t \n\t</b>"},
		`mutator="whitespace" length="2" list="space, tab" position="mix,replace"`: {"<b> \tx \t</b>", "<b> \t</b>"},
	} {
		got, err := readMutations([]byte("<a><?xmute " + instruction + "?><b>x</b></a>"))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d documents, want %d", instruction, len(got), len(want))
		}
		for i := range want {
			if string(got[i].data) != "<a>"+want[i]+"</a>" {
				t.Errorf("%s: got %q, want %q", instruction, got[i].data, want[i])
			}
		}
	}
}

func TestMutationMistakes(t *testing.T) {
	for instruction, want := range map[string]string{
		`mutator="alternative"`:                   "xmute alternative: this mutator is not known",
		`values="1"`:                              "names no mutator",
		`mutator="code"`:                          "values are missing",
		`mutator="empty" attribute="none"`:        "<b> has no attribute none",
		`mutator="remove" schematron-valid="all"`: `"all" is not of the form SCHEMATRON:RULE`,
		"mutator=\"code\" values=\"\x01\"":        "does not allow",
		`mutator="whitespace" length="many"`:      `length "many"`,
		`mutator="whitespace" position="nowhere"`: `position "nowhere"`,
		`mutator="whitespace" list="paragraph"`:   `list names "paragraph"`,
	} {
		_, err := readMutations([]byte("<a><?xmute " + instruction + "?><b/></a>"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", instruction, err, want)
		}
	}
	if _, err := readMutations([]byte(`<a><b/><?xmute mutator="remove"?></a>`)); err == nil || !strings.Contains(err.Error(), "no element follows") {
		t.Errorf("an instruction at the end: got %v", err)
	}
}

// For any instance, its mutations are well-formed XML.
func FuzzMutations(f *testing.F) {
	f.Add([]byte(`<a><?xmute mutator="code" values="1,2" attribute="k" schematron-valid="x:R"?><b k='v'/></a>`))
	f.Add([]byte("<a><?xmute mutator=\"identity\"?><?p \x00<?xmute ?>?><b/></a>"))
	f.Add([]byte(`<a><!-- <?xmute --><?xmute mutator="identity"?><?xmute mutator="remove"?><b>x</b></a>`))
	f.Add([]byte(`<a><?xmute mutator="whitespace" position="mix"?><b><![CDATA[<?xmute]]></b></a>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		variants, err := readMutations(text)
		if err != nil {
			return
		}
		for _, v := range variants {
			if _, err := readMarkup(v.data); err != nil {
				t.Errorf("%s: %v in %q", v.name, err, v.data)
			}
		}
	})
}
