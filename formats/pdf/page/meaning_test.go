package page_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/tongue"
)

// Whatever the signs of the sums are, the column adds down to the amount due.
func TestAnySumAddsDown(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 4))
	amount := func() model.Amount {
		return model.NewAmount(fmt.Sprintf("%.2f", float64(seed.IntN(400_000)-200_000)/100))
	}
	for range 60 {
		inv := small(t, 1)
		s := inv.Totals
		s.SumOfLineNetAmounts, s.TaxTotalAmount = amount(), amount()
		optional := []*model.Amount{&s.SumOfAllowances, &s.SumOfCharges, &s.PaidAmount, &s.RoundingAmount}
		for _, a := range optional {
			if *a = amount(); seed.IntN(3) == 0 {
				*a = model.Amount{}
			}
		}
		if seed.IntN(3) == 0 {
			inv.ThirdPartyPayments = []model.ThirdPartyPayment{{Type: model.NewText("Parken"), Amount: amount(), Description: model.NewText("Schein")}}
		}
		if seed.IntN(3) == 0 {
			inv.VatAccountingCurrencyCode, s.TaxTotalAmountInAccountingCurrency = model.NewText("SEK"), amount()
		}
		net := s.SumOfLineNetAmounts.Value.Sub(s.SumOfAllowances.Value).Add(s.SumOfCharges.Value)
		gross := net.Add(s.TaxTotalAmount.Value)
		due := gross.Sub(s.PaidAmount.Value).Add(s.RoundingAmount.Value)
		for _, p := range inv.ThirdPartyPayments {
			due = due.Add(p.Amount.Value)
		}
		s.TotalAmountWithoutVat, s.TotalAmountWithVat, s.AmountDueForPayment = model.AmountOf(net), model.AmountOf(gross), model.AmountOf(due)
		_, printedDue, err := addedDown(rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data))
		if err != nil || !printedDue.Equal(due) {
			t.Errorf("%+v: %v; %s is due, and %s on the page", *s, err, due, printedDue)
		}
	}
}

// Lines are not added to the sums, also where a column of theirs begins where the labels of the
// sums do.
func TestLinesAreNotAddedToSums(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 41))
	units, categories := []string{"H87", "HUR", "KGM", "MTK", "C62", "XPK"}, []string{"S", "E", "AE", "Z"}
	hits := 0
	for range 100 {
		inv := small(t, 1+seed.IntN(3))
		unit, category := units[seed.IntN(len(units))], categories[seed.IntN(len(categories))]
		for i := range inv.Lines {
			l := &inv.Lines[i]
			l.InvoicedQuantityUnitCode, l.Vat.CategoryCode = model.NewText(unit), model.NewText(category)
			l.Price.NetPrice = model.NewAmount(fmt.Sprintf("%.*f", 2+seed.IntN(3), math.Pow10(seed.IntN(7))))
			l.NetAmount = model.NewAmount(fmt.Sprintf("%.2f", math.Pow10(seed.IntN(7))))
		}
		sheets := rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data)
		rows := sheets[0]
		sums := slices.IndexFunc(rows, func(r printedRow) bool { return strings.Contains(r.text(), "Summe der Positionen") })
		label := rows[sums][slices.IndexFunc(rows[sums], func(w text.Word) bool { return w.Text == "Summe" })].Box.Left
		if slices.ContainsFunc(rows[:sums], func(r printedRow) bool {
			_, _, _, amount := r.amountAt()
			return amount && slices.ContainsFunc(r, func(w text.Word) bool { return math.Abs(w.Box.Left-label) < 1 })
		}) {
			hits++
		}
		if summands, due, err := addedDown(sheets); err != nil || summands != 2 || !due.Equal(model.NewDecimal(119)) {
			t.Errorf("%d summands and %s due instead of 2 and 119: %v", summands, due, err)
		}
	}
	if hits < 5 {
		t.Errorf("on %d pages a column of the lines begins where the labels of the sums do; the test needs at least 5", hits)
	}
}

// The table of allowances and charges adds down to what they change the sum of the lines by, and a
// rate says all of a plain category.
func TestAdjustmentsAddDown(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 40))
	for run := range 40 {
		inv := small(t, 1)
		want := model.NewDecimal(0)
		amount := func() model.Amount {
			return model.NewAmount(fmt.Sprintf("%.2f", float64(seed.IntN(200_000)-50_000)/100))
		}
		s, rate := model.NewText("S"), model.NewNumber("19")
		for range 1 + seed.IntN(6) {
			a := amount()
			if seed.IntN(2) == 0 {
				want = want.Sub(a.Value)
				inv.Allowances = append(inv.Allowances, model.DocumentAllowance{Amount: a, Reason: model.NewText("Rabatt"), Vat: &model.AllowanceVat{CategoryCode: s, Rate: rate}})
			} else {
				want = want.Add(a.Value)
				inv.Charges = append(inv.Charges, model.DocumentCharge{Amount: a, Reason: model.NewText("Fracht"), Vat: &model.ChargeVat{CategoryCode: s, Rate: rate}})
			}
		}
		got, open := model.NewDecimal(0), false
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data) {
			for _, r := range rows {
				switch text := r.text(); {
				case strings.Contains(text, "Nachlässe und Zuschläge"):
					open = true
				case r[0].Size > 10.2 && r[0].Bold:
					open = false
				case open && (strings.HasPrefix(text, "Nachlass ") || strings.HasPrefix(text, "Zuschlag ")):
					if strings.Contains(text, " S ") || !strings.Contains(text, "19 %") {
						t.Errorf("run %d: %q", run, text)
					}
					a, _, _, _ := r.amountAt()
					got = got.Add(a)
				}
			}
		}
		if !got.Equal(want) {
			t.Errorf("run %d: the table adds down to %s, want %s", run, got, want)
		}
	}
}

// What the buyer makes for the seller has the buyer's letterhead, return line and foot, and the
// seller in the window.
func TestSelfBilledLetter(t *testing.T) {
	for _, code := range []string{"261", "389", "527"} {
		for _, lookName := range []string{"din5008", "french"} {
			inv := small(t, 1)
			inv.TypeCode, inv.Buyer.VatIdentifier, inv.Seller.VatIdentifier = model.NewText(code), model.NewText("ATU99999999"), model.NewText("DE136695976")
			l, err := look.BuiltIn(lookName)
			if err != nil {
				t.Fatal(err)
			}
			if in := regionsOf(t, inv, lookName); in["buyer.name"][0] != "sender" || in["seller.name"][0] != "recipient" {
				t.Errorf("%s, %s: HTML is from %q to %q", lookName, code, in["buyer.name"], in["seller.name"])
			}
			rows := rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)[0]
			var window, foot []string
			for _, r := range rows {
				for _, w := range r {
					if strings.Contains(w.Text, "DE136695976") && w.Size < 8.99 {
						t.Errorf("%s, %s: who is to pay VAT is small print of %.1f points", lookName, code, w.Size)
					}
				}
				switch at := r[0].Box.Bottom; {
				case at > 0.17*842 && at < 0.33*842:
					window = append(window, r.text())
				case at > 0.86*842:
					foot = append(foot, r.text())
				}
			}
			if !strings.HasPrefix(rows[0].text(), "Käufer AG") || !strings.Contains(strings.Join(window, "\n"), "Ölmühle Süd GmbH") {
				t.Errorf("%s, %s: the letter is from %q to %q", lookName, code, rows[0].text(), window)
			}
			if all := strings.Join(foot, "\n"); !strings.Contains(all, "Käufer AG") || strings.Contains(all, "Ölmühle") || strings.Contains(all, "DE136695976") || strings.Contains(all, "IBAN") {
				t.Errorf("%s, %s: the foot is %q", lookName, code, all)
			}
		}
	}
}

// Amounts that are parts or sums of others stand in brackets, with a word that says which.
func TestPartsStandInBrackets(t *testing.T) {
	inv := small(t, 2)
	sub := func(subtype, amount string) model.Line {
		l := *decodeLine(t, `{"identifier": "1.1", "item": {"name": "Teil"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "H87", "netAmount": `+amount+`}`)
		if subtype != "" {
			l.StatusReasonCode = model.NewText(subtype)
		}
		return l
	}
	inv.Lines[0].StatusReasonCode, inv.Lines[0].NetAmount = model.NewText("GROUP"), model.NewAmount("93.10")
	inv.Lines[0].SubLines = []model.Line{sub("", "36.05"), sub("DETAIL", "57.05"), sub("INFORMATION", "12.34")}
	inv.Lines[1].SubLines = []model.Line{sub("", "3.33")}
	made := printed(t, inv, page.Options{Language: "de"})
	lines, parts := 0.0, 0.0 // from the left
	for _, r := range rowsOf(t, made.Data)[0] {
		for _, w := range r {
			if w.Text == "Rapsöl," {
				lines = w.Box.Left
			} else if w.Text == "Teil" {
				parts = w.Box.Left
			}
		}
	}
	if lines == 0 || parts < lines+5 {
		t.Errorf("lines begin at %.1f, and their parts at %.1f", lines, parts)
	}
	text := strings.Join(pagesOf(t, made.Data), "\n")
	for value, word := range map[string]string{"93,10": "Gruppensumme", "12,34": "davon", "3,33": "davon", "36,05": "", "57,05": "", "10,50": ""} {
		bracketed := strings.Contains(compact(text), compact(word+"("+value+")"))
		if bracketed != (word != "") {
			t.Errorf("%s: in brackets: %v, want the word %q", value, bracketed, word)
		}
	}
}

// Lines that name the line that they belong to are indented below it, as sub lines are, as deep as
// they are, on paper and in HTML.
func TestLinesOfLinesAreIndented(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 5))
	for range 12 {
		inv := small(t, 0)
		var depths []int
		for i := range 4 + seed.IntN(8) {
			line := decodeLine(t, fmt.Sprintf(`{"identifier": "%d", "item": {"name": "Teil%dx"}, "invoicedQuantity": 1, "invoicedQuantityUnitCode": "H87", "netAmount": 3}`, i+1, i))
			depth := 0
			if i > 0 && seed.IntN(3) > 0 {
				of := seed.IntN(i)
				depth, line.ParentLineIdentifier = depths[of]+1, model.NewText(fmt.Sprint(of+1))
			}
			depths, inv.Lines = append(depths, depth), append(inv.Lines, *line)
		}
		inv.Lines[0].ParentLineIdentifier = model.NewText([]string{"1", "unknown"}[seed.IntN(2)])
		lefts := map[int]float64{} // of names, by their depth
		for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data) {
			for _, r := range rows {
				for _, w := range r {
					if n := 0; strings.HasPrefix(w.Text, "Teil") {
						if _, err := fmt.Sscanf(w.Text, "Teil%dx", &n); err != nil {
							t.Fatal(err)
						}
						depth := min(depths[n], 6)
						if lefts[depth] == 0 {
							lefts[depth] = w.Box.Left
						}
						if math.Abs(lefts[depth]-w.Box.Left) > 0.5 || depth > 0 && lefts[depth-1] > 0 && w.Box.Left < lefts[depth-1]+5 {
							t.Errorf("line %d, %d deep, begins at %.1f, others at %v", n+1, depth, w.Box.Left, lefts)
						}
					}
				}
			}
		}
		made, err := page.HTML(t.Context(), inv, page.Options{Language: "de"})
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth <= 6; depth++ {
			want := 0
			for _, d := range depths {
				if min(d, 6) == depth {
					want++
				}
			}
			if n := strings.Count(string(made.Data), fmt.Sprintf(`<tr class="sub%d"`, depth)); n != want {
				t.Errorf("HTML has %d rows that are %d deep, want %d", n, depth, want)
			}
		}
	}
}

// Discounts and days of payment are rows of one table: the day and the amount of each, and what
// is due without a discount is told beside the amount due.
func TestPaymentTable(t *testing.T) {
	inv := small(t, 1)
	inv.PaymentDueDate, inv.PaymentTerms = model.NewDate("2026-12-05"), model.NewText("Mit Skonto bis")
	further := decode(t, `{"paymentTermsDetails": {"earlyPaymentDiscount": {"baseDate": "2026-11-21", "periodLength": 14, "periodUnitCode": "DAY", "percentage": 2}},
		"furtherPaymentTerms": [{"description": "Zahlbar ohne Abschlag bis", "dueDate": "2026-12-21"}]}`)
	inv.PaymentTermsDetails, inv.FurtherPaymentTerms = further.PaymentTermsDetails, further.FurtherPaymentTerms
	var rows []string
	for _, sheet := range rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data) {
		for _, r := range sheet {
			rows = append(rows, r.text())
		}
	}
	all := strings.Join(rows, "\n")
	for _, want := range []string{
		"05.12.2026 116,62 Mit Skonto bis 05.12.2026", "2 % Skonto, Frist 14 Tage ab 21.11.2026", "21.12.2026 119,00 Zahlbar ohne Abschlag bis 21.12.2026", "fällig am 21.12.2026",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("there is no row %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "Fällig am 05.12.2026") || strings.Contains(all, "fällig am 05.12.2026") {
		t.Errorf("the last day of the discount is called the due date:\n%s", all)
	}
}

// Whatever discounts are agreed, each has a row with its last day and with what is to be paid then,
// and the whole amount has one with the due date.
func TestPaymentTablesByChance(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 6))
	for run := range 30 {
		inv := small(t, 1)
		due := int64(10_000 + seed.IntN(1_000_000)) // cents
		inv.Totals.AmountDueForPayment = model.NewAmount(fmt.Sprintf("%d.%02d", due/100, due%100))
		inv.PaymentTerms = model.Text{}
		var want, terms []string
		for range 1 + seed.IntN(4) {
			days, percent := 3+seed.IntN(60), 1+seed.IntN(9)
			left := due - (due*int64(percent)+50)/100
			want = append(want, time.Date(2026, 11, 21+days, 0, 0, 0, 0, time.UTC).Format("02.01.2006")+" "+number(fmt.Sprintf("%d.%02d", left/100, left%100), 2, ",", "."))
			terms = append(terms, fmt.Sprintf(`{"earlyPaymentDiscount": {"baseDate": "2026-11-21", "periodLength": %d, "periodUnitCode": "DAY", "percentage": %d}}`, days, percent))
		}
		last := time.Date(2026, 11, 21+70+seed.IntN(60), 0, 0, 0, 0, time.UTC)
		terms = append(terms, fmt.Sprintf(`{"description": "ohne Abzug", "dueDate": %q}`, last.Format(time.DateOnly)))
		want = append(want, last.Format("02.01.2006")+" "+number(inv.Totals.AmountDueForPayment.Raw, 2, ",", "."))
		inv.FurtherPaymentTerms = decode(t, `{"furtherPaymentTerms": [`+strings.Join(terms, ",")+`]}`).FurtherPaymentTerms
		var all strings.Builder
		for _, sheet := range rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data) {
			for _, r := range sheet {
				all.WriteString(r.text() + "\n")
			}
		}
		for _, row := range want {
			if !strings.Contains(all.String(), row) {
				t.Errorf("run %d: there is no row %q of %q in\n%s", run, row, terms, all.String())
			}
		}
	}
}

// Credit notes call nothing of themselves an invoice, in any language.
func TestCreditNotesAreNoInvoices(t *testing.T) {
	for _, tag := range tongue.Tags() {
		l := language.Load(tag)
		inv := small(t, 1)
		inv.TypeCode = model.NewText("381")
		inv.PrecedingInvoices = []model.PrecedingInvoice{{Reference: model.NewText("R-0")}}
		text := strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: tag}).Data), "\n")
		for _, key := range []string{"number", "lines", "precedingInvoices"} {
			word := l.Labels[key]
			if key == "lines" {
				word = l.Words[key]
			}
			if strings.Contains(text, word) && !strings.Contains(l.Credit[key], word) || !strings.Contains(compact(text), compact(l.Credit[key])) {
				t.Errorf("%s: want %q in place of %q in\n%s", tag, l.Credit[key], word, text)
			}
		}
	}
}

// A category that lines have as a code is said in words with the same code: in the breakdown,
// or at the line where that lacks it.
func TestCategoriesHaveALegend(t *testing.T) {
	for _, tag := range tongue.Tags() {
		names := language.Load(tag).Codes["categoryCode"]
		for _, code := range []string{"K", "E", "AE", "G", "O", "Z", "L", "M"} {
			for _, inBreakdown := range []bool{true, false} {
				inv := small(t, 1)
				inv.Lines[0].Vat.CategoryCode, inv.Lines[0].Vat.Rate = model.NewText(code), model.NewNumber("0")
				want := names[code]
				if inBreakdown {
					inv.VatBreakdowns[0].CategoryCode, inv.VatBreakdowns[0].Rate = model.NewText(code), model.NewNumber("0")
					want += "(" + code + ")"
				}
				if text := textOf(t, inv, tag); !strings.Contains(text, bare(want)) {
					t.Errorf("%s, %s, in the breakdown: %v: there is no %q", tag, code, inBreakdown, want)
				}
			}
		}
	}
}

// A test and a copy are marked across each page and in the title, of the window too.
func TestStamps(t *testing.T) {
	for _, c := range []struct {
		test, copied, across, title string
	}{{"true", "", "TEST", "Rechnung (Test) R-1"}, {"", "1", "KOPIE", "Rechnung (Kopie) R-1"}, {"true", "true", "TEST", "Rechnung (Test) (Kopie) R-1"}, {"false", "0", "", "Rechnung R-1"}} {
		inv := small(t, 60)
		if c.test != "" {
			inv.TestIndicator = model.NewText(c.test)
		}
		if c.copied != "" {
			inv.CopyIndicator = model.NewText(c.copied)
		}
		made := printed(t, inv, page.Options{Language: "de"})
		if !strings.Contains(uncompressed(t, made.Data), "/Title") || !strings.Contains(strings.Join(pagesOf(t, made.Data), "\n"), c.title) {
			t.Errorf("%+v: the title is another", c)
		}
		for i, text := range pagesOf(t, made.Data) {
			if got := strings.Contains(text, "TEST") || strings.Contains(text, "KOPIE"); got != (c.across != "") || !strings.Contains(text, c.across) {
				t.Errorf("%+v: page %d is marked: %v", c, i+1, got)
			}
		}
	}
}
