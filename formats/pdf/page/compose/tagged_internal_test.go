package compose

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/model"
)

var sequences = regexp.MustCompile(`(?s)/(\w+) <</MCID (\d+)>> BDC\n(.*?)EMC`)

// said is the text of each structure element, as who listens to the pages hears it.
func said(c *composer) map[*tagged.Element]string {
	texts := map[*tagged.Element]string{}
	for _, p := range c.pages {
		p.EndMarkedContent()
		for _, m := range sequences.FindAllSubmatch(p.Operators, -1) {
			mcid, _ := strconv.Atoi(string(m[2]))
			for _, run := range runs.FindAllSubmatch(m[3], -1) {
				face, _ := strconv.Atoi(string(run[1]))
				codes, _ := hex.DecodeString(string(run[3]))
				for i := 0; i < len(codes); i += 2 {
					texts[p.Marked[mcid]] += c.fonts.Used[face].Glyphs[int(codes[i])<<8|int(codes[i+1])].Text
				}
			}
		}
	}
	return texts
}

// order are the texts of an element and of all inside, in the order in which they are read.
func order(e *tagged.Element, texts map[*tagged.Element]string) (all []string) {
	if texts[e] != "" {
		all = append(all, texts[e])
	}
	for _, k := range e.Kids {
		if k.Element != nil {
			all = append(all, order(k.Element, texts)...)
		}
	}
	return all
}

// Who listens to the pages hears a space between a label and its value, and the parts of
// the invoice in the order in which a letter is read.
func TestSaidInOrder(t *testing.T) {
	inv := &model.Invoice{}
	for path, text := range map[string]string{"number": "R-1", "issueDate": "2026-11-21", "typeCode": "380", "currencyCode": "EUR", "paymentTerms": "30 Tage"} {
		f, _ := model.InvoiceType().Field(path)
		model.ObjectOf(inv).Set(f, text)
	}
	inv.Seller = &model.Seller{}
	inv.Seller.Name = model.NewText("Verkauf GmbH")
	inv.Seller.VatIdentifier = model.NewText("DE1")
	inv.Buyer = &model.Buyer{}
	inv.Buyer.Name = model.NewText("Kauf AG")
	inv.Totals = &model.Totals{AmountDueForPayment: model.NewAmount("119")}
	line := model.Line{Identifier: model.NewText("1"), Item: &model.Item{Name: model.NewText("Öl " + strings.Repeat("kaltgepresst ", 30))}}
	inv.Lines = []model.Line{line}
	for _, look := range look.Names() {
		c, err := composedWith(t.Context(), inv, language.Load("de"), &Options{Look: lookNamed(look), Pages: 9}, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(order(c.root, said(c)), "|")
		at := 0
		for _, want := range []string{"Kauf AG", "Rechnung", "Pos.", "kaltgepresst kaltgepresst", "Fälliger Betrag", "Zahlungsbedingungen 30 Tage", "Währung: Euro"} {
			next := strings.Index(all[at:], want)
			if next < 0 {
				t.Errorf("%s: %q is not said, or not after the others:\n%s", look, want, all)
				break
			}
			at += next
		}
		for _, want := range []string{"Rechnungsdatum 21.11.2026"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: %q is not said:\n%s", look, want, all)
			}
		}
		if strings.Contains(all, "kaltgepresstkaltgepresst") {
			t.Errorf("%s: words are joined at the end of a line", look)
		}
	}
}
