package proving

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/rulesets"
)

// Effects count what they decided, and an error says why they decided nothing.
func TestEffectsSayWhatWasDecided(t *testing.T) {
	v, err := translated(t).Validator("sample") // whose rules are for UBL
	if err != nil {
		t.Fatal(err)
	}
	ubl, cii := example(t, "base-ubl.xml"), example(t, "base-cii.xml")
	for _, c := range []struct {
		name  string
		files map[string][]byte
		says  string // of what was looked at, or the error
		fails bool
	}{
		{"both", map[string][]byte{"u.xml": ubl, "c.xml": cii, "o.xml": []byte("<o/>")}, "1 invoice, 1 other file; not decided, as the two releases do not both have rules of the syntax: 1 in CII", false},
		{"one", map[string][]byte{"u.xml": ubl}, "1 invoice, 0 other files", false},
		{"the other syntax", map[string][]byte{"c.xml": cii, "d.xml": cii}, "it has 2 in CII, of which", true},
		{"others", map[string][]byte{"o.xml": []byte("<o/>"), "p.pdf": []byte("p")}, "none of its 2 XML and PDF files is one", true},
		{"nothing", map[string][]byte{"o.txt": ubl}, "has no XML or PDF files", true},
	} {
		dir := t.TempDir()
		for name, data := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e, err := EffectsOn(t.Context(), v, v, dir)
		if (err != nil) != c.fails {
			t.Fatalf("%s: %v", c.name, err)
		}
		said := e.String()
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: %q does not say %q", c.name, said, c.says)
		}
		if len(e.Rules) > 0 {
			t.Errorf("%s: the same rules decide otherwise: %v", c.name, e.Rules)
		}
	}
}

func example(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
