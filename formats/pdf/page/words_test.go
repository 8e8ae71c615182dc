package page_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/law"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/tongue"
)

// textOf is the text of the pages in a language, without white space.
func textOf(t testing.TB, inv *model.Invoice, language string) string {
	t.Helper()
	return bare(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: language}).Data), "\n"))
}

// Documents have the titles that the law wants, in the country of the seller.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ language, country, code, want, not string }{
		{"de", "DE", "389", "Gutschrift R-1", "Rechnung R-1"},
		{"de", "DE", "389", "§ 14 Abs. 2 UStG", ""},
		{"de", "AT", "389", "Ausgestellt vom Leistungsempfänger", "UStG"},
		{"de", "DE", "381", "Rechnungskorrektur R-1", "Gutschrift R-1"},
		{"de", "DE", "381", "Gutschrift im kaufmännischen Sinn", ""},
		{"en", "GB", "389", "output tax due to HMRC", ""},
		{"en", "IE", "389", "Self-billing", "HMRC"},
		{"fr", "FR", "389", "Autofacturation", ""},
		{"es", "ES", "389", "Facturación por el destinatario", ""},
		{"nl", "NL", "389", "Factuur uitgereikt door afnemer", ""},
		{"it", "IT", "389", "Autofatturazione", ""},
		{"pl", "PL", "389", "Samofakturowanie", ""},
	} {
		inv := small(t, 1)
		inv.TypeCode = model.NewText(c.code)
		inv.Seller.PostalAddress.CountryCode = model.NewText(c.country)
		text := textOf(t, inv, c.language)
		if !strings.Contains(text, bare(c.want)) || c.not != "" && strings.Contains(text, bare(c.not)) {
			t.Errorf("%s in %s, %s: want %q and not %q", c.code, c.country, c.language, c.want, c.not)
		}
	}
}

// A category without VAT says what the law wants, unless the invoice does.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ language, country, category, text, code, want string }{
		{"de", "DE", "AE", "", "", "Steuerschuldnerschaft des Leistungsempfängers"},
		{"de", "AT", "AE", "", "", "§ 19 UStG 1994"},
		{"de", "DE", "AE", "", "VATEX-EU-AE", "Steuerschuldnerschaft des Leistungsempfängers (VATEX-EU-AE)"},
		{"de", "DE", "K", "", "", "§ 6a UStG"},
		{"de", "DE", "G", "", "", "Steuerfreie Ausfuhrlieferung"},
		{"de", "DE", "O", "", "", "Nicht steuerbar (O)"},
		{"de", "DE", "E", "", "", "Steuerbefreit (E)"},
		{"de", "DE", "E", "", "VATEX-EU-132-1A", "Artikel 132 (1) (a) der Richtlinie 2006/112/EG (VATEX-EU-132-1A)"},
		{"en", "IE", "E", "", "VATEX-EU-79-C", "Article 79 (c) of Directive"},
		{"en", "IE", "E", "", "VATEX-EU-", "VATEX-EU-"},
		{"fr", "FR", "K", "", "", "262 ter, I du CGI"},
		{"fr", "LU", "AE", "", "", "Autoliquidation"},
		{"nl", "NL", "AE", "", "", "Btw verlegd"},
		{"de", "DE", "E", "Kleinunternehmer, § 19 UStG", "", "Kleinunternehmer, § 19 UStG"},
		{"de", "DE", "K", "Lieferung an Paul", "", "Lieferung an Paul"},
		{"fr", "FR", "E", "", "VATEX-FR-FRANCHISE", "TVA non applicable, article 293 B du CGI (VATEX-FR-FRANCHISE)"},
		{"it", "FR", "E", "", "VATEX-FR-FRANCHISE", "TVA non applicable, article 293 B du CGI (VATEX-FR-FRANCHISE)"},
		{"fr", "FR", "E", "", "VATEX-FR-CNWVAT", "Avoir net de taxe"},
		{"en", "FR", "E", "", "VATEX-FR-CGI261-1", "Article 261, 1 of the CGI (VATEX-FR-CGI261-1)"},
		{"de", "DE", "E", "", "VATEX-EU-F", "Gebrauchtgegenstände/Sonderregelung (VATEX-EU-F)"},
		{"pl", "PL", "E", "", "VATEX-EU-D", "Procedura marży dla biur podróży (VATEX-EU-D)"},
	} {
		inv := small(t, 1)
		inv.Seller.PostalAddress.CountryCode = model.NewText(c.country)
		v := &inv.VatBreakdowns[0]
		v.CategoryCode, v.Rate, v.TaxAmount = model.NewText(c.category), model.NewNumber("0"), model.NewAmount("0")
		if c.text != "" {
			v.ExemptionReasonText = model.NewText(c.text)
		}
		if c.code != "" {
			v.ExemptionReasonCode = model.NewText(c.code)
		}
		text := textOf(t, inv, c.language)
		if !strings.Contains(text, bare(c.want)) {
			t.Errorf("%s of %s in %s: there is no %q", c.category, c.country, c.language, c.want)
		}
		if c.text != "" && strings.Contains(text, "6aUStG") {
			t.Error("the invoice has a reason, and another one is shown")
		}
	}
}

// A code of a reason says nothing again that the page says without it, in any language.
func TestReasonsAreSaidOnce(t *testing.T) {
	for _, tag := range tongue.Tags() {
		l := language.Load(tag)
		names := l.Codes["vatBreakdowns.exemptionReasonCode"]
		if names == nil {
			names = l.Codes["exemptionReasonCode"]
		}
		for category, code := range map[string]string{"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"} {
			said := func(with string) (text string, times int) {
				inv := small(t, 1)
				inv.Seller.PostalAddress.CountryCode = model.NewText(strings.ToUpper(tag))
				v := &inv.VatBreakdowns[0]
				v.CategoryCode, v.Rate, v.TaxAmount = model.NewText(category), model.NewNumber("0"), model.NewAmount("0")
				v.ExemptionReasonCode = model.NewText(with)
				text = strings.ToLower(textOf(t, inv, tag))
				return text, strings.Count(text, strings.ToLower(bare(names[code])))
			}
			_, without := said("")
			text, times := said(code)
			inv := small(t, 1)
			v := &inv.VatBreakdowns[0]
			v.CategoryCode, v.Rate, v.TaxAmount, v.ExemptionReasonCode = model.NewText(category), model.NewNumber("0"), model.NewAmount("0"), model.NewText(code)
			v.ExemptionReasonText = model.NewText(l.Codes["categoryCode"][category])
			own := strings.ToLower(textOf(t, inv, tag))
			reason, most := strings.ToLower(bare(v.ExemptionReasonText.Raw)), 1
			if name := strings.ToLower(bare(names[code])); name != reason && strings.Contains(name, reason) {
				most = 2 // the name of the code says more
			}
			if n := strings.Count(own, reason); n > most || strings.Count(own, strings.ToLower(code)) != 1 {
				t.Errorf("%s, %s: the invoice's own reason, %q, is said %d times", tag, category, v.ExemptionReasonText.Raw, n)
			}
			v.ExemptionReasonText = model.NewText("Why, in a tongue of its own")
			foreign := strings.ToLower(textOf(t, inv, tag))
			name, heading := strings.ToLower(bare(names[code])), strings.ToLower(bare(l.Codes["categoryCode"][category]))
			if n := strings.Count(foreign, name); n != 1 || strings.Count(foreign, heading) > 1 && !strings.Contains(name, heading) || !strings.Contains(foreign, "inatongueofitsown") {
				t.Errorf("%s, %s: beside a reason in another language, %q is said %d times", tag, category, names[code], n)
			}
			if sentence, _ := law.Of(strings.ToUpper(tag)).Reason(tag, category, code); sentence == "" && l.Wording.Reasons[category] == "" {
				without = max(1, without)
			}
			if names[code] == "" || times != without || strings.Count(text, strings.ToLower(code)) != 1 {
				t.Errorf("%s, %s: %q is said %d times with its code, and %d times without", tag, category, names[code], times, without)
			}
		}
	}
}

// Where the law of the seller's country has a sentence for a category, its code adds no second
// reason: not where the program says the sentence, nor where the invoice does.
func TestSentencesOfCategoriesStandAlone(t *testing.T) {
	for _, country := range law.Countries() {
		for category, code := range map[string]string{"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"} {
			for _, tag := range tongue.Tags() {
				sentence, _ := law.Of(country).Reason(tag, category, "")
				if sentence == "" {
					continue
				}
				said := func(text, with string) string {
					inv := small(t, 1)
					inv.Seller.PostalAddress.CountryCode = model.NewText(country)
					v := &inv.VatBreakdowns[0]
					v.CategoryCode, v.Rate, v.TaxAmount = model.NewText(category), model.NewNumber("0"), model.NewAmount("0")
					v.ExemptionReasonText, v.ExemptionReasonCode = model.NewText(text), model.NewText(with)
					return strings.ReplaceAll(textOf(t, inv, tag), ".", "")
				}
				alone := said("", "")
				for _, text := range []string{"", sentence} {
					if with := strings.Replace(strings.Replace(said(text, code), "("+code+")", "", 1), code, "", 1); with != alone {
						t.Errorf("%s, %s, %q in %s: beside the code the page says\n%s\nand without it\n%s", country, category, text, tag, with, alone)
					}
				}
			}
		}
	}
}

// The account that is debited is called so, and not only an IBAN, which may be anybody's.
func TestDebitedAccountIsCalledSo(t *testing.T) {
	for _, tag := range tongue.Tags() {
		inv := small(t, 1)
		inv.Payment = &model.Payment{
			Means:       []model.PaymentMeans{{TypeCode: model.NewText("59")}},
			DirectDebit: &model.DirectDebit{MandateReference: model.NewText("M-77"), DebitedAccountIdentifier: model.NewText("DE89370400440532013000")},
		}
		label := language.Load(tag).Labels["debitedAccountIdentifier"]
		if text := textOf(t, inv, tag); label == "" || !strings.Contains(text, bare(label)) || strings.Contains(text, "IBAN") || !strings.Contains(text, "DE89370400440532013000") {
			t.Errorf("%s: the debited account is not called %q", tag, label)
		}
	}
}

// What payment terms say for programs is a sentence; what is written around it is kept.
func TestDiscounts(t *testing.T) {
	for text, want := range map[string]string{
		"#SKONTO#TAGE=14#PROZENT=2.25#":                           "Bei Zahlung innerhalb von 14 Tagen 2,25 % Skonto.",
		"#SKONTO#TAGE=7#PROZENT=3.00#BASISBETRAG=1357.5#\nSofort": "Bei Zahlung innerhalb von 7 Tagen 3 % Skonto auf 1.357,50 EUR.Sofort",
		"Netto 30 Tage\n#VERZUG#TAGE=30#PROZENT=5.00#":            "Netto 30 TageBei Zahlung nach mehr als 30 Tagen 5 % Verzugszinsen.",
		"#SKONTO#TAGE=x#": "#SKONTO#TAGE=x#",
		"Rechnung #17#":   "Rechnung #17#",
		"#VERZUG#TAGE=3#PROZENT=1.00#a#SKONTO#TAGE=1#PROZENT=1.00#b#VERZUG#TAGE=4#PROZENT=1.00#c": "nach mehr als 3 Tagen 1 % Verzugszinsen.aBei Zahlung innerhalb von 1 Tagen 1 % Skonto.bBei Zahlung nach mehr als 4 Tagen 1 % Verzugszinsen.c",
		"#SKONTO#TAGE=1#PROZENT=1.00##SKONTO#TAGE=2#PROZENT=2.00#":                                "1 Tagen 1 % Skonto.Bei Zahlung innerhalb von 2 Tagen 2 % Skonto.",
	} {
		inv := small(t, 1)
		inv.PaymentTerms = model.NewText(text)
		if got := textOf(t, inv, "de"); !strings.Contains(got, bare(want)) {
			t.Errorf("%q: there is no %q in\n%s", text, want, got)
		}
	}
}

// A credit note says that the seller pays the buyer, and an invoice with a negative amount
// as well.
func TestWhoPays(t *testing.T) {
	for _, c := range []struct {
		code, amount string
		refund       bool
	}{{"380", "119", false}, {"381", "119", true}, {"380", "-119", true}, {"381", "-119", false}, {"381", "0", false}, {"389", "119", false}} {
		inv := small(t, 1)
		inv.TypeCode, inv.Totals.AmountDueForPayment = model.NewText(c.code), model.NewAmount(c.amount)
		text := textOf(t, inv, "de")
		if got := strings.Contains(text, bare("Ölmühle Süd GmbH zahlt "+strings.TrimPrefix(c.amount, "-")+",00 EUR an Käufer AG")); got != c.refund {
			t.Errorf("%s with %s: the seller pays: %v", c.code, c.amount, got)
		}
		if c.amount != "0" && strings.Contains(text, "FälligerBetrag") == (c.refund || c.amount[0] == '-') {
			t.Errorf("%s with %s: the amount is called otherwise", c.code, c.amount)
		}
	}
}

// Quantities and prices have no meaningless zeros, money has the digits of its currency,
// and codes are words.
func TestForms(t *testing.T) {
	inv := small(t, 1)
	line := &inv.Lines[0]
	line.InvoicedQuantity, line.Price.NetPrice = model.NewNumber("30.0000000000"), model.NewAmount("43.2")
	line.InvoicedQuantityUnitCode = model.NewText("HUR")
	inv.Notes = []model.Note{{SubjectCode: model.NewText("AAC"), Text: model.NewText("UN 1202")}}
	inv.VatAccountingCurrencyCode = model.NewText("SEK")
	inv.Totals.TaxTotalAmountInAccountingCurrency = model.NewAmount("210.5")
	inv.PaymentDueDate = model.NewDate("2026-12-21")
	lines := "\n" + strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de"}).Data), "\n")
	for _, want := range []string{
		"1 Rapsöl, kaltgepresst 1 30 Stunde 43,20 19 % 10,50", "Zusätzliche Angaben zum Gefahrgut", "Umsatzsteuer in SEK: 210,50",
		"fällig am 21.12.2026", "119,00 EUR", "DE89 3704 0044 0532 0130 00", "Schwedische Krone",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("there is no %q in%s", want, lines)
		}
	}
}

// A letter within a country does not name it in its addresses; one that crosses a border
// does.
func TestDomestic(t *testing.T) {
	inv := small(t, 1)
	if text := textOf(t, inv, "de"); !strings.Contains(text, "Österreich") || !strings.Contains(text, "Deutschland") {
		t.Error("the countries are missing")
	}
	inv.Buyer.PostalAddress.CountryCode = model.NewText("DE")
	if text := textOf(t, inv, "de"); strings.Count(text, "Deutschland") != 1 || !strings.Contains(text, "AnschrifteninDeutschland") {
		t.Errorf("the country is named %d times", strings.Count(text, "Deutschland"))
	}
	inv.Delivery = &model.Delivery{Address: &model.DeliverToAddress{City: model.NewText("Porto"), CountryCode: model.NewText("PT")}}
	inv.TaxRepresentative = &model.TaxRepresentative{Name: model.NewText("Vertreter"), PostalAddress: &model.TaxRepresentativeAddress{CountryCode: model.NewText("DE")}}
	if text := textOf(t, inv, "de"); strings.Count(text, "Deutschland") != 1 || !strings.Contains(text, "Portugal") {
		t.Error("an address abroad does not name its country, or one at home does")
	}
	inv.Delivery, inv.TaxRepresentative = nil, nil
	inv.Seller.PostalAddress.CountryCode, inv.Buyer.PostalAddress.CountryCode = model.NewText("FR"), model.NewText("FR")
	if text := textOf(t, inv, "fr"); strings.Contains(text, "Ulm,") {
		t.Error("a comma is left of the country")
	}
}

// A reason that is the name of what it is for, or of its code, is said once, in any language.
func TestReasonsOfAllowancesAreSaidOnce(t *testing.T) {
	for _, tag := range tongue.Tags() {
		l := language.Load(tag)
		label, named := l.Labels["allowances"], l.Codes["allowances.reasonCode"]["95"]
		for reason, code := range map[string]string{label: "", named: "95", strings.ToUpper(named): "95"} {
			inv := small(t, 1)
			inv.Lines[0].Allowances = []model.LineAllowance{{Amount: model.NewAmount("1.00"), Reason: model.NewText(reason), ReasonCode: model.NewText(code)}}
			inv.Allowances = []model.DocumentAllowance{{Amount: model.NewAmount("2.00"), Reason: model.NewText(reason), ReasonCode: model.NewText(code)}}
			text := strings.ToLower(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: tag}).Data), "\n"))
			for _, twice := range []string{label + l.Words["colon"] + label, named + ", " + named, label + " " + label + " "} {
				if strings.Contains(compact(text), strings.ToLower(compact(twice))) {
					t.Errorf("%s: %q is there for the reason %q and the code %q in\n%s", tag, twice, reason, code, text)
				}
			}
		}
	}
}

// French groups digits by a narrow space, and the due date is a day on which one may still pay.
func TestFrenchCustoms(t *testing.T) {
	inv := small(t, 1)
	inv.Totals.AmountDueForPayment, inv.PaymentDueDate = model.NewAmount("1234567.5"), model.NewDate("2026-12-05")
	r, err := page.HTML(t.Context(), inv, page.Options{Language: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(r.Data); !strings.Contains(text, "1\u202f234\u202f567,50") || !strings.Contains(text, "au plus tard le") || strings.Contains(text, "avant le") {
		t.Errorf("the amount or the day is written otherwise:\n%s", text)
	}
}

// Codes of document types, units and schemes are words, in each language by turns: no reader has to
// know them. (That a language has the words of all others is tested with the languages.)
func TestCodesAreWords(t *testing.T) {
	turn := 0
	small := func(change func(*model.Invoice)) (tag string, made []byte) {
		inv := small(t, 1)
		change(inv)
		turn++
		tag = tongue.Tags()[turn%len(tongue.Tags())]
		return tag, printed(t, inv, page.Options{Language: tag}).Data
	}
	for _, unit := range []string{"H87", "C62", "HUR", "DAY", "MON", "KGM", "LTR", "MTR", "MTK", "KWH", "XBC", "XCT", "XPX", "XBO", "XPK", "XPP", "SET", "PR", "E48", "EA", "LS", "ANN", "WEE", "TNE"} {
		tag, made := small(func(inv *model.Invoice) { inv.Lines[0].InvoicedQuantityUnitCode = model.NewText(unit) })
		for _, row := range rowsOf(t, made)[0] {
			if strings.Contains(row.text(), "kaltgepresst") && slices.ContainsFunc(row, func(w text.Word) bool { return w.Text == unit }) {
				t.Errorf("%s: %q has the code %s", tag, row.text(), unit)
			}
		}
	}
	for _, list := range []string{"invoice", "credit-note"} {
		data, err := os.ReadFile("../../../rulesets/codelists/untdid-1001-" + list + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		_, codes, _ := strings.Cut(string(data), "codes: ")
		for _, code := range strings.Fields(strings.Trim(codes, "|\"\n")) {
			tag, made := small(func(inv *model.Invoice) { inv.TypeCode = model.NewText(code) })
			if text := bare(strings.Join(pagesOf(t, made), "\n")); !strings.Contains(text, "R-1") || strings.Contains(text, "("+code+")") || strings.Contains(text, code+"R-1") {
				t.Errorf("%s: the document type %s is no word", tag, code)
			}
		}
	}
	for _, scheme := range []string{"0088", "0160", "0204", "0060", "0002", "0009", "0007", "0106", "0184", "0190", "0192", "0208", "9930", "EM"} {
		tag, made := small(func(inv *model.Invoice) {
			inv.Seller.ElectronicAddress = &model.SellerElectronicAddress{Identifier: model.NewText("77001"), SchemeID: model.NewText(scheme)}
		})
		if text := bare(strings.Join(pagesOf(t, made), "\n")); strings.Contains(text, "77001("+scheme+")") || !strings.Contains(text, "77001(") {
			t.Errorf("%s: the scheme %s is no word", tag, scheme)
		}
	}
}
