package page_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
	"einvoice/model/tongue"
)

// The indentation that texts have in XML is not part of them: on pages the lines of a note begin
// below each other and at most one empty line is between them, however the XML is indented.
func TestIndentationIsNoText(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 20))
	blanks := func() string { return strings.Repeat([]string{" ", "\t", "\u00a0"}[seed.IntN(3)], seed.IntN(40)) }
	for run := range 30 {
		n := 2 + seed.IntN(6)
		text := "\n" + blanks()
		for i := range n {
			text += fmt.Sprintf("Zeile%da mit Text", i) + blanks() + strings.Repeat("\n"+blanks(), 1+seed.IntN(4))
		}
		source := `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">
			<cbc:ID>R-1</cbc:ID><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>` + text + `</cbc:Note><cac:PaymentTerms><cbc:Note>` + strings.ReplaceAll(text, "a mit", "b mit") + `</cbc:Note></cac:PaymentTerms>
			<cac:InvoiceLine><cbc:ID>1</cbc:ID><cac:Item><cbc:Description>` + strings.ReplaceAll(text, "a mit", "c mit") + `</cbc:Description><cbc:Name>Ware</cbc:Name></cac:Item></cac:InvoiceLine></Invoice>`
		doc, err := formats.Read([]byte(source), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		left, bottom, found := map[byte]float64{}, map[byte]float64{}, 0
		for _, rows := range rowsOf(t, printed(t, doc.Invoice, page.Options{Language: "de", Look: l}).Data) {
			clear(bottom)
			for _, r := range rows {
				for _, w := range r {
					if !strings.HasPrefix(w.Text, "Zeile") {
						continue
					}
					found++
					which := w.Text[len(w.Text)-1]
					if at, seen := left[which]; seen && math.Abs(at-w.Box.Left) > 0.5 {
						t.Errorf("run %d: %q begins at %.1f, and the line before at %.1f, of %q", run, w.Text, w.Box.Left, at, text)
					}
					if above, seen := bottom[which]; seen && w.Box.Bottom-above > 3*w.Size {
						t.Errorf("run %d: %.1f points are between %q and the line before, of %q", run, w.Box.Bottom-above, w.Text, text)
					}
					left[which], bottom[which] = w.Box.Left, w.Box.Bottom
				}
			}
		}
		if found != 3*n {
			t.Errorf("run %d: %d lines are on the pages, want %d", run, found, 3*n)
		}
	}
}

// Decimal marks of quantities and of prices are below each other, whatever stands below a number
// in its cell, and however many digits there are.
func TestDecimalsBelowEachOther(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 21))
	for run := range 30 {
		inv := small(t, 0)
		n := 3 + seed.IntN(12)
		for i := range n {
			per := ""
			if seed.IntN(2) == 0 {
				per = `, "baseQuantity": 1000, "baseQuantityUnitCode": "KGM"`
			}
			inv.Lines = append(inv.Lines, *decodeLine(t, fmt.Sprintf(`{"identifier": "%d", "netAmount": 10.5, "invoicedQuantity": %.*f, "invoicedQuantityUnitCode": "H87",
				"price": {"netPrice": %.*f%s}, "vat": {"categoryCode": %q, "rate": 19}, "item": {"name": "Ware"}}`,
				i+1, seed.IntN(4), 1+seed.Float64()*2000, seed.IntN(6), 1+seed.Float64()*2000, per, []string{"S", "E"}[seed.IntN(2)])))
		}
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		marks, rows := map[string]float64{}, 0
		for _, sheet := range rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data) {
			for _, r := range sheet {
				at := strings.Index(r.text(), " Ware ")
				if at < 0 || len(r) < 6 || !model.NewNumber(r[0].Text).Valid {
					continue
				}
				rows++
				for column, w := range map[string]int{"quantities": 2, "prices": 4} {
					_, fraction, _ := strings.Cut(r[w].Text, ",")
					mark := r[w].Box.Right // of the whole part
					if fraction != "" {
						mark -= (0.556*float64(len(fraction)) + 0.278) * r[w].Size // of Liberation Sans
					}
					if before, seen := marks[column]; seen && math.Abs(before-mark) > 1 {
						t.Errorf("run %d: of the %s, the mark of %q is at %.1f, and the one above at %.1f", run, column, r[w].Text, mark, before)
					}
					marks[column] = mark
				}
			}
		}
		if rows != n {
			t.Errorf("run %d: %d rows are read, want %d", run, rows, n)
		}
	}
}

// A heading touches neither what is above nor what is below it, however closely pages are set.
func TestHeadingsStandApart(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 16))
	closest, headings := 1e9, 0
	for run := range 40 {
		inv := page.Sample()
		inv.Lines = inv.Lines[:1+seed.IntN(30)]
		for range seed.IntN(5) {
			inv.Notes = append(inv.Notes, model.Note{Text: model.NewText(strings.Repeat("Bemerkung ", 1+seed.IntN(60)))})
		}
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data) {
			for _, r := range rows {
				for _, w := range r {
					if w.Size < 10.4 || w.Size > 10.6 || !w.Bold {
						continue
					}
					headings++
					for _, other := range rows {
						for _, o := range other { // in the same column
							if o.Box.Left < w.Box.Right && w.Box.Left < o.Box.Right && o.Box.Bottom != w.Box.Bottom {
								closest = min(closest, math.Abs(o.Box.Bottom-w.Box.Bottom))
							}
						}
					}
				}
			}
		}
	}
	if headings < 100 || closest < 11.5 {
		t.Errorf("of %d headings one is %.1f points from the text above or below", headings, closest)
	}
}

// No word of the head of a table is broken, however large the amounts are, in any language.
func TestHeadsAreNotBroken(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 43))
	for run := range 21 {
		tag := tongue.Tags()[run%len(tongue.Tags())]
		words := language.Load(tag)
		inv := small(t, 1)
		large := func() model.Amount {
			return model.NewAmount(fmt.Sprintf("%.2f", math.Pow(10, float64(3+seed.IntN(9)))*(1+seed.Float64())))
		}
		v := &inv.VatBreakdowns[0]
		v.TaxableAmount, v.TaxAmount = large(), large()
		inv.Totals.AmountDueForPayment, inv.Lines[0].NetAmount = large(), large()
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		var printedWords []string
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: tag, Look: l}).Data) {
			for _, r := range rows {
				for _, w := range r {
					printedWords = append(printedWords, w.Text)
				}
			}
		}
		for _, head := range []string{"category", "rate", "taxable", "tax", "description", "quantity", "unit", "price", "net"} {
			for _, word := range strings.Fields(strings.ReplaceAll(words.Word(head), "(#)", "")) {
				if !slices.ContainsFunc(printedWords, func(w string) bool { return strings.HasPrefix(w, word) }) {
					t.Errorf("run %d, %s, %s: %q of the head %q is broken", run, tag, l.Name, word, words.Word(head))
				}
			}
		}
	}
}

// No line begins with the sign that separates facts.
func TestNoLineBeginsWithASeparator(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 44))
	signs := 0
	for run := range 15 {
		inv := page.Sample()
		inv.Lines = inv.Lines[:1+seed.IntN(10)]
		for i := range inv.Lines {
			inv.Lines[i].Item = &model.Item{Name: model.NewText("Ware"), SellerIdentifier: model.NewText(strings.Repeat("A1", 1+seed.IntN(9))), BuyerIdentifier: model.NewText(strings.Repeat("B2", 1+seed.IntN(9)))}
		}
		inv.Payment.Means[0].Text = model.NewText(strings.Repeat("Weg ", 1+seed.IntN(9)))
		l, err := look.BuiltIn(look.Names()[run%len(look.Names())])
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: tongue.Tags()[run%len(tongue.Tags())], Look: l}).Data) {
			for _, r := range rows {
				for i, w := range r {
					if !strings.HasPrefix(w.Text, "·") {
						continue
					}
					if signs++; i == 0 || w.Box.Left-r[i-1].Box.Right > 30 {
						t.Errorf("run %d: %q begins with a separator", run, r.text())
					}
				}
			}
		}
	}
	if signs < 50 {
		t.Errorf("only %d separators are found", signs)
	}
}
