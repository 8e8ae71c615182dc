package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// What is asked for and no printed payment leads to is never sure, whatever other total it equals,
// and the review says so: a payment is proved by an amount of its own, and not by the net total or
// the VAT.
func TestDueThatNothingProves(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	for range 40 {
		net := int64(100 + r.IntN(9000))
		rate := []int64{5, 10, 20, 25}[r.IntN(4)]
		vat := net * rate / 100
		if net*rate%100 != 0 {
			continue
		}
		for _, due := range []int64{net, vat, net / 3} {
			if due == 0 {
				continue
			}
			page := fmt.Sprintf("Invoice\nInvoice number: R-17\nInvoice date: 20/11/2026\nNet total\t%d.00\nVAT %d %%\t%d.00\nInvoice total\t%d.00\nAmount due\t%d.00", net, rate, vat, net+vat, due)
			got, err := parse.PDF(t.Context(), printed(nil, page), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f := got.Fields["/totals/amountDueForPayment"]
			told := slices.ContainsFunc(got.Review, func(x parse.Review) bool { return slices.Contains(x.Fields, "/totals/amountDueForPayment") })
			if f == nil || f.Value == fmt.Sprintf("%d.00", due) && f.Confidence > 0.5 || !told || got.Decide(0.5).Accept {
				t.Errorf("net %d, VAT %d, due %d: read %+v, told %v", net, vat, due, f, told)
			}
		}
	}
}

// The first day of a period is the day of nothing, whatever word is before it.
func TestPeriodIsNoDay(t *testing.T) {
	for _, period := range []string{"vom 01.10.2026 bis 31.10.2026", "01.10.2026 - 31.10.2026", "vom 01.10.2026 bis 31.10.2026,", "01.10.2026 bis zum 31.10.2026"} {
		for _, rows := range [][]string{
			{"Hafen Papier GmbH", "Rechnung 4711", "für unsere Leistungen " + period + " berechnen wir Ihnen", "Hamburg, 20. November 2026"},
			{"Hafen Papier GmbH", "Hamburg, den 20.11.2026", "Rechnung 4711", "Leistungen " + period},
		} {
			r := readRows(t, append(rows, "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")...)
			if f := r.Fields["/issueDate"]; f == nil || f.Value != "2026-11-20" {
				t.Errorf("%s: the day is %+v", strings.Join(rows, " / "), f)
			}
		}
	}
}

// A Polish tax number is a VAT identifier, with hyphens or without, where its check digit is right.
func TestPolishTaxNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 4))
	for range 60 {
		digits, sum := "", 0
		for _, weight := range []int{6, 5, 7, 2, 3, 4, 5, 6, 7} {
			d := 1 + r.IntN(9)
			digits, sum = digits+fmt.Sprint(d), sum+weight*d
		}
		if sum%11 == 10 {
			continue
		}
		right := digits + fmt.Sprint(sum%11)
		wrong := digits + fmt.Sprint((sum%11+1)%10)
		for _, form := range []func(s string) string{
			func(s string) string { return s },
			func(s string) string { return s[:3] + "-" + s[3:6] + "-" + s[6:8] + "-" + s[8:] },
			func(s string) string { return s[:3] + "-" + s[3:5] + "-" + s[5:7] + "-" + s[7:] },
		} {
			for number, want := range map[string]string{right: "PL" + right, wrong: ""} {
				got := readRows(t, "Faktura nr FV/17", "Sprzedawca: Stolarnia Mazur S.A.", "ul. Lipowa 4", "00-001 Warszawa", "NIP: "+form(number), "Nabywca: Mazowsze S.A.", "ul. Polna 9", "30-001 Lublin", "Netto\t100,00", "VAT 23 %\t23,00", "Razem brutto\t123,00")
				value := ""
				if f := got.Fields["/seller/vatIdentifier"]; f != nil {
					value = f.Value
				}
				if value != want {
					t.Errorf("%s is read as %q, want %q", form(number), value, want)
				}
			}
		}
	}
}

// A VAT number that is printed without its country is a VAT identifier where its label is of that
// country and its check digit is right.
func TestNationalVatNumbers(t *testing.T) {
	weighted := func(digits []int, weights ...int) (sum int) {
		for i, w := range weights {
			sum += w * digits[i]
		}
		return sum
	}
	crossSum := func(n int) int { return n/10 + n%10 }
	rows := map[string][]string{
		"es": {"Factura n.º F-17", "Vendedor: Talleres Ibarra S.L.", "Calle Mayor 12", "48001 Bilbao", "%s", "Cliente: Bodegas Quintana S.A.", "Avda. Rioja 4", "26200 Haro", "Base imponible\t100,00", "IVA 21 %%\t21,00", "Total\t121,00 EUR"},
		"pt": {"Fatura n.º F-17", "Vendedor: Oficinas Tejo, Lda", "Rua Nova 12", "1100-001 Lisboa", "%s", "Cliente: Adega Douro, S.A.", "Rua do Porto 4", "4000-001 Porto", "Base tributável\t100,00", "IVA 23 %%\t23,00", "Total\t123,00 EUR"},
		"it": {"Fattura n. F-17", "Fornitore: Officine Adda S.r.l.", "Via Roma 12", "24121 Bergamo", "%s", "Cliente: Cantine Brenta S.p.A.", "Via Po 4", "35100 Padova", "Imponibile\t100,00", "IVA 22 %%\t22,00", "Totale\t122,00 EUR"},
		"da": {"Faktura nr. F-17", "Leverandør: Havn ApS", "Nygade 12", "8000 Aarhus C", "%s", "Kunde: Fjord A/S", "Søgade 4", "9000 Aalborg", "Netto\t100,00", "Moms 25 %%\t25,00", "Total\t125,00 DKK"},
	}
	// Each writes some digits as a number of a country; "" if these have none.
	numbers := []struct {
		country, language, label string
		write                    func(d []int, off int) string
	}{
		{"ES", "es", "NIF: ", func(d []int, off int) string {
			sum := weighted(d, 0, 1, 0, 1, 0, 1)
			for i := 0; i < 7; i += 2 {
				sum += crossSum(2 * d[i])
			}
			return fmt.Sprintf("B%s%d", digitsOf(d[:7]), (10-sum%10+off)%10)
		}},
		{"ES", "es", "NIF ", func(d []int, off int) string {
			n, _ := strconv.Atoi(digitsOf(d[:8]))
			return fmt.Sprintf("%08d%c", n, "TRWAGMYFPDXBNJZSQVHLCKE"[(n+off)%23])
		}},
		{"PT", "pt", "NIF: ", func(d []int, off int) string {
			d[0] = 5
			check := 11 - weighted(d, 9, 8, 7, 6, 5, 4, 3, 2)%11
			if check > 9 {
				check = 0
			}
			return fmt.Sprintf("%s%d", digitsOf(d[:8]), (check+off)%10)
		}},
		{"IT", "it", "P.IVA: ", func(d []int, off int) string {
			sum := 0
			for i := range 10 {
				if i%2 == 0 {
					sum += d[i]
				} else {
					sum += crossSum(2 * d[i])
				}
			}
			return fmt.Sprintf("%s%d", digitsOf(d[:10]), (10-sum%10+off)%10)
		}},
		{"DK", "da", "CVR: ", func(d []int, off int) string {
			check := (11 - weighted(d, 2, 7, 6, 5, 4, 3, 2)%11) % 11
			if check > 9 {
				return ""
			}
			return fmt.Sprintf("%s%d", digitsOf(d[:7]), (check+off)%10)
		}},
	}
	r := rand.New(rand.NewPCG(31, 5))
	for _, of := range numbers {
		for range 30 {
			digits := make([]int, 11)
			for i := range digits {
				digits[i] = 1 + r.IntN(9)
			}
			for off := range 2 {
				number := of.write(digits, off)
				if number == "" {
					continue
				}
				var page []string
				for _, row := range rows[of.language] {
					if strings.Contains(row, "%") {
						row = strings.ReplaceAll(strings.ReplaceAll(row, "%s", of.label+number), "%%", "%")
					}
					page = append(page, row)
				}
				want, value := "", ""
				if off == 0 {
					want = of.country + number
				}
				if f := readRows(t, page...).Fields["/seller/vatIdentifier"]; f != nil {
					value = f.Value
				}
				if value != want {
					t.Errorf("%s%s is read as %q, want %q", of.label, number, value, want)
				}
			}
		}
	}
}

func digitsOf(digits []int) string {
	var b strings.Builder
	for _, d := range digits {
		b.WriteByte(byte('0' + d))
	}
	return b.String()
}

// A number that may only count the invoices of a contract is not sure.
func TestNumberThatMayCount(t *testing.T) {
	for number, sure := range map[string]bool{"3": false, "12": false, "2026-12": true, "4711": true} {
		got := readRows(t, "Bau Hölzl GmbH", "Bergweg 4, 84028 Landshut", "Abschlagsrechnung Nr. "+number+"\tDatum: 04.11.2026", "Kunde: Gemeinde Ergolding", "Netto\t100,00", "19 % USt\t19,00", "Gesamtbetrag EUR\t119,00", "IBAN: DE89 3704 0044 0532 0130 00, Verwendungszweck: Rechnung "+number)
		f := got.Fields["/number"]
		if f == nil || f.Value != number || (f.Confidence >= 0.95) != sure {
			t.Errorf("%s: %+v", number, f)
		}
	}
}

// The day until which a discount is given is not the day of payment, in whatever order, language
// and punctuation both are said.
func TestDayOfDiscountIsNotDue(t *testing.T) {
	discounts := []string{"2 % Skonto bei Zahlung bis %s", "Bei Zahlung bis %s 2 % Skonto", "Bei Zahlung bis %s 2 % Skonto = 116,62", "Zahlbar bis %s mit 2 % Skonto", "Escompte 2 % si paiement avant le %s", "2 % discount if paid by %s", "Sconto 2 % per pagamento entro il %s"}
	terms := []string{"zahlbar bis %s", "Zahlbar ohne Abzug bis %s", "netto bis %s", "zu zahlen bis %s: 119,00", "Fällig am %s", "zahlbar bis %s ohne Skonto"}
	const early, due = "13.11.2026", "20.11.2026"
	read := func(rows ...string) string {
		page := append([]string{"Hölzl GmbH", "Bergweg 4, 84028 Landshut", "Rechnung Nr. 2026-118\tRechnungsdatum: 04.11.2026", "Kunde: Gemeinde Ergolding", "Netto\t100,00", "19 % USt\t19,00", "Gesamtbetrag EUR\t119,00"}, rows...)
		if f := readRows(t, page...).Fields["/paymentDueDate"]; f != nil {
			return f.Value
		}
		return ""
	}
	missing := 0
	for _, d := range discounts {
		d = strings.Replace(d, "%s", early, 1)
		if got := read(d); got != "" {
			t.Errorf("%s: due on %s", d, got)
		}
		for _, p := range terms {
			p = strings.Replace(p, "%s", due, 1)
			for _, rows := range [][]string{{d, p}, {p, d}, {d + ", " + p}, {p + ", " + d}, {d + " oder " + p}} {
				switch got := read(rows...); got {
				case "2026-11-20":
				case "":
					missing++
				default:
					t.Errorf("%q: due on %s", rows, got)
				}
			}
		}
	}
	if t.Logf("%d of %d are not read", missing, len(discounts)*len(terms)*5); missing > len(discounts)*len(terms)*5/4 {
		t.Errorf("%d are not read", missing)
	}
}

// An amount between two others is VAT where a label or a rate says so: a balance that is carried
// over is not, whatever it is called, and nothing that rests on it is sure.
func TestBalanceIsNoVat(t *testing.T) {
	for _, balance := range []string{"Previous balance (inv 20877)", "Balance forward", "Vortrag", "Saldo alt", "Solde antérieur", "Saldo anterior", "Openstaand"} {
		for _, amount := range []string{"20.00", "97.00", "19.00", "55.55"} {
			for _, tax := range []string{"", "Sales tax 0.00\t0.00"} {
				n, _ := strconv.ParseFloat(amount, 64)
				rows := []string{"Maple Printing Ltd", "88 King Street, London", "Invoice 20931\tDate: 04 Nov 2026", "Bill to: Nordlys AS, Storgata 1, Oslo", "Sub-total\t500.00", tax, "TOTAL\t500.00", balance + "\t" + amount, "Please pay GBP\t" + fmt.Sprintf("%.2f", 500+n)}
				f := readRows(t, slices.DeleteFunc(rows, func(r string) bool { return r == "" })...).Fields["/totals/taxTotalAmount"]
				if f != nil && f.Value != "0.00" && f.Confidence >= 0.95 {
					t.Errorf("%s %s, %q: VAT is %s with %.2f", balance, amount, tax, f.Value, f.Confidence)
				}
			}
		}
	}
}

// What is due is not what was paid where that is printed as nothing.
func TestNothingWasPaid(t *testing.T) {
	for _, row := range []string{
		"Total HT 461,97   TVA 20 % 92,39   TTC 554,36   Acompte 0,00   Net à payer 554,36 EUR",
		"Total HT 461,97   TVA 20 % 92,39   TTC 554,36   Déjà réglé 0,00   Reste à payer 554,36 EUR",
	} {
		got := readRows(t, "Transports Meunier SAS", "ZI Nord, 59000 Lille", "Facture N° F26110044 du 04/11/2026", "Adressée à Groupe Delta SA", row)
		if f := got.Fields["/totals/amountDueForPayment"]; f == nil || f.Value != "554.36" || got.Fields["/totals/paidAmount"] != nil && got.Fields["/totals/paidAmount"].Value != "0.00" {
			t.Errorf("%s: due %+v, paid %+v", row, f, got.Fields["/totals/paidAmount"])
		}
	}
}

// The sign of a dollar is that of the currency that the page names; where it names none, or two,
// nothing is sure.
func TestDollars(t *testing.T) {
	for total, want := range map[string]string{
		"Total (CAD)\t$119.00": "CAD sure", "Total\tA$119.00": "AUD sure", "Total\tUS$119.00": "USD sure", "Total USD\t$119.00": "USD sure", "Total\t$119.00": "USD open", "Total in CAD, about 100 USD\t$119.00": "USD open",
	} {
		got := readRows(t, "Maple Printing Ltd", "88 King Street, Hamilton", "Invoice 20931\tDate: 04 Nov 2026", "Bill to: Nordlys AS", "Net\t$100.00", "Tax 19 %\t$19.00", total)
		f := got.Fields["/currencyCode"]
		if f == nil {
			t.Errorf("%s: no currency", total)
			continue
		}
		said := f.Value + " open"
		if f.Confidence >= 0.95 {
			said = f.Value + " sure"
		}
		if said != want && said != strings.Replace(want, "USD open", "CAD open", 1) {
			t.Errorf("%s: %s, want %s", total, said, want)
		}
	}
}

// A table of the terms of payment below the lines is none of lines: its day is when payment is due.
func TestTableOfTerms(t *testing.T) {
	for _, terms := range []string{"Zahlungsbedingungen:", "Zahlungsbedingung"} {
		r := readRows(t, "Rechnung Nr. R-17 vom 20.11.2026", "Beschreibung\tBetrag", "Fahrt\t100,00", "Warten\t20,00", terms, "Fälligkeit", "20.12.2026", "Netto\t120,00", "MwSt. 19 %\t22,80", "Gesamtbetrag\t142,80")
		if f := r.Fields["/paymentDueDate"]; f == nil || f.Value != "2026-12-20" {
			t.Errorf("%s: due is %+v", terms, f)
		}
		if n := len(r.Invoice.Lines); n != 2 {
			t.Errorf("%s: %d lines", terms, n)
		}
	}
}

// An account that money is taken from is not one to pay to, wherever the sentence has it; one that
// is printed beside it is.
func TestDebitedAccountIsNotPaidTo(t *testing.T) {
	const theirs, ours = "DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2020 51"
	for _, says := range []string{
		"Wir buchen den Betrag von Ihrem Konto %s ab.", "Der Betrag wird von Ihrem Konto mit der IBAN %s eingezogen.", "Ce montant sera prélevé sur votre compte %s.", "The amount will be collected from your account %s.", "Cuenta de cargo: %s", "Käufer-IBAN: %s", "Buyer's IBAN: %s", "IBAN de l'acheteur : %s",
		"Wij schrijven het bedrag af van uw rekening %s.", "Kwotę pobierzemy z Państwa rachunku %s.", "Importo addebitato sul vostro conto %s", "Beløbet trækkes på jeres konto %s", "Valor debitado na sua conta %s",
	} {
		for _, isOurs := range []bool{false, true} {
			rows := []string{"Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Net total\t100.00", "VAT 20 %\t20.00", "Invoice total\t120.00", fmt.Sprintf(says, theirs)}
			want := ""
			if isOurs {
				rows, want = append(rows, "Papier GmbH, IBAN "+ours), strings.ReplaceAll(ours, " ", "")
			}
			r := readRows(t, rows...)
			got := ""
			if f := r.Fields[accountPointer]; f != nil {
				got = f.Value
			}
			if got != want {
				t.Errorf("%q, an account of the seller: %v: the account is %q, want %q", says, isOurs, got, want)
			}
		}
	}
}

// A VAT identifier behind a label of any language is the buyer's where a word beside the label says
// so, and not the seller's.
func TestBuyersVatIdentifier(t *testing.T) {
	for _, label := range []string{"Ihre USt-ID", "Ihre UID-Nr.", "Your VAT reg no", "Customer VAT number", "Votre TVA intracommunautaire", "TVA intracommunautaire client", "Su CIF", "NIF del cliente", "Vs. P.IVA", "Partita IVA cliente", "Uw btw-id", "Btw-nummer klant", "NIP nabywcy", "Vaše DIČ", "DIČ odběratele", "Ert momsnr", "Jeres CVR-nr.", "V/ contribuinte", "NIF do cliente"} {
		for _, mark := range []string{":", ""} {
			r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", label+mark+" DE136695976", "Papier GmbH, Kai 4, 20095 Hamburg", "Net total\t100.00", "VAT 20 %\t20.00", "Invoice total\t120.00")
			if f := r.Fields["/buyer/vatIdentifier"]; f == nil || f.Value != "DE136695976" {
				t.Errorf("%s%s: the buyer's identifier is %+v", label, mark, f)
			}
			if f := r.Fields["/seller/vatIdentifier"]; f != nil {
				t.Errorf("%s%s: the seller's identifier is %+v", label, mark, f)
			}
		}
	}
}

// The day of a letter stands behind its place; another day that a verb goes before is not that of
// the invoice, whichever is first.
func TestPlaceAndDay(t *testing.T) {
	for _, own := range []string{"Trier, den 20.11.2026", "Haarlem, 20 november 2026", "Bad Ems, am 20. November 2026", "Lyon, le 20 novembre 2026", "Lecce, 20/11/2026", "Łódź, dnia 20.11.2026"} {
		for _, other := range []string{"Gültig seit 01.10.2026", "Besteld op 1 oktober 2026", "Abonné depuis le 01/10/2026", "Contrato de 01/10/2026", "Wartung zuletzt 01.10.2026"} {
			for _, rows := range [][]string{{own, other}, {other, own}} {
				r := readRows(t, append(append([]string{"Rechnung", "Rechnungsnummer: R-17"}, rows...), "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")...)
				if f := r.Fields["/issueDate"]; f == nil || f.Value != "2026-11-20" {
					t.Errorf("%q: the day is %+v", rows, f)
				}
			}
		}
	}
}

// A Polish account has no country, and check digits.
func TestPolishAccount(t *testing.T) {
	for _, label := range []string{"Numer konta:", "Nr rachunku", "Rachunek bankowy:"} {
		for account, want := range map[string]string{"61 1090 1014 0000 0712 1981 2874": "PL61109010140000071219812874", "61109010140000071219812874": "PL61109010140000071219812874", "62 1090 1014 0000 0712 1981 2874": ""} {
			r := readRows(t, "Faktura", "Numer faktury: R-17", "Data wystawienia: 20.11.2026", label+" "+account, "Netto\t100,00", "VAT 23%\t23,00", "Brutto\t123,00")
			got := ""
			if f := r.Fields[accountPointer]; f != nil {
				got = f.Value
			}
			if got != want {
				t.Errorf("%s %s: the account is %q, want %q", label, account, got, want)
			}
		}
	}
}

// An account ends with its cell: what stands beside it and would fill its length is none of it.
func TestAccountEndsWithItsCell(t *testing.T) {
	for _, beside := range []string{"BICABNCDE22", "ABNCDE22XXX", "HRBHANNOVER"} {
		r := readRows(t, "Rechnung", "Rechnungsnummer: R-17", "Rechnungsdatum: 20.11.2026", "USt-IdNr. DE784283937\t"+beside, "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")
		if f := r.Fields["/seller/vatIdentifier"]; f == nil || f.Value != "DE784283937" || r.Fields[accountPointer] != nil {
			t.Errorf("%s: the VAT identifier is %+v, the account %+v", beside, f, r.Fields[accountPointer])
		}
	}
}

// A VAT identifier that is complete in one word ends with it, whatever number stands behind it, though
// some of its country are longer.
func TestVatIdentifierEndsWithItsWord(t *testing.T) {
	for _, c := range [][2]string{{"DIČ CZ46785775", "21 %"}, {"VAT No. GB123456789", "001"}, {"VAT No. GB123456789", "120.00"}, {"PVM LT123456789", "100"}, {"VAT BG123456789", "7"}} {
		id := strings.Fields(c[0])[len(strings.Fields(c[0]))-1]
		r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", c[0]+" "+c[1], "Net total\t100.00", "VAT 20 %\t20.00", "Invoice total\t120.00")
		if f := r.Fields["/seller/vatIdentifier"]; f == nil || f.Value != id {
			t.Errorf("%q: the identifier is %+v", c, f)
		}
	}
}

// What a sentence of its own, or the text behind a label's day, says of a discount does not make the
// day that of the discount.
func TestDueBesideADiscount(t *testing.T) {
	for _, terms := range []string{"Zahlbar ohne Abzug bis %s. Bei Zahlung innerhalb von 8 Tagen 2 %% Skonto.", "Fälligkeitsdatum: %s Bei Zahlung innerhalb von 8 Tagen 2 %% Skonto.", "Due date: %s 2 %% discount within 8 days", "Payable by %s. A discount of 2 %% is granted within 8 days.", "Échéance : %s Escompte de 2 %% sous 8 jours", "Vervaldatum: %s 2 %% korting binnen 8 dagen"} {
		r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", fmt.Sprintf(terms, "20/12/2026"), "Net total\t100.00", "VAT 20 %\t20.00", "Invoice total\t120.00")
		if f := r.Fields["/paymentDueDate"]; f == nil || f.Value != "2026-12-20" {
			t.Errorf("%q: the day is %+v", terms, f)
		}
	}
}

// A rate in percent below the head of rates is that of the line, whatever numbers its name begins or
// goes on with.
func TestRateOfALine(t *testing.T) {
	names := []string{"10.3258 - Kobberrør 15 mm x 3 m", "12 - Paper A4 80 g", "Copper pipe 15 mm x 3 m", "7 Papers", "10.12 Chair"}
	for i := range 2 * len(names) {
		name, head := names[i/2], []string{"Tekst", "Tingest"}[i%2] // the second is in no lexicon
		rows := []string{"40|50 Faktura", "60|50 Fakturanummer: R-17", "74|50 Dato: 20-11-2026", "233.6|162 " + head + "|324 Moms %|388 Enhedspris|>482 Antal|>546 Linjetotal"}
		for i := range 4 {
			first := name
			if i%2 > 0 {
				first = "ART9510 - Leje af stillads"
			}
			y := 248.6 + 27.5*float64(i)
			rows = append(rows, fmt.Sprintf("%g|38 %s|>369 20%%|>447 50,00|>487 2|>558 100,00", y, first), fmt.Sprintf("%g|38 Serienr. 4711-2203, leveret 03-02-2026", y+11))
		}
		rows = append(rows, "390|330 I alt ekskl. moms|>558 400,00", "404|330 Moms 20 %|>558 80,00", "418|330 Total|>558 480,00")
		r, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			if f := r.Fields[fmt.Sprintf("/lines/%d/vat/rate", i)]; f == nil || f.Value != "20" {
				t.Errorf("%q below %s: the rate of line %d is %+v", name, head, i, f)
			}
		}
	}
}

// A subtotal that stands behind a discount is the net total: the sum of the lines is what they come to.
// A discount or freight at the end of rows that are only names and amounts is none of the lines.
func TestStepsBeforeTheNetTotal(t *testing.T) {
	for _, label := range []string{"Less discount", "Rabatt", "Remise", "Korting"} {
		head := []string{"40|50 Invoice", "60|50 Invoice number: R-17", "74|50 Invoice date: 20/11/2026"}
		tail := []string{fmt.Sprintf("240|330 %s|>540 -30.00", label), "254|330 Subtotal|>540 270.00", "268|330 VAT 20 %|>540 54.00", "282|330 Invoice total|>540 324.00"}
		priced := []string{"120|50 Description|>400 Unit price|>450 Qty|>540 Amount", "140|50 Office chair|>400 50.00|>450 2|>540 100.00", "154|50 Consulting|>400 100.00|>450 2|>540 200.00"}
		bare := []string{"140|50 Office chair|>540 100.00", "154|50 Consulting|>540 200.00", fmt.Sprintf("168|50 %s|>540 -30.00", label), "182|50 Net total|>540 270.00", "196|50 VAT 20 %|>540 54.00", "210|50 Invoice total|>540 324.00"}
		for name, rows := range map[string][]string{"priced": append(append(slices.Clone(head), priced...), tail...), "bare": append(slices.Clone(head), bare...)} {
			r, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Fields["/totals/sumOfLineNetAmounts"]; f == nil || !sameNumber(f.Value, "300.00") || len(r.Invoice.Lines) != 2 {
				t.Errorf("%s, %s: the sum of %d lines is %+v", name, label, len(r.Invoice.Lines), f)
			}
		}
	}
}

// The postal code below a title that is a label as well is not the number.
func TestPostalCodeIsNoNumber(t *testing.T) {
	for _, place := range []string{"301 00 Plzeň", "04109 Leipzig", "1017 AB Amsterdam", "00-950 Warszawa", "L-2124 Luxembourg"} {
		r, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet("40|400 Faktura", "54|>540 Papier s.r.o.", "68|>540 Polní 12", "82|400 "+place, "130|50 Number: R-17", "144|50 Date: 20.11.2026", "160|330 Net total|>540 100.00", "174|330 VAT 20 %|>540 20.00", "188|330 Invoice total|>540 120.00")}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Fields["/number"]; f == nil || f.Value != "R-17" {
			t.Errorf("%s: the number is %+v", place, f)
		}
	}
}

// A day right below the last line is a text of the line, whatever its column is called: it is not the
// day of the invoice, with a label or without one.
func TestDayBelowTheLastLine(t *testing.T) {
	for _, head := range []string{"Position", "Description", "Item", "Pos."} {
		for _, below := range []string{"12/10/2026", "Date: 12/10/2026", "Invoice date 12/10/2026", "Delivered on 12/10/2026"} {
			for _, above := range []string{"", "Invoice date: 20/11/2026"} {
				r, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet("40|50 Invoice", "60|50 Invoice number: R-17", "74|50 Thank you|200 "+above,
					"120|50 "+head+"|>400 Unit price|>450 Qty|>540 Amount", "140|50 Office chair|>400 50.00|>450 2|>540 100.00", "154|50 Consulting|>400 100.00|>450 2|>540 200.00", "167|50 "+below,
					"240|330 Net total|>540 300.00", "268|330 VAT 20 %|>540 60.00", "282|330 Invoice total|>540 360.00")}, parse.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if f := r.Fields["/issueDate"]; f != nil && f.Value != "2026-11-20" || f == nil && above != "" {
					t.Errorf("%s, %q, %q: the day is %+v", head, below, above, f)
				}
			}
		}
	}
}

// A day with full stops has the day first, whatever the currency, and wherever another day can be
// read in the American way alone; no day is read so for sure where nothing says which it is.
func TestDaysWithFullStops(t *testing.T) {
	for _, amount := range []string{"119,00", "$119.00", "USD 119.00"} {
		for _, other := range []string{"Printed 10/25/2026", "Printed 25/10/2026", "Printed 25.10.2026", "Room 4"} {
			r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 05.03.2026", other, "Net\t"+amount, "Total\t"+amount)
			if f := r.Fields["/issueDate"]; f == nil || f.Value != "2026-03-05" {
				t.Errorf("%s, %s: the day is %+v", amount, other, f)
			}
		}
	}
}

// What is called a number below the heading of a party is the party's, not that of the invoice.
func TestNumberOfAParty(t *testing.T) {
	for _, party := range []string{"Verkäufer", "Seller", "Vendeur", "Buyer", "Käufer", "Kunde"} {
		for _, number := range []string{"Nummer:", "Number:", "Numéro:"} {
			for _, title := range []string{"Invoice", "Rechnung Nr. 01.234.567.8-2026-1 vom 06.12.2026"} {
				rows := []string{title, "Currency: EUR", "", party, "Name: Hafen Papier GmbH", number + " 549910", "Kai 4", "", "Total\t119,00"}
				r := readRows(t, rows...)
				if f := r.Fields["/number"]; f != nil && f.Value == "549910" {
					t.Errorf("%s, %s, %s: the number is %+v", party, number, title, f)
				}
			}
		}
	}
}

// A title that is a compound of the word for an invoice, with its number in letters as large, calls the
// document an invoice.
func TestCompoundTitles(t *testing.T) {
	for _, title := range []string{"Mietrechnung", "Stromrechnung", "Wartungsrechnung", "Huurfactuur", "Energiefaktura"} {
		page := drawn.NewPage()
		for _, row := range []string{"=60|50@14 " + title + " Nr. 4711/26 vom 06.12.2026", "30|50 Hafen Papier GmbH", "14|50 Kai 4, 20095 Hamburg",
			"60|50 Papier A4|>540 100,00", "30|50 Summe netto|>540 100,00", "14|50 USt. 20 %|>540 20,00", "14|50 Summe brutto|>540 120,00 EUR"} {
			if err := page.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		r, err := parse.Sheets(t.Context(), []text.Sheet{page.Sheet}, parse.Limits{})
		if err != nil {
			t.Errorf("%s: %v", title, err)
		} else if f := r.Fields["/number"]; f == nil || f.Value != "4711/26" {
			t.Errorf("%s: the number is %+v", title, f)
		}
	}
}
