package parse_test

import (
	"strings"
	"testing"

	"einvoice/formats/parse"
)

// Ways of writing that pages of other programs had: a label with a colon of its own behind
// a blank, a sender's line without a name, and a row of the VAT breakdown with nothing in it.
func TestWaysOfWriting(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want map[string]string // none of an empty value
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
		"dollars, dates of lines and a state": {
			"INVOICE\nInvoice: INV-100\nInvoice date: 11/15/2026\n\nHarbor Supply Inc\n4557 De Silva St\nFremont CA 94538\n\nBill to:\nNorth Mill\n12 Elm St\nScranton, PA, 18503\n\n" +
				"Date\tItem code\tDescription\tQty\tPrice\tTaxes\tAmount\n3/4/2026\tA123\tConsulting\t2\t$ 30.00\t10%\t$ 60.00\n3/5/2026\tB456\tPrinting\t4\t$ 10.00\t10%\t$ 40.00\n\n" +
				"\tSubtotal\t$ 100.00\n\tSales tax\t$ 10.00\n\tTotal\t$ 110.00",
			map[string]string{"/currencyCode": "USD", "/totals/totalAmountWithVat": "110.00", "/lines/0/netAmount": "60.00", "/lines/0/item/name": "Consulting", "/lines/0/item/sellerIdentifier": "A123",
				"/lines/1/vat/rate": "10", "/seller/postalAddress/city": "Fremont", "/seller/postalAddress/line1": "4557 De Silva St", "/buyer/postalAddress/city": "Scranton"},
		},
		"a number at its sign, and columns of net, VAT and gross": {
			"Service Abonnés Loire\n44000 Nantes\n\n\n\t\tMairie de Clisson\n\t\t3 Grande Rue\n\t\t44190 Clisson\n\n\nFacture n°562044387 du 2 juillet 2026\n\n" +
				"\tMontant EUR HT\tMontant TVA\tMontant EUR TTC\nAbonnements\t24,99\t5,00\t29,99\nCommunications\t0,00\t0,00\t0,00\nTotal facture\t24,99\t5,00\t29,99\nTVA 20 % sur les encaissements",
			map[string]string{"/number": "562044387", "/issueDate": "2026-07-02", "/totals/totalAmountWithoutVat": "24.99", "/totals/taxTotalAmount": "5.00", "/totals/totalAmountWithVat": "29.99"},
		},
		"one total, no VAT, and a number in groups": {
			"Rechnung\nRechnungsnummer: R-8\nRechnungsdatum: 21.11.2026\nSteuer-Nr. 044 241 601 03\n\nPos.\tMenge\tBeschreibung\tEinzelpreis\tBetrag\n1\t2\tBeratung 2026\t40,00\t80,00\n2\t1\tAnfahrt\t15,50\t15,50\n\n\tTotal EUR\t95,50",
			map[string]string{"/totals/totalAmountWithoutVat": "95.50", "/totals/taxTotalAmount": "0.00", "/totals/totalAmountWithVat": "95.50", "/seller/taxRegistrationIdentifier": "044 241 601 03", "/lines/0/item/name": "Beratung 2026"},
		},
		"amounts with VAT, and digits in names": {
			"Factuur\nFactuurnummer: 9935\nFactuurdatum: 21-11-2026\n\nArtikel\tAantal\tPrijs per stuk\tBTW\tPrijs incl. BTW\nTablet 16 GB zilver\t1\t€ 399,00\t21%\t€ 399,00\nHoes 2 zwart\t1\t€ 69,99\t21%\t€ 69,99\n\n" +
				"Exclusief BTW\t€ 387,60\nBTW 21%\t€ 81,39\nTotaal\t€ 468,99",
			map[string]string{"/totals/totalAmountWithoutVat": "387.60", "/totals/totalAmountWithVat": "468.99", "/lines/0/item/name": "Tablet 16 GB zilver", "/lines/1/item/name": "Hoes 2 zwart", "/lines/0/vat/rate": "21"},
		},
		"numbers and names of items, and money under no head": {
			"Factuur\nFactuurnummer: 9936\nFactuurdatum: 21-11-2026\n\nArtikel\tOmschrijving\tAantal\tPrijs\tBedrag\nE103184\tOnderhoudsset klein\t2\t10,00\t20,00\nE103560\tFilter\t1\t5,00\t5,00\n\n" +
				"Totaal excl. BTW\t25,00\nBTW 21%\t5,25\nTotaal incl. BTW\t30,25",
			map[string]string{"/lines/0/item/name": "Onderhoudsset klein", "/lines/0/item/sellerIdentifier": "E103184", "/lines/1/item/name": "Filter"},
		},
		"a footer between the parts of a table": {
			"Rechnung\nRechnungsnummer: R-9\nRechnungsdatum: 21.11.2026\n\nPos.\tMenge\tBeschreibung\tEinzelpreis\tBetrag\n1\t2\tBeratung\t40,00\t80,00\n\t\tEin Tag in Hamburg\nMaier AG\tVorstand: Erna Maier\tBankverbindung\nUferweg 4\tHandelsregister\tKreissparkasse" +
				"\f" + "Rechnung R-9\n\n\n\nPos.\tMenge\tBeschreibung\tEinzelpreis\tBetrag\n2\t1\tAnfahrt\t15,50\t15,50\n\tTotal EUR\t95,50\nMaier AG\tVorstand: Erna Maier\tBankverbindung\nUferweg 4\tHandelsregister\tKreissparkasse",
			map[string]string{"/lines/0/item/name": "Beratung", "/lines/0/item/description": "Ein Tag in Hamburg", "/lines/1/item/name": "Anfahrt"},
		},
		"a value at the left below a head in the middle": {
			"INVOICE\nInvoice: INV-101\nInvoice date: 11/15/2026\n\nSalesperson\t     P.O. Number\tShipped via\n\tPO-3333\n\nDescription\tQty\tPrice\tAmount\nConsulting\t2\t30.00\t60.00\n\n\tTotal\t60.00",
			map[string]string{"/purchaseOrderReference": "PO-3333"},
		},
		"signs and currencies in a head, and words for units": {
			"Rechnung Nr. 1001\nDatum: 20.11.2026\n\nProdukt\tMenge Einheit\tEinzel ( € )\tGesamt ( € )\nInstandsetzung\t4,00 Plätze\t535,00\t2140,00\nNachlieferung\t\t60,00\t60,00\n\n" +
				"\t\tSumme netto:\t2200,00\n\t\tMwSt 19%:\t418,00\n\t\tGesamtbetrag:\t2618,00",
			map[string]string{"/lines/0/item/name": "Instandsetzung", "/lines/0/netAmount": "2140.00", "/lines/1/netAmount": "60.00", "/totals/sumOfLineNetAmounts": "2200.00"},
		},
		"a reference, and items with names": {
			"INVOICE\nReference: MG202600\nDue date: 20/08/2026\n\nItem\tDescription\tUnit price\tQuantity\tTotal\nCoffee\tone cup each hour\t2.00\t24\t48.00\nSoda\t\t2.00\t3\t6.00\n\nSubtotal without tax\t54.00\nTax 10%\t5.40\nAmount due\t59.40",
			map[string]string{"/number": "MG202600", "/lines/0/item/name": "Coffee", "/lines/0/item/description": "one cup each hour", "/lines/1/item/name": "Soda"},
		},
		"amounts below each other behind their labels": {
			"Facture F1 du 26/05/2026\n\nMontant total HT : 564,98 €\nTotal taxes : 112,99 €\nTotal TTC : 677,97 €\nAcompte : 0,00 €\nNet à payer : 677,97 €",
			map[string]string{"/totals/amountDueForPayment": "677.97", "/totals/totalAmountWithVat": "677.97", "/totals/totalAmountWithoutVat": "564.98"},
		},
		"one amount for everything, and a number at its sign": {
			"Faktura - danový doklad c. FV5040\nDatum vystavení: 05.09.2026\n\nZuzüglich der Mehrwertsteuer ergibt sich eine Brutto Endsumme von 1.428,60 EUR",
			map[string]string{"/totals/totalAmountWithVat": "1428.60", "/totals/totalAmountWithoutVat": "", "/totals/taxTotalAmount": ""},
		},
		"an address in one row, and the number of a customer behind a label": {
			"Rechnung\nSteinmann Vertriebs GmbH\nUSt-IdNr.: DE123456789\n\nRechnungsnummer: UA2004\nRechnungsdatum: 03.02.2026\n\nRechnung an:\nMario Rossi\nVia Verdi 456, 20900 Monza\n\nVersand an 919406\nErna Klein\nMarkt 4\n45134 Essen\n\n\tGesamt netto\t100,00\n\tMwSt 19 %\t19,00\n\tGesamtbetrag\t119,00",
			map[string]string{"/seller/name": "Steinmann Vertriebs GmbH", "/buyer/postalAddress/city": "Monza", "/buyer/postalAddress/line1": "Via Verdi 456", "/delivery/partyName": "Erna Klein"},
		},
	} {
		r, err := parse.File(t.Context(), printed(nil, strings.Split(c.page, "\f")...), parse.Limits{}, parse.Aids{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for pointer, want := range c.want {
			got := r.Fields[pointer]
			if want == "" && got == nil {
				continue
			}
			if got == nil || got.Value != want {
				t.Errorf("%s: %s is %+v, want %s", name, pointer, got, want)
			}
		}
	}
}
