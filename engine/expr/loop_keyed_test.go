package expr_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/sampled"
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
	`this.elements("../../cac:InvoiceLine").exists(l, l.text("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent") == this.text("cac:TaxCategory/cbc:Percent"))`,
	`this.elements("/*/cac:InvoiceLine | .").exists(l, l.text("cac:TaxCategory/cbc:Percent") == this.text("cac:TaxCategory/cbc:Percent"))`, // another list each time
}

// randomKeyed is a loop of one of the shapes that are visited by key, or of one that looks like them.
func randomKeyed(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	percents := pick("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent", "cac:Item/cac:ClassifiedTaxCategory/*", "cac:TaxCategory/*", "cbc:ID", "*")
	of := func(name, path string) (value, list string) {
		return fmt.Sprintf("%s.text(%q)", name, path), fmt.Sprintf("%s.texts(%q)", name, path)
	}
	own, owns := of("l", percents)
	wanted, wanteds := of(pick("this", "this", "l"), pick(percents, "cac:Item/cac:ClassifiedTaxCategory/cbc:Percent", "cac:TaxCategory/cbc:Percent", "/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent", "/*/cbc:ID | cac:TaxCategory/cbc:Percent", "../cbc:ID"))
	equal := func(a, b string) string {
		if r.IntN(3) == 0 {
			return fmt.Sprintf("decimal(%s) == decimal(%s)", a, b)
		}
		return fmt.Sprintf("%s %s %s", a, pick("==", "==", "==", "!="), b)
	}
	var condition string
	switch r.IntN(7) {
	case 5:
		condition = fmt.Sprintf(`l.elements("*").filter(e, e.has("*") && e.texts(".//*").exists(p, %s)).size() > 0`, equal("p", wanted))
	case 6:
		condition = fmt.Sprintf(`l.elements("*").exists(e, e.elements("*").filter(f, f.texts("*").exists(p, %s.exists(q, %s && q != "7"))).size() > %d)`, wanteds, equal("p", "q"), r.IntN(2))
	case 0:
		condition = equal(own, wanted)
	case 1:
		condition = fmt.Sprintf("%s.exists(p, %s)", owns, equal("p", wanted))
	case 2:
		condition = fmt.Sprintf("%s.exists(q, %s)", wanteds, equal(own, "q"))
	case 3:
		condition = fmt.Sprintf("%s.exists(p, %s.exists(q, %s))", owns, wanteds, equal("p", "q"))
	case 4:
		condition = fmt.Sprintf("%s.exists(p, %s.exists(p, %s))", owns, wanteds, equal("p", pick("p", "p", own)))
	}
	switch r.IntN(4) {
	case 0:
		condition += ` && l.text("cbc:ID") != this.text("cbc:ID")`
	case 1:
		condition = `l.has("cac:Item") && ` + condition
	case 2:
		condition += ` && decimal(l.text("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent")) > 7`
	}
	if r.IntN(5) == 0 { // the same for all
		condition = fmt.Sprintf(`l.has("cac:Item") && %s.exists(p, %s)`, owns, equal("p", `"19"`))
	}
	all := condition
	if r.IntN(2) == 0 {
		all = fmt.Sprintf("%s || %s != %s", pick(`l.has("cac:Item")`, `l.text("cbc:ID") == this.text("cbc:ID")`, "decimal("+own+") > 7"), own, wanted)
	}
	list := fmt.Sprintf("this.elements(%q)", pick("/*/cac:InvoiceLine", "/*/*", "../cac:InvoiceLine | ../cac:CreditNoteLine", "../*", "../* | .", "/*/cac:InvoiceLine | .", "../../cac:InvoiceLine", "../../* | ../cac:InvoiceLine", "parent::node()/cac:InvoiceLine", "*/.."))
	loop := pick(".exists(l, %s)", ".filter(l, %s).size()", `.filter(l, %s).total("cbc:LineExtensionAmount")`, ".sum(l, %s, 1)", `.filter(l, %s).filter(m, m.text("cbc:ID") != this.text("cbc:ID")).size()`, ".exists_one(l, %s)", ".all(l, %s)", ".all(l, %s)")
	if strings.HasPrefix(loop, ".all") {
		condition = all
	}
	return list + fmt.Sprintf(loop, condition)
}

// Whatever a loop compares, and from whichever elements it is evaluated in turn, it gives what it
// gives in an activation of its own, and what cel-go's interpreter gives.
func TestRandomKeyedLoops(t *testing.T) {
	v, o := judges(t, shippedLibrary(t))
	sorted, values := 0, 0
	for seed := range uint64(sampled.Of(600, 4)) {
		r := rand.New(rand.NewPCG(seed, 2))
		doc := manyLines(t, seed)
		from := slices.Concat(selectedBy(t, doc, "/*/cac:TaxTotal/cac:TaxSubtotal"), selectedBy(t, doc, "/*/cac:InvoiceLine"))
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		expression := randomKeyed(r)
		program := compiled(t, v, expression, doc.Source.Root())
		act := new(expr.Activation)
		b := budget.New(ctx, 100_000_000)
		act.Begin(doc, &xpath.Evaluation{Tree: doc.Source, Budget: b})
		for i, n := range from[:24] {
			b.Start(0)
			act.SetElement(n)
			got, err := program.Value(act)
			want, wantErr := v.value(expression, doc, n)
			if (err == nil) != (wantErr == nil) || err == nil && !same(got, want) {
				t.Errorf("seed %d: %s\n  by key %v %v\n  plain  %v %v", seed, expression, got, err, want, wantErr)
			}
			if err == nil {
				values++
			}
			if i%8 == 0 {
				if difference := differ(v, o, expression, doc, n); difference != "" {
					t.Error(difference)
				}
			}
		}
		sorted += act.Sorted()
	}
	if t.Logf("%d loops were sorted, of %d values", sorted, values); sorted < sampled.Of(50, 5) || values < sampled.Of(10_000, 5) {
		t.Errorf("only %d loops were sorted, of %d values", sorted, values)
	}
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
			for _, n := range selectedBy(t, doc, "/*/cac:TaxTotal/cac:TaxSubtotal") {
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

func selectedBy(t *testing.T, doc *model.Document, text string) (nodes []source.Node) {
	t.Helper()
	parsed, err := xpath.Parse(text)
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
