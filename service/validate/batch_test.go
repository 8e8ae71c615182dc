package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// Whatever an overlay rests on and adds: an entry of a job is judged by rules about jobs alone,
// and an overlay that does not rest on these is not said to be for other invoices.
func TestOverlaysTogether(t *testing.T) {
	rests := map[string]bool{ // whether on the rules about jobs
		"{profiles: [en16931]}": false, `{profiles: ["*"]}`: false, "{profiles: [xrechnung-3.0]}": false, "{rulesets: [en16931]}": false,
		"{rulesets: [batch]}": true, "{profiles: [en16931], rulesets: [batch]}": true, "{rulesets: [en16931, batch]}": true,
	}
	adds := map[string]string{
		"rules":    "rules:\n  - {id: OWN-1, level: fatal, context: /invoice, assert: filled(this.buyerReference), btCodes: [BT-10], message: m, text: t}\n",
		"rulesets": "rulesets: [own]\n",
		"levels":   "levels:\n  - {rules: [BATCH-01], level: information, reason: Why., until: 2099-01-01}\n",
		"lists":    "codeLists:\n  - {list: untdid-4461, without: 10}\n",
	}
	own := "ruleset: own\nversion: 1\nlayer: cius\nrules:\n  - {id: OWN-2, level: fatal, context: /invoice, assert: filled(this.buyerReference), btCodes: [BT-10], message: m, text: t}\n"
	entry := &model.BatchEntry{BatchColumns: model.BatchColumns{Number: model.NewText("1"), IssueDate: model.NewDate("2026-11-20")}}
	for on, isOver := range rests {
		for _, documents := range []string{"", "documents: {buyer: [B]}\n"} {
			for what, text := range adds {
				if what == "levels" && !isOver || documents != "" && isOver {
					continue // no such overlay
				}
				t.Run(strings.Join([]string{on, documents, what}, " "), func(t *testing.T) {
					folder := fstest.MapFS{
						"own/1/own.yaml":  {Data: []byte(own)},
						"overlays/o.yaml": {Data: fmt.Appendf(nil, "overlay: o\ntitle: T\nowner: Us\non: %s\n%s%s", on, documents, text)},
					}
					library, err := engine.Open(engine.Layered(folder, rulesets.FS))
					if err != nil {
						t.Fatal(err)
					}
					s := validate.New(library, validate.Config{})
					result, err := s.ValidateBatch(t.Context(), entry, validate.Rules{Rulesets: []string{"batch"}, Overlays: []string{"o"}})
					if err != nil {
						t.Fatal(err)
					}
					r := result.Report
					if len(r.Rulesets) != 1 || r.Rulesets[0].Name != "batch" {
						t.Errorf("run: %v", r.Rulesets)
					}
					if i := slices.IndexFunc(r.Findings, func(f engine.Finding) bool { return f.Layer != engine.LayerBatch }); i >= 0 {
						t.Errorf("finds %s: %s", r.Findings[i].Rule, r.Findings[i].Message)
					}
					if o := r.Overlays[0]; o.Applied != isOver || !isOver && !strings.HasPrefix(o.Reason, "it rests on") {
						t.Errorf("applied %v: %s", o.Applied, o.Reason)
					}
				})
			}
		}
	}
}
