package parse_test

import (
	"testing"

	"einvoice/formats/parse"
)

// Ways of writing that pages of other programs had: a label with a colon of its own behind
// a blank, a sender's line without a name, and a row of the VAT breakdown with nothing in it.
func TestWaysOfWriting(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want map[string]string
	}{
		"a colon of its own": {
			"FACTURE\nNumero de facture : F-118\nDate : 21/11/2026\n" +
				"Menuiserie Gaillard SARL\tClient :\n12 rue des Forges\tMairie de Clisson\n44000 Nantes\t3 Grande Rue\n\t44190 Clisson\n\n" +
				"\tTotal HT\t100,00\n\tTVA 20 %\t20,00\n\tTotal TTC\t120,00",
			map[string]string{"/seller/name": "Menuiserie Gaillard SARL", "/buyer/name": "Mairie de Clisson", "/number": "F-118"},
		},
		"a street in the sender's line": {
			"De Wilde Installaties B.V.\nDijkstraat 9, 8011 AB Zwolle\n\n\nAan:\nBakkerij Smit\nMarkt 22\n8261 AB Kampen\n\n" +
				"Factuur\nFactuurnummer\t20260042\nFactuurdatum\t21-11-2026\n\nTotaal excl. BTW\t100,00\nBTW 21%\t21,00\nTotaal incl. BTW\t121,00",
			map[string]string{"/seller/name": "De Wilde Installaties B.V.", "/buyer/name": "Bakkerij Smit"},
		},
		"a group of VAT without an amount": {
			"Invoice\nInvoice number: INV-17\nInvoice date: 21/11/2026\n\nVAT rate\tNet\tVAT\n19%\t100.00\t19.00\n0%\t0.00\t0.00\n\n\tNet total\t100.00\n\tVAT total\t19.00\n\tTotal\t119.00",
			map[string]string{"/vatBreakdowns/0/rate": "19", "/vatBreakdowns/0/taxableAmount": "100.00", "/vatBreakdowns/1/rate": "0", "/vatBreakdowns/1/taxableAmount": "0.00", "/vatBreakdowns/1/taxAmount": "0.00"},
		},
		"a rate in brackets": {
			"Invoice\nInvoice number: INV-17\nInvoice date: 21/11/2026\n\n\tNet total\t100.00\n\tVAT (19 %):\t19.00\n\tTotal\t119.00",
			map[string]string{"/vatBreakdowns/0/rate": "19", "/vatBreakdowns/0/taxAmount": "19.00"},
		},
	} {
		r, err := parse.File(t.Context(), printed(nil, c.page), parse.Limits{}, parse.Aids{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for pointer, want := range c.want {
			if got := r.Fields[pointer]; got == nil || got.Value != want {
				t.Errorf("%s: %s is %+v, want %s", name, pointer, got, want)
			}
		}
	}
}
