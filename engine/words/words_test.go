package words_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine/words"
)

const german = "language: de\nname: Deutsch\ndate: 02.01.2006\ndecimal: \",\"\ngroup: \".\"\n"

func open(t *testing.T, files map[string]string) (*words.Language, fs.FS) {
	t.Helper()
	fsys := fstest.MapFS{"languages/de/language.yaml": {Data: []byte(german)}}
	for name, text := range files {
		fsys["languages/de/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	l, err := words.Open(fsys, "de")
	if err != nil {
		t.Fatal(err)
	}
	return l, fsys
}

func TestValues(t *testing.T) {
	l, _ := open(t, nil)
	for _, c := range []struct {
		value words.Value
		want  string
	}{
		{words.Value{Text: "1234.50", Kind: words.Number}, "1234,50"},
		{words.Value{Text: "-1234567.5", Kind: words.Number}, "-1.234.567,5"},
		{words.Value{Text: "0", Kind: words.Number}, "0"},
		{words.Value{Text: "12,5", Kind: words.Number}, "12,5"}, // no number: as it is written
		{words.Value{Text: "2026-11-20", Kind: words.Day}, "20.11.2026"},
		{words.Value{Text: "2026-02-30", Kind: words.Day}, "2026-02-30"},
		{words.Value{Text: "1234.50"}, "1234.50"},
	} {
		if got := l.Value(c.value); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.value, got, c.want)
		}
	}
}

func TestPhrases(t *testing.T) {
	l, _ := open(t, map[string]string{"phrases/a.yaml": `phrases:
  "no findings": "keine Befunde"
  "line {1}": "Zeile {1}"
  "line {1}: <2>": "In Zeile {1}: <2>"
  "{1} is missing in {2}.": "In {2} fehlt {1}."
  "{1} is missing in {2}, before {3}.": "In {2} fehlt {1}, vor {3}."
  "expected <1>": "erwartet wird <1>"
  "the document is in the namespace {1}": "das Dokument ist im Namensraum {1}"
  "<1> [{2}]; <3>": "<1> [{2}]; <3>"
`})
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	for english, want := range map[string]string{
		"no findings":                       "keine Befunde",
		"line 7":                            "Zeile 7",
		"line 7: no findings":               "In Zeile 7: keine Befunde",
		"cbc:ID is missing in a.":           "In a fehlt cbc:ID.",
		"cbc:ID is missing in a, before b.": "In a fehlt cbc:ID, vor b.",
		"{2} is missing in {1}.":            "In {1} fehlt {2}.", // a value is never taken for a place
		"expected cbc:ID":                   "erwartet wird cbc:ID",
		"expected something else":           "expected something else",
		"a sentence nobody has translated":  "a sentence nobody has translated",

		"the document is in the namespace urn:x [A-CODE]; no findings": "das Dokument ist im Namensraum urn:x [A-CODE]; keine Befunde", // a value ends before a code
	} {
		if got := l.Say(english); got != want {
			t.Errorf("%q is said as %q, want %q", english, got, want)
		}
	}
	var none *words.Language
	if got := none.Say("no findings"); got != "no findings" {
		t.Errorf("English is said as %q", got)
	}
}

func TestTextsAreRepeated(t *testing.T) {
	l, fsys := open(t, map[string]string{"x/1/a.yaml": `texts:
  A-1: {message: "Eins {1}.", text: "T.", cases: {cii: "Anders {1}."}}
repeat:
  - for: [{id: B, name: be}, {id: C, name: ce}]
    texts:
      "${id}-1": {message: "Von ${name} {1} ${constant}.", text: "T ${name}."}
`})
	for id, want := range map[string]string{"A-1": "Eins {1}.", "B-1": "Von be {1} ${constant}.", "C-1": "Von ce {1} ${constant}."} {
		text, found, err := l.Text("x/1/a.yaml", id)
		if err != nil || !found || text.Message != want {
			t.Errorf("%s: %v %v %+v, want %q", id, found, err, text, want)
		}
	}
	if text, _, _ := l.Text("x/1/a.yaml", "A-1"); text.Cases["cii"] != "Anders {1}." {
		t.Errorf("the case is %q", text.Cases["cii"])
	}
	if _, found, err := l.Text("x/1/b.yaml", "A-1"); found || err != nil {
		t.Errorf("a file that is not there: %v %v", found, err)
	}
	if tags := words.Tags(fsys); len(tags) != 1 || tags[0] != "de" {
		t.Errorf("the languages are %v", tags)
	}
	if _, err := words.Open(fsys, "pl"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown language: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"texts:\n  A: {massage: x}\n": "massage",
		"texts:\n  A: {message: x}\nrepeat: [{for: [{i: A}], texts: {\"${i}\": {message: y}}}]\n": "A is translated twice",
		"texts:\n  A:\n": "A has no text",
	} {
		l, _ := open(t, map[string]string{"x/1/a.yaml": text})
		if _, err := l.Texts("x/1/a.yaml"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "languages/de/x/1/a.yaml") {
			t.Errorf("%q: %v, want one about %q", text, err, want)
		}
	}
}

// A file of phrases has its sentences alone; Has knows those of all files, word for word.
func TestPhrasesOfAFile(t *testing.T) {
	language, _ := open(t, map[string]string{
		"phrases/a.yaml": "phrases:\n  \"Buyer\": \"Erwerber\"\n",
		"phrases/b.yaml": "phrases:\n  \"{1} rules\": \"{1} Regeln\"\n",
	})
	phrases, err := language.Phrases("phrases/a.yaml")
	if err != nil || len(phrases) != 1 || phrases["Buyer"] != "Erwerber" {
		t.Errorf("%v %v", phrases, err)
	}
	if none, err := language.Phrases("phrases/none.yaml"); none != nil || err != nil {
		t.Errorf("a file that there is not: %v %v", none, err)
	}
	for sentence, has := range map[string]bool{"Buyer": true, "{1} rules": true, "3 rules": false, "Seller": false} {
		if language.Has(sentence) != has {
			t.Errorf("%q: %v", sentence, !has)
		}
	}
	if said := language.Say(""); said != "" {
		t.Errorf("nothing is said as %q", said)
	}
}
