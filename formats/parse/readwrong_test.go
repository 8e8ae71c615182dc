package parse_test

import (
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
)

// What a person who did not know the rules wrote, and what was read wrong for sure: values that are right now,
// or no longer sure where nothing says which is right.
func TestReadWrongBefore(t *testing.T) {
	letterhead := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt", "Marktgasse 2", "04109 Leipzig", ""}
	for name, c := range map[string]struct {
		rows []string
		want map[string]string // by the end of the pointer; "" is none, "~" before a value is not sure
	}{
		"instalments and the rest, whatever they are called": {
			append(letterhead, "Rechnung Nr. 17", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "von Ihnen entrichtet\t-70,00", "jetzt noch\t49,00"),
			map[string]string{"amountDueForPayment": "49.00", "paidAmount": "70.00"}},
		"something is taken from the total, and no rest is printed": {
			append(letterhead, "Rechnung Nr. 17", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "laut Absprache\t-70,00"),
			map[string]string{"amountDueForPayment": "~"}},
		"a refund is not a payment": {
			append(letterhead, "Creditfactuur 17", "Datum 20-11-2026", "Subtotaal\t100,00", "Btw 21 %\t21,00", "Te ontvangen\t€ 121,00"),
			map[string]string{"amountDueForPayment": "121.00"}},
		"a number in groups": {
			append(letterhead, "Rechnungsnummer 402 202 877", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"),
			map[string]string{"/number": "402 202 877"}},
		"the number of a credited invoice": {
			append(letterhead, "NOTA DI CREDITO", "Numero NC/24/0077", "Conguaglio fattura 1402/24", "Imponibile\t100,00", "IVA 22 %\t22,00", "Totale\t122,00"),
			map[string]string{"/number": "NC/24/0077"}},
		"a line and its VAT are not the total": {
			append(letterhead, "Factuur 17", "Bar\t17,80", "Totaal\t467,90", "Btw 9%: 35,63 over 395,87\tBtw 21%: 3,09 over 14,71"),
			map[string]string{"totalAmountWithVat": "~", "totalAmountWithoutVat": "~"}},
		"a tax that is withheld was not paid": {
			append(letterhead, "Fattura n. 17", "Data 20/11/2026", "Imponibile\t100,00", "IVA 22 %\t22,00", "Totale fattura\t122,00", "Ritenuta d'acconto 20 %\t– € 20,00", "Netto a pagare\t102,00"),
			map[string]string{"paidAmount": "", "amountDueForPayment": "102.00"}},
		"a deposit and a card leave nothing": {
			append(letterhead, "Factura 17", "Fecha 20/11/2026", "Base\t100,00", "IVA 21 %\t21,00", "Total factura\t121,00", "Anticipo\t50,00", "Tarjeta\t71,00", "Pendiente\t0,00"),
			map[string]string{"amountDueForPayment": "~"}},
		"a payment below what a label calls due": {
			append(letterhead, "Gutschrift Nr. 17", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gutschriftsbetrag\t119,00", "Vorschuss im Oktober\t19,00", "Auszahlung\t100,00"),
			map[string]string{"amountDueForPayment": "~"}},
		"a VAT of 0 beside others": {
			append(letterhead, "Creditnota", "Nr. 17", "Datum 20/11/2026", "|>430 Maatstaf\tBtw", "0 %|>430 77,20\t0,00", "6 %|>430 170,00\t10,20", "21 %|>430 15,00\t3,15", "Totaal|>430 262,20\t13,35", "In uw voordeel EUR\t275,55"),
			map[string]string{"totalAmountWithVat": "~", "taxTotalAmount": "~"}},
		"a kind of document of FatturaPA": {
			append(letterhead, "Fattura differita TD24", "Numero: FD/17", "Data: 20/11/2026", "Imponibile\t100,00", "IVA 22 %\t22,00", "Totale\t122,00"),
			map[string]string{"/number": "FD/17"}},
		"a day is no number": {
			append(letterhead, "Creditnota", "06/11/2026", "Subtotaal\t100,00", "Btw 21 %\t21,00", "Totaal\t121,00"),
			map[string]string{"/number": ""}},
		"the invoice that a credit note is about": {
			append(letterhead, "CREDITNOTA", "Nr. CN2604", "Datum 20-11-2026", "Ref. factuur 2619338 van 05-10-2026", "Subtotaal\t100,00", "Btw 21 %\t21,00", "Totaal\t121,00"),
			map[string]string{"/number": "CN2604", "issueDate": "2026-11-20"}},
		"the day of the invoice that was paid before": {
			append(letterhead, "Rechnungsnummer NK 2611 0048", "Rechnungsdatum", "24.11.2026", "Ihre letzte Rechnung NK 2610 0047 vom 23.10.2026 wurde beglichen.", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"),
			map[string]string{"/number": "NK 2611 0048", "issueDate": "2026-11-24"}},
		"the day of the credited invoice": {
			append(letterhead, "Credit note", "Document no. CN 30551", "Date: 19/10/2026", "Original invoice SI 218840", "Invoice date: 07/10/2026", "Net\t100.00", "VAT 20 %\t20.00", "Total\t120.00"),
			map[string]string{"issueDate": "2026-10-19"}},
		"another day than that of the invoice": {
			append(letterhead, "Faktura nr 17", "Data zakończenia usługi: 20.11.2026", "Lipno, dnia 24.11.2026", "Netto\t100,00", "VAT 23 %\t23,00", "Brutto\t123,00"),
			map[string]string{"issueDate": "2026-11-24"}},
		"a month of Finland": {
			append(letterhead, "Lasku 17", "Päivämäärä 8 mar 2025", "Yhteensä\t100,00"),
			map[string]string{"issueDate": "2025-11-08"}},
		"the same letters elsewhere": {
			append(letterhead, "Facture 17", "Date 8 mar 2025", "Total TTC\t100,00"),
			map[string]string{"issueDate": "2025-03-08"}},
		"the day of the next invoice": {
			append(letterhead, "Facture n° 17", "Date 20/11/2026", "Prochaine échéance : 01/12/2026", "Total HT\t100,00", "TVA 20 %\t20,00", "Total TTC\t120,00"),
			map[string]string{"paymentDueDate": ""}},
		"lone colons below each other": {
			append(letterhead, "Factuur 17", "Factuurdatum : 20-11-2026", "Vervaldatum : 20-12-2026", "Subtotaal\t100,00", "Btw 21 %\t21,00", "Totaal\t121,00"),
			map[string]string{"issueDate": "2026-11-20", "paymentDueDate": "2026-12-20"}},
		"VAT identifiers of both in one sentence": {
			[]string{"Wiep Zijlstra", "vertaling Fries en Duits", "Gracht 61", "9712 GG Groningen", "wiep@zijlstra-vertaalt.example", "", "", "Uitgeverij De Vlas bv", "t.a.v. mevrouw An Peeters", "Steenweg 412", "9000 Gent", "België", "",
				"Groningen, 22 september 2026", "Factuur 2026-31", "Vertaling 1 uur\t1.966,50", "Dat maakt in totaal € 1.966,50. Er komt geen btw bij: de btw is verlegd naar de afnemer.",
				"Jullie btw-nummer is BE 0458.391.217, het mijne NL004261793B64.", "Wil je dat bedrag overmaken op mijn rekening NL84 TRIO 0338 2155 07?"},
			map[string]string{"seller/vatIdentifier": "~"}},
		"who issues a self-billed invoice": {
			append(letterhead, "Gutschrift Nr. 17", "Datum 20.11.2026", "Abrechnung im Gutschriftsverfahren", "USt-IdNr. DE244971630", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"),
			map[string]string{"seller/vatIdentifier": "~", "seller/name": "~", "buyer/name": "~"}},
		"the account of whoever gets money back": {
			append(letterhead, "Faktura korygująca nr 17", "Data 20.11.2026", "Netto\t-100,00", "VAT 23 %\t-23,00", "Razem\t-123,00", "Zwrot na rachunek nabywcy 62 1090 1362 2000 0001 4738 2910"),
			map[string]string{"accountIdentifier": ""}},
		"an account without its country, behind the bank": {
			append(letterhead, "Faktura nr 17", "Data 20.11.2026", "Netto\t100,00", "VAT 23 %\t23,00", "Razem\t123,00", "Rachunek: Bank Lipno 61 1090 1014 0000 0712 1981 2874"),
			map[string]string{"accountIdentifier": "PL61109010140000071219812874"}},
	} {
		r := readRows(t, c.rows...)
		for end, want := range c.want {
			value, isSure := "", false
			for pointer, f := range r.Fields {
				if strings.HasSuffix(pointer, end) && !strings.Contains(pointer, "/lines/") {
					value, isSure = f.Value, f.Confidence >= 0.95
				}
			}
			if want == "~" && isSure || want != "~" && value != want {
				t.Errorf("%s: %s is %q, sure %t, want %q", name, end, value, isSure, want)
			}
		}
	}
}

// A name is sure where it is whole: what goes on in the row below or above it, or beside it elsewhere, may be a part of
// it. The registered name of the imprint is the seller's (BT-27), also where a shop heads the page.
func TestWholeNames(t *testing.T) {
	const (
		invoice = "Rechnung Nr. 17|>545 Datum 20.11.2026"
		paid    = "Gesamtbetrag|>545 119,00"
	)
	for name, c := range map[string]struct {
		head   []string // above the title, "+" before what stands apart
		foot   string
		seller string // "~" before what need not be read, and must not be sure
		buyer  string
	}{
		"a buyer in two rows": {
			[]string{"50@16 Hafen Papier GmbH", "50@8 Hafen Papier GmbH · Kai 4 · 20095 Hamburg", "+50 Zahnarztpraxis", "50 Dr. Mia Osterkamp", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Hafen Papier GmbH · HRB 71842 · USt-IdNr. DE812649307", "Hafen Papier GmbH", "~Zahnarztpraxis"},
		"a buyer below another name": {
			[]string{"50@16 Hafen Papier GmbH", "50@8 Hafen Papier GmbH · Kai 4 · 20095 Hamburg", "+50 WEG Lindenhof 3-9", "50 vertr. d. Hausverwaltung Kirchherr KG", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Hafen Papier GmbH · HRB 71842 · USt-IdNr. DE812649307", "Hafen Papier GmbH", "~"},
		"a shop and its company": {
			[]string{"200@16 Hotel Seestern", "200 Kai 4, 20095 Hamburg", "200 Tel. 040 3344556", "+50 Blumen Arndt GmbH", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Nordkai Betriebs GmbH · HRB 71842 · USt-IdNr. DE812649307", "Nordkai Betriebs GmbH", "~Blumen Arndt GmbH"},
		"a shop within the name of its company": {
			[]string{"200@16 Planiflow", "200 Kai 4, 20095 Hamburg", "200 Tel. 040 3344556", "+50 Blumen Arndt GmbH", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Planiflow GmbH · HRB 71842 · USt-IdNr. DE812649307", "Planiflow GmbH", "~Blumen Arndt GmbH"},
		"whoever owns the shop": {
			[]string{"200@16 ZIMMEREI LECHNER", "200 Inh. Korbinian Lechner · Zimmerermeister", "200 Kai 4 · 20095 Hamburg · Tel. 040 3344556 · post@lechner-holz.example", "+50 Blumen Arndt GmbH", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Steuernummer 139/245/60817", "~", "~Blumen Arndt GmbH"},
		"a trader without a legal form": {
			[]string{"50@16 Mia Sandberg", "50 Kai 4, 20095 Hamburg", "50 mia@miasandberg.example", "+350 Blumen Arndt GmbH", "350 Marktgasse 2", "350 04109 Leipzig"},
			"50 Steuernummer 139/245/60817", "~Mia Sandberg", "~Blumen Arndt GmbH"},
		"letters set apart": {
			[]string{"50@16 H A F E N - P A P I E R", "50@8 Hafen-Papier GmbH · Kai 4 · 20095 Hamburg", "+50 Blumen Arndt GmbH", "50 Marktgasse 2", "50 04109 Leipzig"},
			"50 Hafen-Papier GmbH · HRB 71842 · USt-IdNr. DE812649307", "Hafen-Papier GmbH", "~Blumen Arndt GmbH"},
	} {
		rows := []string{}
		for i, row := range append(append([]string{}, c.head...), "50 "+invoice, "50 Netto|>545 100,00", "50 MwSt. 19 %|>545 19,00", "50 "+paid, c.foot) {
			row, isApart := strings.CutPrefix(row, "+")
			step := "14"
			switch {
			case i == 0:
				step = "=60"
			case isApart || i == len(c.head):
				step = "30"
			}
			rows = append(rows, step+"|"+row)
		}
		page, err := placed(rows)
		if err != nil {
			t.Fatal(err)
		}
		r, err := parse.Sheets(t.Context(), []text.Sheet{page}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for pointer, want := range map[string]string{"/seller/name": c.seller, "/buyer/name": c.buyer} {
			want, isUnsure := strings.CutPrefix(want, "~")
			f := r.Fields[pointer]
			if f == nil {
				f = &parse.Field{}
			}
			if isUnsure && f.Confidence >= 0.95 && f.Value != want || !isUnsure && f.Value != want {
				t.Errorf("%s: %s is %q at %.2f, want %q", name, pointer, f.Value, f.Confidence, want)
			}
		}
	}
}
