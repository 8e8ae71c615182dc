package parse_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model/problem"
)

// Documents that mention amounts, numbers or invoices, and are none.
func TestOtherDocuments(t *testing.T) {
	const rows = "\n\nArticle\tQty\tPrice\tAmount\nBolts\t10\t2.50\t25.00\nGlue\t2\t12.00\t24.00\n\n\tTotal\t49.00"
	for name, page := range map[string]string{
		"an order in English":     "Purchase order\nOrder number: 4711\nDate: 20/11/2026" + rows,
		"an order in German":      "Bestellung Nr. 4711\nDatum: 20.11.2026\nBitte senden Sie die Rechnung an die Buchhaltung." + rows,
		"an order in French":      "Bon de commande\nCommande: 4711\nDate : 20/11/2026" + rows,
		"an order confirmation":   "Auftragsbestätigung\nAuftrag: 4711\nDatum: 20.11.2026" + rows,
		"a quotation in Spanish":  "Presupuesto\nFecha: 20/11/2026" + rows,
		"a delivery note":         "Delivery note\nNumber: L-17\nYour order: 4711\nBolts 10 pieces, glue 2 pieces, complete",
		"a reminder":              "Mahnung\nRechnung Nr. INV-17 vom 20.11.2026\nOffener Betrag 49,00 EUR\nBitte zahlen Sie bis 30.11.2026",
		"a letter":                "Dear Ms Lindner,\nthank you for your call of 20/11/2026. We have looked into the matter\nand will refund 49.00 EUR within a week.\nKind regards\nHarbour Tools Ltd",
		"a letter on an invoice":  "Sehr geehrte Frau Lindner,\nvielen Dank für Ihr Schreiben. Die Rechnung haben wir erhalten und\nprüfen sie. Wir melden uns in der nächsten Woche bei Ihnen.\nMit freundlichen Grüßen",
		"a statement of account":  "Kontoauszug\nKonto DE02120300000000202051\n20.11.2026\tMiete\t-800,00\n21.11.2026\tGehalt\t2.400,00",
		"a pro forma invoice":     "Proforma\nNumber: P-17\nDate: 20/11/2026" + rows,
		"terms and conditions":    "General terms\nAll prices are in EUR. Invoices are due within 30 days.\nWe deliver within two weeks of the order.",
		"a Dutch offer":           "Offerte\nDatum: 20-11-2026" + rows,
		"a Polish order":          "Zamówienie nr 4711\nData: 20.11.2026" + rows,
		"an Italian order":        "Ordine di acquisto\nData: 20/11/2026" + rows,
		"a reminder in English":   "Payment reminder\nInvoice INV-17 of 20/11/2026 is open.\nPlease pay 49.00 EUR.",
		"a packing list":          "Packing list\nNumber: L-17\nBolts 10 pieces in one box, glue 2 pieces in another",
		"a second reminder":       "2. Mahnung\nRechnungsnummer: INV-17\nRechnungsdatum: 20.11.2026" + rows,
		"the last reminder":       "Letzte Mahnung vor Klage\nRechnung Nr. INV-17 vom 20.11.2026" + rows,
		"a reminder in French":    "Hafen Papier\nQuai 4\n75001 Paris\nRelance 2\nFacture INV-17 du 20/11/2026" + rows,
		"a list of prices":        "Restaurant Kai\nSoup 4.50\nBread 2.00\nFish of the day 17.50\nBeer 4.00\nTotal enjoyment 9.00",
		"a letter of dispute":     "Dear Sir or Madam,\nwe dispute your invoice INV-17 of 20/11/2026\nover 49.00 EUR. Invoice number: INV-17\nTotal 49.00",
		"a dunning letter, again": "Zahlungserinnerung\nzur Rechnung INV-17\nOffen sind 49,00 EUR\nBitte zahlen Sie bald",
	} {
		_, err := parse.PDF(t.Context(), printed(nil, strings.NewReplacer("ä", "\\344", "ü", "\\374", "ß", "\\337", "ó", "o").Replace(page)), parse.Limits{})
		if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != parse.CodeNotInvoice || e.Remedy == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Pages of several invoices are told apart from those of one.
func TestSeveralInvoices(t *testing.T) {
	page := func(number string) string { return fmt.Sprintf(bill, number, "58.31") }
	german := func(number string) string {
		return "Rechnung\nRechnungsnummer: " + number + "\nRechnungsdatum: 20.11.2026\nNetto\t49,00\nUSt 19 %\t9,31\nGesamtbetrag\t58,31"
	}
	const annex = "Annex\nTerms of delivery and further words that nobody has to read here"
	for name, c := range map[string]struct {
		pages []string
		says  string // empty where it is one invoice
	}{
		"two":                            {[]string{page("INV-17"), page("INV-18")}, "page 1, 2"},
		"two with an annex each":         {[]string{page("INV-17"), annex, page("INV-18"), annex}, "1-2, 3-4"},
		"three in German":                {[]string{german("R-1"), german("R-2"), german("R-3")}, "page 1, 2, 3"},
		"an invoice and a credit note":   {[]string{page("INV-17"), strings.Replace(page("CN-4"), "Invoice\n", "Credit note\n", 1)}, "page 1, 2"},
		"one with an annex":              {[]string{page("INV-17"), annex}, ""},
		"one that repeats its head":      {[]string{page("INV-17"), "Invoice\nInvoice number: INV-17\nPage 2 of 2\nThank you for your order and see you soon"}, ""},
		"one that names an earlier one":  {[]string{page("INV-17"), "Annex\nSee also invoice INV-12 of 01/10/2026 and its terms of delivery"}, ""},
		"one whose copy is the 2nd page": {[]string{page("INV-17"), page("INV-17")}, ""},
	} {
		_, err := parse.PDF(t.Context(), printed(nil, c.pages...), parse.Limits{})
		e, refused := errors.AsType[*problem.Error](err)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: got %v", name, err)
		case c.says != "" && (!refused || e.Code != parse.CodeSeveralInvoices || !strings.Contains(e.Message, c.says)):
			t.Errorf("%s: got %v", name, err)
		}
	}
}
