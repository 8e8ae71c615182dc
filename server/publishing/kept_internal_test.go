package publishing

import (
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
)

// leaning is a folder with every kind of file that a rule may lean on.
var leaning = map[string]string{
	"own/1/own.yaml": `ruleset: own
version: 1
layer: cius
rules:
  - {id: OWN-1, level: fatal, context: /invoice, assert: 'this.buyerReference.isInCodeList("sites")', btCodes: [BT-10], message: m, text: t}
  - {id: OWN-2, level: fatal, context: /invoice, assert: 'has(lookup("limits", this.currencyCode).limit)', btCodes: [BT-5], message: m, text: t}
`,
	"codelists/sites.yaml":        "list: sites\ntitle: Sites\ncodes: A B\n",
	"tables/limits.yaml":          "table: limits\ntitle: Limits\nowner: Us\nkey: currency\ncolumns: {currency: text, limit: decimal}\n",
	"tables/limits.csv":           "currency,limit\nEUR,2\n",
	"overlays/over.yaml":          "overlay: over\ntitle: Over\nowner: Us\non: {profiles: [en16931]}\nrulesets: [own]\n",
	"languages/de/own/1/own.yaml": "texts:\n  OWN-1: {message: n, text: u}\n",
}

// Whatever becomes of a file of the folder: processes that are started later work by the book
// that is in force, with the rows of its tables too.
func TestBookOutlivesItsFolder(t *testing.T) {
	dir := t.TempDir()
	restore := func() {
		for file, text := range leaning {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	restore()
	s := &Shelf{Dir: dir}
	before, err := s.load(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range leaning {
		for what, edit := range map[string]func(path string) error{
			"gone":   os.Remove,
			"broken": func(path string) error { return os.WriteFile(path, []byte("\x00: ["), 0o600) },
			"empty":  func(path string) error { return os.WriteFile(path, nil, 0o600) },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				defer restore()
				if err := edit(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				after, err := s.Book(before.Edited, before.Published)
				if err != nil {
					t.Fatal(err)
				}
				if err := after.try(t.Context()); err != nil {
					t.Fatal(err)
				}
				if was, is := ownDigest(t, before.Library), ownDigest(t, after.Library); was != is {
					t.Errorf("the book has %s, and a process %s", was, is)
				}
			})
		}
	}
}

// ownDigest is that of the rules, their code lists and their tables.
func ownDigest(t *testing.T, library *engine.Library) string {
	t.Helper()
	set, err := library.Ruleset("own")
	if err != nil {
		t.Fatal(err)
	}
	return set.SHA256
}
