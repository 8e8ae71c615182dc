package bulk_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/bulk"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
)

// In a language that is asked for, a job says the same as in English, and everything in it:
// what differs, what rules say, and why nothing was made.
func TestJobsSpeakALanguage(t *testing.T) {
	files, err := filepath.Glob("../../formats/*/testdata/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	kit, said := kittest.Kit(t), 0
	for _, name := range bulk.Operations() {
		of := operation.Named(name)
		if of == nil || (name != "transform" && name != "render") {
			continue
		}
		for _, to := range of.To() {
			for _, language := range []string{"de", "fr"} {
				english, other := making(t, kit, name, to, "en"), making(t, kit, name, to, language)
				for _, file := range files {
					data, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					want, got := messages(t, english, data), messages(t, other, data)
					if len(want) != len(got) {
						t.Errorf("%s of %s to %s: %d messages in %s, %d in English", name, file, to, len(got), language, len(want))
						continue
					}
					for i := range want {
						if said++; got[i] == want[i] {
							t.Errorf("%s of %s to %s says in %s: %s", name, file, to, language, got[i])
						}
					}
				}
			}
		}
	}
	if said < 100 {
		t.Errorf("%d messages compared", said)
	}
}

func making(t *testing.T, kit *operation.Kit, name, to, language string) *bulk.Making {
	t.Helper()
	o := bulk.Options{Values: operation.Values{To: to}}
	o.Transform.Language = model.NewText(language)
	m, err := bulk.NewMaking(name, kit, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// messages are what the result of a document says.
func messages(t *testing.T, m *bulk.Making, data []byte) (all []string) {
	t.Helper()
	line, _, err := m.Do(t.Context(), nil, &bulk.Document{Key: "x.xml", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	var row struct {
		Losses   []struct{ Reason string }
		Findings []engine.Finding
		Error    *struct{ Message string }
	}
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	for _, l := range row.Losses {
		all = append(all, l.Reason)
	}
	for i := range row.Findings {
		all = append(all, row.Findings[i].Message)
	}
	if row.Error != nil {
		all = append(all, row.Error.Message)
	}
	return all
}
