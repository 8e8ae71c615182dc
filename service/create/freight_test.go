package create_test

import "testing"

// Freight needs no rate in any category that no VAT is charged in, O among them.
func TestFreightNeedsNoRate(t *testing.T) {
	for _, category := range []string{"Z", "AE", "G", "O"} {
		vat := map[string]any{"categoryCode": category}
		change := map[string]any{
			"options.profile":                 "extended",
			"invoice.lines":                   []map[string]any{{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": 50}, "vat": vat, "item": map[string]any{"name": "x"}}},
			"invoice.logisticsServiceCharges": []map[string]any{{"description": "Freight", "amount": 15, "vat": vat}},
			"invoice.buyer.vatIdentifier":     "FR14987654324",
		}
		if category == "O" { // BR-O-02 and BR-O-05
			delete(change, "invoice.buyer.vatIdentifier")
			change["invoice.seller.vatIdentifier"] = nil
			change["invoice.seller.legalRegistration.identifier"] = "HRB 1"
		}
		made, err := makeOne(t, "facturx", change)
		if err != nil {
			t.Errorf("%s: %v", category, err)
			continue
		}
		if n := len(made.Invoice.VatBreakdowns); n != 1 {
			t.Errorf("%s: %d entries of the breakdown", category, n)
		}
	}
}
