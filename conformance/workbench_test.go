package conformance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model/sampled"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// The impact of a draft in the workbench is what rules diff --on says: of a changed copy of a
// shipped ruleset, and of a ruleset that is new.
func TestImpactIsThatOfDiff(t *testing.T) {
	const folder = "../../shared/suites/cen-unit"
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("%s is not here, so nothing was compared", folder)
	}
	suites, err := conformance.Collect(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites { // some are enough: each request has the whole draft with it
		var some []*conformance.Case
		for i := 0; i < len(s.Cases); i += 20 {
			if sampled.Takes(i/20, 4) {
				some = append(some, s.Cases[i])
			}
		}
		s.Cases = some
	}
	copied := map[string]string{}
	names, err := fs.Glob(rulesets.FS, "en16931/1.3.16/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		copied[name] = strings.ReplaceAll(string(data), "level: fatal", "level: warning")
	}
	for name, test := range map[string]struct {
		ref, before string
		draft       map[string]string
	}{
		"changed": {"en16931/1.3.16", "en16931/1.3.16", copied},
		"new": {"company/1", "", map[string]string{"company/1/orders.yaml": "ruleset: company\nversion: 1\nlayer: cius\nrules:\n  - id: CO-1\n    level: fatal\n    context: /invoice\n" +
			"    assert: filled(this.purchaseOrderReference)\n    btCodes: [BT-13]\n    fields: [purchaseOrderReference]\n    message: Write our order number (BT-13).\n    text: There is an order number (BT-13).\n" +
			"    examples:\n      - {fires: {purchaseOrderReference: null}}\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := diff(t, suites, test.before, test.ref, test.draft)
			got := impact(t, suites, test.ref, test.draft)
			if len(want) == 0 || len(got) != len(want) {
				t.Errorf("%d documents are decided otherwise by the workbench, %d by diff", len(got), len(want))
			}
			for document, change := range want {
				if got[document] != change {
					t.Errorf("%s: %s by the workbench, %s by diff", document, got[document], change)
				}
			}
		})
	}
}

// diff are the changes of conformance.Impact, as JSON by document.
func diff(t *testing.T, suites []*conformance.Suite, before, ref string, draft map[string]string) map[string]string {
	t.Helper()
	own := fstest.MapFS{}
	for name, text := range draft {
		own[name] = &fstest.MapFile{Data: []byte(text)}
	}
	builtIn, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := engine.Open(engine.Layered(own, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	old := ruletest.Side{}
	if before != "" {
		old = ruletest.Side{Library: builtIn, Ref: before}
	}
	changes, _, err := conformance.Impact(t.Context(), old, ruletest.Side{Library: edited, Ref: ref}, suites)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range changes {
		out[path.Join(c.Suite, c.Document)] = asText(t, c.ValidBefore, c.ValidAfter, c.Gone, c.New)
	}
	return out
}

// impact are the changes that the workbench tells of.
func impact(t *testing.T, suites []*conformance.Suite, ref string, draft map[string]string) map[string]string {
	t.Helper()
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	desk := workbench.New(s, workbench.Config{})
	out := map[string]string{}
	for _, suite := range suites {
		for _, c := range suite.Cases {
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			request, err := json.Marshal(map[string]any{"draft": draft, "ruleset": ref, "documents": []map[string]any{{"file": data, "name": c.Name}}})
			if err != nil {
				t.Fatal(err)
			}
			answer, err := desk.Call(t.Context(), "impact", request)
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range answer.(*workbench.Impact).Changes {
				out[path.Join(suite.Name, change.Document)] = asText(t, change.ValidBefore, change.ValidAfter, change.Gone, change.New)
			}
		}
	}
	return out
}

func asText(t *testing.T, all ...any) string {
	t.Helper()
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
