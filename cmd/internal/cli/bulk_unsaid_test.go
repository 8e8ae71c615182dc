package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"einvoice/engine"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/render"
)

// The results of bulk run render have what the law wants the invoice to say, as render itself
// has; they say nothing of an invoice that says it.
func TestBulkRenderSaysWhatTheLawWants(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(samples, "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	kit, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	making, err := bulk.NewMaking("render", kit, bulk.Options{Values: operation.Values{To: "html"}})
	if err != nil {
		t.Fatal(err)
	}
	lacking := regexp.MustCompile(`<cbc:CityName>[^<]*</cbc:CityName>`).ReplaceAll(whole, nil)
	if bytes.Equal(lacking, whole) {
		t.Fatal("the sample has no cities to take away")
	}
	for name, document := range map[string][]byte{"whole": whole, "lacking": lacking} {
		line, outcome, err := making.Do(t.Context(), nil, &bulk.Document{Key: "a.xml", Data: document})
		if err != nil {
			t.Fatal(err)
		}
		var row struct {
			Valid    *bool
			Findings []engine.Finding
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if lacks := len(row.Findings) > 0 && row.Findings[0].Rule == render.NotSaid; lacks != (name == "lacking") || row.Valid != nil || outcome.Verdict != bulk.Valid {
			t.Errorf("%s: %s, %v", name, line, outcome.Verdict)
		}
	}
}
