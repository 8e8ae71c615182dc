package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/rulesets"
)

// Every rule can be explained, and is explained as it was decided.
func TestExplainAgreesWithValidator(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	set, err := library.Ruleset("en16931")
	if err != nil {
		t.Fatal(err)
	}
	validator, err := library.Validator("en16931")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ubl-faulty.xml", "cii-faulty.xml"} {
		doc := sample(t, name)
		report, err := validator.Validate(t.Context(), doc)
		if err != nil {
			t.Fatal(err)
		}
		violated := map[string]int{}
		for _, f := range report.Findings {
			violated[f.Rule]++
		}
		nodes, parts := 0, 0
		for _, r := range set.Rules {
			if r.Row != nil {
				continue
			}
			x, err := library.Explain(t.Context(), doc, r, 0)
			if err != nil {
				t.Errorf("%s: %s: %v", name, r.ID, err)
				continue
			}
			for _, n := range x.Nodes {
				nodes++
				parts += countParts(n.Assertion)
				if !n.Holds {
					violated[r.ID]--
				}
			}
		}
		for rule, n := range violated {
			if n != 0 {
				t.Errorf("%s: %s has %d more findings than nodes where it is explained as violated", name, rule, n)
			}
		}
		if nodes < 150 || parts < 5*nodes/2 {
			t.Errorf("%s: only %d nodes and %d parts were explained", name, nodes, parts)
		}
	}
}

func countParts(p engine.ExplainedPart) int {
	n := 1
	for i := range p.Parts {
		n += countParts(p.Parts[i])
	}
	return n
}

func sample(t *testing.T, name string) *model.Document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "cmd", "einvoice", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The parts of an assertion are those that decide, with the values of terms as they are
// written and the lists that loops are about.
func TestParts(t *testing.T) {
	l, err := engine.Open(ruleset(one("/invoice", `has(this.number) && [this.lines.size()].all(n, n > 0 && !(n == 2)) && this.lines.exists(l, has(l.note)) && this.lines.sum(l, has(l.netAmount), l.netAmount) != 1.0`)))
	if err != nil {
		t.Fatal(err)
	}
	set, err := l.Ruleset("r")
	if err != nil {
		t.Fatal(err)
	}
	x, err := l.Explain(t.Context(), sample(t, "ubl-valid.xml"), set.Rules[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var walk func(p engine.ExplainedPart)
	walk = func(p engine.ExplainedPart) {
		texts = append(texts, p.Text)
		if p.Value.Err != nil {
			t.Errorf("%s: %v", p.Text, p.Value.Err)
		}
		for _, inner := range p.Parts {
			walk(inner)
		}
	}
	walk(x.Nodes[0].Assertion)
	got := strings.Join(texts, "\n")
	for _, want := range []string{
		"has(this.number)", "this.lines.size()", "n > 0 && !(n == 2)", "n > 0", "n == 2",
		"this.lines.filter(l, has(l.note))", "this.lines.filter(l, has(l.netAmount)).map(l, l.netAmount)",
	} {
		if !strings.Contains("\n"+got+"\n", "\n"+want+"\n") {
			t.Errorf("%q is not part of\n%s", want, got)
		}
	}
}

// Of many nodes, those where the rule is violated are explained first, and the others are
// counted.
func TestExplainBoundsNodes(t *testing.T) {
	library, err := engine.Open(fstest.MapFS{"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
rules:
  - {id: CO-1, level: fatal, context: "//cbc:ID", assert: "this.text() == 'VAT' || 1 > 2", btCodes: [], message: m, text: t}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	set, err := library.Ruleset("company")
	if err != nil {
		t.Fatal(err)
	}
	doc := sample(t, "ubl-valid.xml")
	all, err := library.Explain(t.Context(), doc, set.Rules[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	holding := 0
	for _, n := range all.Nodes {
		if n.Holds {
			holding++
		}
	}
	violated := len(all.Nodes) - holding
	if holding < 2 || violated < 2 {
		t.Fatalf("%d nodes hold and %d do not: too few to choose among", holding, violated)
	}
	some, err := library.Explain(t.Context(), doc, set.Rules[0], violated+1)
	if err != nil {
		t.Fatal(err)
	}
	if len(some.Nodes) != violated+1 || some.Omitted != holding-1 {
		t.Fatalf("%d nodes are explained and %d omitted, want %d and %d", len(some.Nodes), some.Omitted, violated+1, holding-1)
	}
	left := 0
	for _, n := range some.Nodes {
		if !n.Holds {
			left++
		}
		if len(n.Assertion.Parts) == 0 {
			t.Errorf("%s has no parts", n.Location)
		}
	}
	if left != violated {
		t.Errorf("%d of the %d violated nodes are explained", left, violated)
	}
}
