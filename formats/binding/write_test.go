package binding_test

import (
	"errors"
	"strings"
	"testing"

	"einvoice/formats/binding"
	"einvoice/model"
)

// smallFormat is a format with the given rows.
func smallFormat(t *testing.T, rows string) *binding.Format {
	t.Helper()
	f := newFormat(head+"rows:\n"+rows, "ubl:Invoice", "cn:CreditNote")
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	return f
}

// body is what is inside the root element, without indentation.
func body(data []byte) string {
	_, s, _ := strings.Cut(string(data), "<Invoice")
	_, s, _ = strings.Cut(s, ">")
	s, _, _ = strings.Cut(s, "</Invoice>")
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.TrimLeft(line, " "))
	}
	return b.String()
}

func TestWriting(t *testing.T) {
	text := model.NewText
	for _, c := range []struct {
		name, rows string
		invoice    model.Invoice
		want       string
		losses     []string // kind, BT, value
	}{
		{
			"nothing", "  - {path: cbc:ID, term: number}", model.Invoice{},
			"", nil,
		},
		{
			"empty is not absent", "  - {path: cbc:ID, term: number}", model.Invoice{Number: text("")},
			"<cbc:ID/>", nil,
		},
		{
			"escaped", "  - {path: cbc:ID/@name, term: buyerReference}\n  - {path: cbc:ID, term: number}",
			model.Invoice{Number: text("a<b>&\"\r\n"), BuyerReference: text("<\t\n\">")},
			`<cbc:ID name="&lt;&#9;&#10;&quot;&gt;">a&lt;b&gt;&amp;"&#13;</cbc:ID>`, nil,
		},
		{
			"not where another term says the same", "  - {path: cbc:ID, term: number}\n  - {path: cbc:TaxCurrencyCode, term: vatAccountingCurrencyCode, unlessSame: currencyCode}",
			model.Invoice{Number: text("1"), CurrencyCode: text("EUR"), VatAccountingCurrencyCode: text(" EUR ")},
			`<cbc:ID>1</cbc:ID>`, []string{"lost BT-5 EUR", "changed BT-6  EUR"},
		},
		{
			"unless it says something else", "  - {path: cbc:TaxCurrencyCode, term: vatAccountingCurrencyCode, unlessSame: currencyCode}",
			model.Invoice{VatAccountingCurrencyCode: text("SEK")}, `<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>`, nil,
		},
		{
			"values of the table make no element",
			"  - {path: cac:Party, rows: [{path: cbc:ID, term: number}, {path: cbc:Name, fixed: X}, {path: cbc:Note/@a, fixed: Y}]}",
			model.Invoice{}, "", nil,
		},
		{
			"values of the table are written beside terms",
			"  - {path: cac:Party, rows: [{path: cbc:ID, term: number}, {path: cac:TaxScheme/cbc:ID, fixed: VAT}]}",
			model.Invoice{Number: text("1")},
			"<cac:Party><cbc:ID>1</cbc:ID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:Party>", nil,
		},
		{
			"always", "  - {path: cac:Party, always: true, rows: [{path: cbc:ID, term: number}]}", model.Invoice{},
			"<cac:Party/>", nil,
		},
		{
			"a group without terms is there", "  - {path: cac:Party, group: seller, rows: [{path: cbc:ID, term: seller.name}]}",
			model.Invoice{Seller: &model.Seller{}}, "<cac:Party/>", nil,
		},
		{
			"a group whose terms are elsewhere is not",
			"  - {path: cbc:Name, term: seller.name}\n  - {path: cac:Party, group: seller, rows: [{path: cbc:ID, term: seller.tradingName}]}",
			model.Invoice{Seller: &model.Seller{Name: text("A")}}, "<cbc:Name>A</cbc:Name>", nil,
		},
		{
			"no place", "  - {path: cbc:ID, term: number}", model.Invoice{BuyerReference: text("x")},
			"", []string{"lost BT-10 x"},
		},
		{
			"a required value", "  - {path: cac:A, rows: [{path: cbc:ID, term: purchaseOrderReference, otherwise: NA}, {path: cbc:B, term: salesOrderReference}]}",
			model.Invoice{SalesOrderReference: text("S")},
			"<cac:A><cbc:ID>NA</cbc:ID><cbc:B>S</cbc:B></cac:A>", []string{"added BT-13 NA"},
		},
		{
			"a required value of nothing", "  - {path: cac:A, rows: [{path: cbc:ID, term: purchaseOrderReference, otherwise: NA}, {path: cbc:B, term: salesOrderReference}]}",
			model.Invoice{}, "", nil,
		},
		{
			"more than the limit", "  - {path: cac:A, list: precedingInvoices, limit: 1, rows: [{path: cbc:ID, term: precedingInvoices.reference}]}",
			model.Invoice{PrecedingInvoices: []model.PrecedingInvoice{{Reference: text("1")}, {Reference: text("2")}}},
			"<cac:A><cbc:ID>1</cbc:ID></cac:A>", []string{"lost BT-25 2"},
		},
		{
			"a term outside the list is in its first entry",
			"  - {path: cac:A, list: notes, rows: [{path: cbc:Note, term: notes.text}, {path: cbc:ID, term: number}]}",
			model.Invoice{Number: text("1"), Notes: []model.Note{{Text: text("a")}, {Text: text("b")}}},
			"<cac:A><cbc:Note>a</cbc:Note><cbc:ID>1</cbc:ID></cac:A><cac:A><cbc:Note>b</cbc:Note></cac:A>", nil,
		},
		{
			"or in the one preferred",
			"  - {path: cac:A, list: notes, rows: [{path: cbc:Note, term: notes.text}, {path: cbc:ID, term: number, prefer: {term: notes.text, codes: [b]}}]}",
			model.Invoice{Number: text("1"), Notes: []model.Note{{Text: text("a")}, {Text: text("b")}}},
			"<cac:A><cbc:Note>a</cbc:Note></cac:A><cac:A><cbc:Note>b</cbc:Note><cbc:ID>1</cbc:ID></cac:A>", nil,
		},
		{
			"a date's time zone", "  - {path: cbc:IssueDate, term: issueDate}", model.Invoice{IssueDate: model.NewDate("2026-11-20+01:00")},
			"<cbc:IssueDate>2026-11-20</cbc:IssueDate>", []string{"changed BT-2 2026-11-20+01:00"},
		},
		{
			"a code that means something else", "  - {path: cbc:A, term: vatPointDateCode, codes: {5: 3}}", model.Invoice{VatPointDateCode: text("5")},
			"", []string{"lost BT-8 5"},
		},
		{
			"a code of the syntax", "  - {path: cbc:A, term: vatPointDateCode, codes: {5: 3}}", model.Invoice{VatPointDateCode: text("ubl:3")},
			"<cbc:A>3</cbc:A>", nil,
		},
		{
			"a text that would be read as a code",
			"  - {path: cbc:Note, list: notes, rows: [{path: ., term: notes.text, prefix: {term: notes.subjectCode, mark: \"#\", length: 3}}]}",
			model.Invoice{Notes: []model.Note{{Text: text("#AAI#x")}, {Text: text("y"), SubjectCode: text("LONG")}}},
			"<cbc:Note>#AAI#x</cbc:Note><cbc:Note>y</cbc:Note>", []string{"lost BT-21 LONG", "changed BT-22 #AAI#x"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := smallFormat(t, c.rows).Write(t.Context(), &c.invoice, "ubl:Invoice", false)
			if err != nil {
				t.Fatal(err)
			}
			got := body(w.Data)
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			var losses []string
			for _, l := range w.Losses {
				losses = append(losses, strings.TrimSpace(string(l.Kind)+" "+l.Field.BT+" "+l.Value))
				if l.Reason == "" {
					t.Errorf("%+v has no reason", l)
				}
			}
			if strings.Join(losses, "; ") != strings.Join(c.losses, "; ") {
				t.Errorf("losses %q, want %q", losses, c.losses)
			}
		})
	}
}

func TestNotXML(t *testing.T) {
	f := smallFormat(t, "  - {path: cbc:Note, list: notes, rows: [{path: ., term: notes.text}]}")
	for _, bad := range []string{"\x00", "a\x0bb", "\ufffe", "a\xffb"} {
		_, err := f.Write(t.Context(), &model.Invoice{Notes: []model.Note{{Text: model.NewText("fine")}, {Text: model.NewText(bad)}}}, "ubl:Invoice", false)
		e, ok := errors.AsType[*binding.NotXML](err)
		if !ok || e.Field != "notes[1].text" {
			t.Errorf("%q: got %v", bad, err)
		}
	}
	if _, err := f.Write(t.Context(), &model.Invoice{}, "ubl:Order", false); err == nil {
		t.Error("an unknown root element is written")
	}
}
