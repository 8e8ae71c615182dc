package parse_test

import (
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
)

// recognised reads a page whose words were recognised.
func recognised(t *testing.T, page string) *parse.Result {
	t.Helper()
	r, err := parse.File(t.Context(), whitePage(t, 620, 877), parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: page}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantFields(t *testing.T, r *parse.Result, want map[string]string) {
	t.Helper()
	for pointer, value := range want {
		got := ""
		if f := r.Fields[pointer]; f != nil {
			got = f.Value
		}
		if got != value {
			t.Errorf("%s is %q, want %q", pointer, got, value)
		}
	}
}

const billHead = "Invoice\nInvoice number: INV-17\nInvoice date: 20/11/2026\n\nDescription\tQty\tUnit price\tAmount\n"

// A number of a line that was not recognised follows from the others, and one that was
// recognised wrong is set right, where that closes the line in one way.
func TestRepairedLines(t *testing.T) {
	const totals = "\nNet total\t\t\t66.00\nVAT 19 %\t\t\t12.54\nTotal\t\t\t78.54"
	r := recognised(t, billHead+"Steel bolts\t \t2.50\t25.00\nBrass nuts\t4\t5.50\t22.00\nWashers\t2\t8.50\t13.00\n"+totals)
	wantFields(t, r, map[string]string{"/lines/0/invoicedQuantity": "10", "/lines/1/invoicedQuantity": "4", "/lines/2/invoicedQuantity": "2", "/lines/2/price/netPrice": "6.50"})
	if f := r.Fields["/lines/0/invoicedQuantity"]; f == nil || f.Source != parse.SourceComputed {
		t.Errorf("the quantity that was not recognised is %+v", f)
	}
	if f := r.Fields["/lines/2/price/netPrice"]; f != nil && (len(f.Alternatives) != 1 || f.Alternatives[0].Value != "8.50") {
		t.Errorf("the price is %+v", f)
	}
}

// What is printed as text stays, and what closes in no way or in several.
func TestUnrepairedLines(t *testing.T) {
	const totals = "\nNet total\t\t\t25.00\nVAT 19 %\t\t\t4.75\nTotal\t\t\t29.75"
	printedPage, err := parse.PDF(t.Context(), printed(nil, billHead+"Steel bolts\t \t2.50\t25.00\n"+totals), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantFields(t, printedPage, map[string]string{"/lines/0/invoicedQuantity": "", "/lines/0/netAmount": "25.00"})
	wantFields(t, recognised(t, billHead+"Steel bolts\t \t7.00\t25.00\n"+totals), map[string]string{"/lines/0/invoicedQuantity": ""})
	wantFields(t, recognised(t, billHead+"Steel bolts\t4\t2.50\t25.00\n"+totals), map[string]string{"/lines/0/invoicedQuantity": "4", "/lines/0/price/netPrice": "2.50"})
}

// A minus that was not recognised is one where the totals close with it alone.
func TestSigns(t *testing.T) {
	const page = "Credit note\nCredit note number: CN-17\nInvoice date: 20/11/2026\nNet total\t\t\t-100.00\nVAT 19 %\t\t\t19.00\nTotal\t\t\t-119.00"
	r := recognised(t, page)
	wantFields(t, r, map[string]string{"/totals/totalAmountWithoutVat": "-100.00", "/totals/taxTotalAmount": "-19.00", "/totals/totalAmountWithVat": "-119.00"})
	if f := r.Fields["/totals/taxTotalAmount"]; f == nil || f.Printed != "19.00" || len(f.Alternatives) != 1 || f.Confidence > 0.9 {
		t.Errorf("the VAT is %+v", f)
	}
	wantFields(t, recognised(t, strings.ReplaceAll(page, "\t19.00", "\t18.00")), map[string]string{"/totals/taxTotalAmount": "18.00"})
}

// What a word was read as another time is tried where the totals do not close.
func TestOtherReading(t *testing.T) {
	s := sheet("Invoice\nInvoice number: INV-17\nInvoice date: 20/11/2026\nNet total\t\t\t930.00\nVAT 20 %\t\t\t106.00\nTotal\t\t\t636.00")
	s.Recognised = true
	for i := range s.Words {
		if s.Words[i].Text == "930.00" {
			s.Words[i].Other = "530.00"
		}
	}
	r, err := parse.Sheets(t.Context(), []text.Sheet{s}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantFields(t, r, map[string]string{"/totals/totalAmountWithoutVat": "530.00"})
}

// A quantity may be set against its unit.
func TestQuantityWithUnit(t *testing.T) {
	r, err := parse.PDF(t.Context(), printed(nil, billHead+"Steel bolts\t10pcs\t2.50\t25.00\n\nNet total\t\t\t25.00\nVAT 19 %\t\t\t4.75\nTotal\t\t\t29.75"), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantFields(t, r, map[string]string{"/lines/0/invoicedQuantity": "10", "/lines/0/price/netPrice": "2.50"})
}

// The amount beside a label of several rows is set between them.
func TestLabelOfSeveralRows(t *testing.T) {
	s := sheet("Invoice\nInvoice number: INV-17\nInvoice date: 20/11/2026\nNet total\t\t\t100.00\n\nTotal\t\t\t119.00")
	at := func(text string, left, base float64) {
		word := s.Words[0]
		word.Text, word.Size = text, 10
		word.Box.Left, word.Box.Right, word.Box.Top, word.Box.Bottom = left, left+6*float64(len(text)), base-7.8, base+2.2
		s.Words = append(s.Words, word)
	}
	at("VAT", 60, 400)
	at("amount", 90, 400)
	at("19.00", 400, 405)
	at("in", 60, 410)
	at("EUR", 80, 410)
	r, err := parse.Sheets(t.Context(), []text.Sheet{s}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantFields(t, r, map[string]string{"/totals/taxTotalAmount": "19.00"})
	if f := r.Fields["/totals/taxTotalAmount"]; f == nil || f.Confidence < 0.9 {
		t.Errorf("the VAT is %+v", f)
	}
}

// The capital of a company is none of the totals.
func TestCapital(t *testing.T) {
	r, err := parse.PDF(t.Context(), printed(nil, "Moulin SARL au capital de 120 000,00 EUR\nFACTURE\nNuméro de facture : F-118\nDate : 21/11/2026\n\n\tTotal HT\t100,00\n\tTVA 20 %\t20,00\n\tTotal TTC\t120,00"), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantFields(t, r, map[string]string{"/totals/totalAmountWithoutVat": "100.00", "/totals/totalAmountWithVat": "120.00"})
}
