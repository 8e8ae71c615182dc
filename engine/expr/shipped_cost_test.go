package expr_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/rulesets"
)

// quadratic are the shipped rules that compare all lines with all lines, by rule and syntax, with why.
var quadratic = map[string]string{
	"BR-FR-MV-12_BT-128 ubl": "its path asks each line for what ancestors and siblings before it have, as published",
}

// groupLines is an invoice of n lines, each of which the French rules take for one with lines below.
func groupLines(t *testing.T, syntax model.Syntax, n int) *model.Document {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, fmt.Sprintf("examples/base-%s.xml", syntax))
	if err != nil {
		t.Fatal(err)
	}
	element, id, below := "cac:InvoiceLine", "<cbc:ID>1</cbc:ID>", `<cbc:ID>%d</cbc:ID><cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>INV-2026-001</cbc:ID><cbc:DocumentStatusCode>GROUP</cbc:DocumentStatusCode></cac:InvoiceDocumentReference></cac:BillingReference>
		<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>INV-2026-001</cbc:ID><cbc:DocumentStatusCode>DETAIL</cbc:DocumentStatusCode></cac:InvoiceDocumentReference><cac:BillingReferenceLine><cbc:ID>%d</cbc:ID></cac:BillingReferenceLine></cac:BillingReference>`
	if syntax == model.CII {
		element, id, below = "ram:IncludedSupplyChainTradeLineItem", "<ram:LineID>1</ram:LineID>", "<ram:LineID>%d</ram:LineID><ram:ParentLineID>%d</ram:ParentLineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>"
	}
	const process = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0" // which the French rules know by other names
	text := strings.NewReplacer(process, "S8", `schemeID="AVE"`, `schemeID="AFL"`).Replace(string(data))
	from, to := strings.Index(text, "<"+element+">"), strings.LastIndex(text, "</"+element+">")+len("</"+element+">")
	var lines strings.Builder
	for i := range n {
		changed := strings.Replace(text[from:to], id, fmt.Sprintf(below, i, i/3), 1)
		changed = strings.Replace(changed, "METER-1", fmt.Sprint("METER-", i), 1)
		if i%2 == 0 {
			changed = strings.Replace(changed, fmt.Sprintf("<ram:ParentLineID>%d</ram:ParentLineID>", i/3), "", 1)
		}
		lines.WriteString(changed)
	}
	doc, err := readDocument([]byte(text[:from] + lines.String() + text[to:]))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Invoice.Lines) != n {
		t.Fatalf("%d lines, want %d", len(doc.Invoice.Lines), n)
	}
	return doc
}

// textLines is an invoice whose payment terms and notes have n lines, each a cash discount.
func textLines(t *testing.T, syntax model.Syntax, n int) *model.Document {
	t.Helper()
	doc := groupLines(t, syntax, 1)
	text := model.NewText(strings.Repeat("#SKONTO#TAGE=14#PROZENT=2.25#\n", n))
	doc.Invoice.PaymentTerms = text
	for i := range doc.Invoice.Notes {
		doc.Invoice.Notes[i].Text = text
	}
	return doc
}

// The steps of a shipped rule grow with the number of lines, not with its square, whatever the
// lines are for. So they do with the lines of a text.
func TestShippedRulesAreLinear(t *testing.T) {
	for name, of := range map[string]func(*testing.T, model.Syntax, int) *model.Document{"invoice": groupLines, "text": textLines} {
		t.Run(name, func(t *testing.T) { areLinear(t, of, name == "invoice") })
	}
}

func areLinear(t *testing.T, documentOf func(*testing.T, model.Syntax, int) *model.Document, all bool) {
	t.Helper()
	l := shippedLibrary(t)
	v, _ := judges(t, l)
	rules, seen := 0, map[string]bool{}
	for _, syntax := range model.Syntaxes() {
		few, many := documentOf(t, syntax, 60), documentOf(t, syntax, 240)
		eachRule(t, l, func(r *engine.Rule) {
			q := questions{}
			if q.add(t, r, syntax); len(q) == 0 {
				return
			}
			rules++
			at60, at240 := stepsOf(t, v, q, few), stepsOf(t, v, q, many)
			isQuadratic := at240 > 7*at60 && at240 > 50_000
			name := r.ID + " " + string(syntax)
			seen[name] = seen[name] || isQuadratic
			if isQuadratic && quadratic[name] == "" {
				t.Errorf("%s takes %d steps for 60 lines and %d for 240", name, at60, at240)
			}
		})
	}
	if rules < 2000 {
		t.Errorf("only %d rules were counted", rules)
	}
	for name := range quadratic {
		if all && !seen[name] {
			t.Errorf("%s is linear now: take it out of the list, and of docs/security.md", name)
		}
	}
}

// stepsOf are the steps of all expressions at all their nodes of a document.
func stepsOf(t *testing.T, v *evaluator, q questions, doc *model.Document) int64 {
	t.Helper()
	act := new(expr.Activation)
	b := budget.New(ctx, 1<<40)
	act.Begin(doc, &xpath.Evaluation{Tree: doc.Source, Budget: b})
	err := q.nodes(doc, func(at *question, this any) {
		for expression := range at.expressions {
			set(act, this)
			program, err := v.program(expression, this)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = program.Value(act) // whatever it is
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Used()
}
