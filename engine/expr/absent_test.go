package expr_test

import (
	"slices"
	"testing"

	"einvoice/engine/expr"
	"einvoice/model"
)

func TestUnasked(t *testing.T) {
	this := expr.Group(model.InvoiceType())
	for text, want := range map[string][]string{
		// needed
		`this.paymentDueDate >= this.issueDate`:                                         {"this.paymentDueDate"},
		`this.buyerReference.startsWith("A")`:                                           {"this.buyerReference"},
		`!(this.buyerReference == "A")`:                                                 {"this.buyerReference"},
		`is(this.typeCode, "380") || this.buyerReference == "A"`:                        {"this.buyerReference"},
		`has(this.buyerReference) || this.buyerReference == "A"`:                        {"this.buyerReference"},
		`this.buyerReference == this.purchaseOrderReference`:                            {"this.buyerReference", "this.purchaseOrderReference"},
		`this.lines.all(l, l.note == "A")`:                                              {"l.note"},
		`this.lines.exists(l, l.note == "A")`:                                           {"l.note"},
		`this.lines.map(l, l.note).isDistinct()`:                                        {"l.note"},
		`this.lines.filter(l, has(l.purchaseOrderLineReference)).all(l, l.note == "A")`: {"l.note"},
		`this.delivery.address.countryCode == "DE"`:                                     {"this.delivery.address"},
		`has(this.delivery) ? this.delivery.actualDeliveryDate > this.issueDate : true`: {"this.delivery.actualDeliveryDate"},
		`[this.buyerReference].all(r, r != "")`:                                         {"this.buyerReference"},
		`raw(this.paymentDueDate) != ""`:                                                {"this.paymentDueDate"},
		`orElse(this.buyerReference, this.purchaseOrderReference) != ""`:                {"this.purchaseOrderReference"},
		// asked, in whichever order
		`!has(this.paymentDueDate) || this.paymentDueDate >= this.issueDate`:       nil,
		`this.paymentDueDate >= this.issueDate || !valid(this.paymentDueDate)`:     nil,
		`filled(this.buyerReference) && this.buyerReference.startsWith("A")`:       nil,
		`has(this.buyerReference) ? this.buyerReference == "A" : false`:            nil,
		`is(this.buyerReference, "A") || filled(this.purchaseOrderReference)`:      nil,
		`orElse(this.buyerReference, "none") == "A"`:                               nil,
		`this.lines.all(l, !has(l.note) || l.note == "A")`:                         nil,
		`this.lines.filter(l, has(l.note)).map(l, l.note).isDistinct()`:            nil,
		`!has(this.delivery.address) || this.delivery.address.countryCode == "DE"`: nil,
		`this.lines.size() > 0`: nil,
		// not allowed to be absent
		`this.number != "" && this.issueDate <= this.issueDate`: nil,
	} {
		unasked, err := expr.Unasked(text, this)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, a := range unasked {
			got = append(got, a.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
