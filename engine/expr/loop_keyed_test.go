package expr_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/rulesets"
)

// manyLines is an invoice of many lines and VAT breakdowns, whose categories, rates and
// amounts are right, absent or no numbers.
func manyLines(t *testing.T, seed uint64) *model.Document {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	rates := []string{"<cbc:Percent>19</cbc:Percent>", "<cbc:Percent>19.00</cbc:Percent>", "<cbc:Percent>7</cbc:Percent>", "<cbc:Percent>-0.0</cbc:Percent>", "<cbc:Percent>0</cbc:Percent>", ""}
	if seed%3 > 0 {
		rates = append(rates, "<cbc:Percent>100</cbc:Percent>", "<cbc:Percent>1</cbc:Percent>")
	}
	if seed%3 > 1 {
		rates = append(rates, "<cbc:Percent>none</cbc:Percent>")
	}
	text := string(data)
	between := func(text, open, end string) (before, inside, after string) {
		i, j := strings.Index(text, open), strings.LastIndex(text, end)+len(end)
		return text[:i], text[i : strings.Index(text, end)+len(end)], text[j:]
	}
	several := func(text, open, end string, n int) string {
		before, one, after := between(text, open, end)
		_, percent, _ := between(one, "<cbc:Percent>", "</cbc:Percent>")
		var b strings.Builder
		for range n {
			changed := strings.Replace(one, percent, rates[r.IntN(len(rates))], 1)
			if r.IntN(4) == 0 {
				changed = strings.Replace(changed, "<cbc:ID>S</cbc:ID>", "<cbc:ID>Z</cbc:ID>", 1)
			}
			b.WriteString(changed)
		}
		return before + b.String() + after
	}
	text = several(text, "<cac:TaxSubtotal>", "</cac:TaxSubtotal>", 12)
	text = several(text, "<cac:InvoiceLine>", "</cac:InvoiceLine>", 60)
	doc, err := readDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Invoice.Lines); n != 60 {
		t.Fatalf("%d lines", n)
	}
	return doc
}

var keyedOverModel = []string{
	`invoice.lines.sum(l, is(l.vat.categoryCode, "S") && has(l.vat.rate) && l.vat.rate == this.rate, orElse(l.netAmount, 0))`,
	`invoice.lines.sum(l, l.vat.rate == this.rate, orElse(l.netAmount, 0))`,
	`invoice.lines.sum(l, this.rate == l.vat.rate && has(l.vat.rate), orElse(l.netAmount, 0) + this.rate)`,
	`invoice.lines.exists(l, l.vat.rate == this.rate && l.vat.categoryCode == this.categoryCode)`,
	`invoice.lines.exists(l, l.vat.categoryCode == this.categoryCode)`,
	`invoice.lines.sum(l, l.vat.rate == this.rate + l.vat.rate, 1)`, // the element is on both sides
}

var keyedOverSource = []string{
	`[decimal(this.text("cac:TaxCategory/cbc:Percent"))].all(rate, this.elements("/*/*[cac:Item/cac:ClassifiedTaxCategory[normalize-space(cbc:ID)='S']]").sum(l, l.texts("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent").exists(p, decimal(p) == rate), decimal(l.text("cbc:LineExtensionAmount"))) > 100)`,
	`this.elements("/*/cac:InvoiceLine").exists(l, l.text("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent") == this.text("cac:TaxCategory/cbc:Percent"))`,
	`this.elements("/*/cac:InvoiceLine").exists(l, l.texts("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent").exists(p, decimal(p) == decimal(this.text("cac:TaxCategory/cbc:Percent"))))`,
	`this.elements("../../cac:InvoiceLine").exists(l, l.text("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent") == this.text("cac:TaxCategory/cbc:Percent"))`, // another list each time
}

// A loop that visits elements by key gives what going through all of them gives, and what
// cel-go's interpreter gives.
func TestKeyedLoops(t *testing.T) {
	l := shippedLibrary(t)
	v, o := judges(t, l)
	sorted := 0
	for seed := range uint64(9) {
		doc := manyLines(t, seed)
		act := new(expr.Activation)
		b := budget.New(ctx, 10_000_000)
		act.Begin(doc, &xpath.Evaluation{Tree: doc.Source, Budget: b})
		compare := func(program *expr.Program, expression string, this any) {
			b.Start(0)
			set(act, this)
			got, err := program.Value(act)
			want, wantErr := v.value(expression, doc, this) // in an activation of its own
			if (err == nil) != (wantErr == nil) || err == nil && !same(got, want) {
				t.Errorf("seed %d: %s\n  by key %v %v\n  plain  %v %v", seed, expression, got, err, want, wantErr)
			}
			if difference := differ(v, o, expression, doc, this); difference != "" {
				t.Error(difference)
			}
		}
		for _, expression := range keyedOverModel {
			list := model.ObjectOf(doc.Invoice).List(fieldOf(t, "vatBreakdowns"))
			program := compiled(t, v, expression, list.At(0))
			for i := range list.Len() {
				compare(program, expression, list.At(i))
			}
		}
		for _, expression := range keyedOverSource {
			program := compiled(t, v, expression, doc.Source.Root())
			for _, n := range subtotals(t, doc) {
				compare(program, expression, n)
			}
		}
		sorted += act.Sorted()
	}
	if want := 9 * (len(keyedOverModel) + len(keyedOverSource) - 2); sorted < want*3/4 || sorted > want {
		t.Errorf("%d lists were sorted of %d", sorted, want)
	}
}

func compiled(t *testing.T, v *evaluator, expression string, this any) *expr.Program {
	t.Helper()
	typ := expr.Element()
	if o, isGroup := this.(model.Object); isGroup {
		typ = expr.Group(o.Type)
	}
	p, err := v.env.Compile(expression, typ)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func set(act *expr.Activation, this any) {
	if o, isGroup := this.(model.Object); isGroup {
		act.SetGroup(o)
		return
	}
	act.SetElement(this.(source.Node))
}

func fieldOf(t *testing.T, name string) *model.Field {
	t.Helper()
	f, ok := model.InvoiceType().Field(name)
	if !ok {
		t.Fatal(name)
	}
	return f
}

func subtotals(t *testing.T, doc *model.Document) (nodes []source.Node) {
	t.Helper()
	parsed, err := xpath.Parse("/*/cac:TaxTotal/cac:TaxSubtotal")
	if err != nil {
		t.Fatal(err)
	}
	path, err := xpath.OverSource(parsed.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	path.Each(&xpath.Evaluation{Tree: doc.Source, Budget: budget.New(ctx, 1_000_000)}, doc.Source.Root(), func(r source.Ref) bool {
		nodes = append(nodes, r.Element())
		return true
	})
	return nodes
}

// The steps of rules about lines and breakdowns grow with their number, not with its square.
func TestKeyedLoopsAreLinear(t *testing.T) {
	for _, expression := range keyedOverModel[:1] {
		steps := func(n int) int64 {
			doc := &model.Document{Invoice: &model.Invoice{}}
			for i := range n {
				rate := model.NewNumber(fmt.Sprint(i))
				doc.Invoice.Lines = append(doc.Invoice.Lines, model.Line{Vat: &model.LineVat{CategoryCode: model.NewText("S"), Rate: rate}, NetAmount: model.NewAmount("1")})
				doc.Invoice.VatBreakdowns = append(doc.Invoice.VatBreakdowns, model.VatBreakdown{Rate: rate})
			}
			act := new(expr.Activation)
			b := budget.New(ctx, 1<<40)
			act.Begin(doc, &xpath.Evaluation{Budget: b})
			list := model.ObjectOf(doc.Invoice).List(fieldOf(t, "vatBreakdowns"))
			p, err := environment().Compile(expression, expr.Group(list.At(0).Type))
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				act.SetGroup(list.At(i))
				if v, err := p.Value(act); err != nil || fmt.Sprint(v) != "1" {
					t.Fatalf("%v %v", v, err)
				}
			}
			return b.Used()
		}
		if few, many := steps(200), steps(2000); many > 20*few {
			t.Errorf("%s: %d steps for 200 lines, %d for 2,000", expression, few, many)
		}
	}
}
