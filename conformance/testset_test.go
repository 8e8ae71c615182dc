package conformance

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

const ownTestSet = `<?xml version="1.0" encoding="UTF-8"?>
<testSet xmlns="http://difi.no/xsd/vefa/validator/1.0" configuration="own">
  <assert><scope>OWN-1</scope></assert>
  <!-- <test><assert><success>NOT-THIS</success></assert><Invoice/></test> -->
  <test>
    <assert><description>a > b</description><success>OWN-1</success><success> OWN-2
    </success></assert>
    <Invoice xmlns="urn:own" a=">">
      <test>1</test><!-- kept -->
    </Invoice>
  </test>
  <test id="x">
    <assert><error number="2">OWN-1</error><warning>OWN-3</warning></assert>
    <Invoice xmlns="urn:own"/>
  </test>
</testSet>`

func TestTestSet(t *testing.T) {
	got, err := readTestSet([]byte(ownTestSet))
	if err != nil {
		t.Fatal(err)
	}
	const header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	want := []variant{
		{"1", []byte(header + "<Invoice xmlns=\"urn:own\" a=\">\">\n      <test>1</test><!-- kept -->\n    </Invoice>\n"), nil, []string{"OWN-1", "OWN-2"}},
		{"2", []byte(header + "<Invoice xmlns=\"urn:own\"/>\n"), []string{"OWN-1", "OWN-3"}, nil},
	}
	if len(got) != len(want) {
		t.Fatalf("%d documents, want %d", len(got), len(want))
	}
	for i, w := range want {
		sameVariant(t, got[i], w)
	}
}

func sameVariant(t *testing.T, got, want variant) {
	t.Helper()
	if got.name != want.name || !bytes.Equal(got.data, want.data) || !slices.Equal(got.fires, want.fires) || !slices.Equal(got.passes, want.passes) {
		t.Errorf("got  %s fires %v passes %v\n%s\nwant %s fires %v passes %v\n%s",
			got.name, got.fires, got.passes, got.data, want.name, want.fires, want.passes, want.data)
	}
}

func TestTestSetMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`<testSet/>`: "holds no test",
		`<testSet><test><assert/></test></testSet>`: "test 1: there is no document",
		`<testSet><test>`:            "does not end",
		`<testSet></testSet></test>`: "did not begin",
		``:                           "no testSet",
	} {
		_, err := readTestSet([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// For any file, each document is well-formed XML that is part of the file.
func FuzzTestSet(f *testing.F) {
	f.Add([]byte(ownTestSet))
	f.Fuzz(func(t *testing.T, text []byte) {
		variants, err := readTestSet(text)
		if err != nil {
			return
		}
		for _, v := range variants {
			_, element, _ := bytes.Cut(v.data, []byte("\n"))
			if !bytes.Contains(text, bytes.TrimSuffix(element, []byte("\n"))) {
				t.Errorf("the fragment is not in the file: %q", v.data)
			}
			if _, err := readMarkup(v.data); err != nil {
				t.Errorf("%v in %q", err, v.data)
			}
		}
	})
}
