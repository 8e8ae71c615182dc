package parse_test

import (
	"slices"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
)

// A document is accepted where every value that money depends on is there and sure enough, for
// each of them; the review and the decision begin with the most money.
func TestDecide(t *testing.T) {
	needed := []string{
		"/totals/amountDueForPayment", "/totals/totalAmountWithVat", "/currencyCode", "/totals/taxTotalAmount", "/totals/totalAmountWithoutVat",
		"/number", "/seller/name", "/issueDate", "/buyer/name",
	}
	made := func() *parse.Result {
		r := &parse.Result{Kind: parse.Kind{Name: "invoice", Confidence: 0.99}, Invoice: &model.Invoice{}, Fields: map[string]*parse.Field{}}
		for _, pointer := range needed {
			r.Fields[pointer] = &parse.Field{Confidence: 0.97}
		}
		return r
	}
	if d := made().Decide(0.95); !d.Accept || len(d.Fields) != 0 {
		t.Errorf("what is sure is not accepted: %+v", d)
	}
	if d := made().Decide(0.98); d.Accept || !slices.Equal(d.Fields, needed) {
		t.Errorf("what is less sure than asked for: %+v", d)
	}
	for _, pointer := range needed {
		r := made()
		r.Fields[pointer].Confidence = 0.94
		if d := r.Decide(0.95); d.Accept || !slices.Equal(d.Fields, []string{pointer}) {
			t.Errorf("%s is not sure: %+v", pointer, d)
		}
		delete(r.Fields, pointer)
		if d := r.Decide(0.95); d.Accept || !slices.Equal(d.Fields, []string{pointer}) {
			t.Errorf("%s is missing: %+v", pointer, d)
		}
	}
	r := made()
	r.Invoice.Lines = make([]model.Line, 2)
	r.Fields["/lines/0/netAmount"] = &parse.Field{Confidence: 0.99}
	if d := r.Decide(0.95); !slices.Equal(d.Fields, []string{"/lines/1/netAmount"}) {
		t.Errorf("a line without an amount: %+v", d)
	}
	r = made()
	r.Review = []parse.Review{{Message: "text that nobody sees", Weight: 0.95}}
	if d := r.Decide(0.95); d.Accept {
		t.Error("hidden text is accepted")
	}
	r = made()
	r.Kind.Confidence = 0.6
	if d := r.Decide(0.95); d.Accept || !slices.Equal(d.Fields, []string{"/typeCode"}) {
		t.Errorf("what may be no invoice is accepted: %+v", d)
	}
	r = made()
	r.CodeContradictions = []parse.CodeContradiction{{}}
	if d := r.Decide(0.95); d.Accept {
		t.Error("a code that contradicts is accepted")
	}
}
