package audit_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// Whatever file of an archive is changed or gone, to add the document that it is of again tells so,
// by the same rules and by others; and tells it of no other document.
func TestAddLooksAtWhatItHas(t *testing.T) {
	in := t.TempDir()
	for _, name := range []string{"a.xml", "b.xml", "c.XML", "same as a.xml"} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(name[len(name)-5:]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add := func(folder string, by bulk.Operation) (added int, lost []string) {
		a := audit.Archive{In: bulk.Folder(folder), Program: "test", By: bulk.Performance{Operation: by}}
		source := &bulk.Files{Folder: in, Work: t.TempDir(), Open: func(path string) ([]byte, int64, error) { return inputfile.Read(path, 1<<20) }}
		err := a.Add(t.Context(), source, "in", func(*audit.Event) { added++ }, func(key string, err error) { lost = append(lost, key+err.Error()) })
		if err != nil {
			t.Fatal(err)
		}
		return added, lost
	}
	whole := t.TempDir()
	add(whole, deciding{})
	var files []string
	for _, pattern := range []string{"documents/*/*", "reports/*/*"} {
		found, err := filepath.Glob(filepath.Join(whole, pattern))
		if err != nil || len(found) != 3 {
			t.Fatal(found, err)
		}
		files = append(files, found...)
	}
	if n, lost := add(whole, deciding{}); n != 0 || lost != nil {
		t.Errorf("of a whole archive: %d added, lost %q", n, lost)
	}
	for _, file := range files {
		for what, spoil := range map[string]func(name string, text []byte) error{
			"gone":    func(name string, _ []byte) error { return os.Remove(name) },
			"longer":  func(name string, text []byte) error { return os.WriteFile(name, append(text, '\n'), 0o600) },
			"emptied": func(name string, _ []byte) error { return os.WriteFile(name, nil, 0o600) },
		} {
			for _, by := range []bulk.Operation{deciding{}, others{}} {
				folder := t.TempDir()
				if err := os.CopyFS(folder, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				name, err := filepath.Rel(whole, file)
				if err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := spoil(filepath.Join(folder, name), text); err != nil {
					t.Fatal(err)
				}
				_, lost := add(folder, by)
				isOther := by.Digest() != deciding{}.Digest()
				if isOther && strings.HasPrefix(name, "reports") { // of other rules
					if lost != nil {
						t.Errorf("%s %s: told %q", name, what, lost)
					}
					continue
				}
				if len(lost) == 0 || len(lost) > 2 {
					t.Errorf("%s %s: told %q", name, what, lost)
				}
				for _, told := range lost {
					if !strings.Contains(told, filepath.ToSlash(name)) {
						t.Errorf("%s %s: told %q", name, what, told)
					}
				}
			}
		}
	}
}

// others decides by other rules.
type others struct{ deciding }

func (others) Digest() string { return "others" }
