package audit_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

// deciding decides as it says itself, on a day where day is not "".
type deciding struct{ day, says string }

func (deciding) Name() string   { return "deciding" }
func (deciding) Digest() string { return "rules" }

func (d deciding) Do(_ context.Context, to []byte, of *bulk.Document) ([]byte, bulk.Outcome, error) {
	line := append(to, `{"file":`...)
	name, err := json.Marshal(of.Key)
	line = append(append(line, name...), `,"valid":true,"date":{"day":"2026-01-01","by":"issueDate","receipt":"`+d.day+`"},"says":"`+d.says+"\"}\n"...)
	return line, bulk.Outcome{Verdict: bulk.Valid, Month: "2026-01", Day: d.day}, err
}

// A document is there with a report by the same rules: where the day decided, an archive has what
// they say on a later one as well, once, unless that is the same.
func TestAddOnAnotherDay(t *testing.T) {
	in, today := t.TempDir(), string(engine.Today())
	if err := os.WriteFile(filepath.Join(in, `a "valid": "date":{.xml`), []byte("document"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		adds  []deciding
		added int
	}{
		{"no day", []deciding{{"", "a"}, {"", "b"}}, 1},
		{"today", []deciding{{today, "a"}, {today, "b"}}, 1},
		{"an earlier day", []deciding{{"2026-01-01", "a"}, {today, "b"}, {today, "b"}}, 2},
		{"an earlier day, the same", []deciding{{"2026-01-01", "a"}, {today, "a"}, {today, "a"}}, 1},
		{"a day that decides no longer", []deciding{{"2026-01-01", "a"}, {"", "b"}, {"", "b"}}, 2},
	} {
		archive, added := bulk.Folder(t.TempDir()), 0
		for _, by := range c.adds {
			a := audit.Archive{In: archive, Program: "test", By: bulk.Performance{Operation: by}}
			source := &bulk.Files{Folder: in, Work: t.TempDir(), Open: func(path string) ([]byte, int64, error) { return inputfile.Read(path, 1<<20) }}
			if err := a.Add(t.Context(), source, "in", func(*audit.Event) { added++ }, func(key string, err error) { t.Error(key, err) }); err != nil {
				t.Fatal(err)
			}
		}
		if added != c.added {
			t.Errorf("%s: %d were added, of %d", c.what, added, c.added)
		}
	}
}
