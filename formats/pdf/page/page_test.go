package page_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/tongue"
)

func read(t testing.TB, file string) *model.Invoice {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return doc.Invoice
}

func printed(t testing.TB, inv *model.Invoice, o page.Options) *page.Rendered {
	t.Helper()
	r, err := page.PDF(t.Context(), inv, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pagesOf is the text of the pages of a PDF.
func pagesOf(t testing.TB, data []byte) []string {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := text.Pages(c)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// decode reads an invoice from JSON.
func decode(t testing.TB, text string) *model.Invoice {
	t.Helper()
	inv := &model.Invoice{}
	if err := json.Unmarshal([]byte(text), inv); err != nil {
		t.Fatal(err)
	}
	return inv
}

// small is an invoice with n lines.
func small(t testing.TB, n int) *model.Invoice {
	t.Helper()
	inv := decode(t, `{"number": "R-1", "issueDate": "2026-11-21", "typeCode": "380", "currencyCode": "EUR",
		"seller": {"name": "Ölmühle Süd GmbH", "postalAddress": {"city": "Ulm", "countryCode": "DE"}},
		"buyer": {"name": "Käufer AG", "postalAddress": {"city": "Wien", "countryCode": "AT"}},
		"paymentInstructions": {"remittanceInformation": "R-1", "means": [{"typeCode": "58", "creditTransfers":
			[{"accountIdentifier": "DE89 3704 0044 0532 0130 00", "accountName": "Ölmühle Süd GmbH"}]}]},
		"vatBreakdowns": [{"taxableAmount": 100, "taxAmount": 19, "categoryCode": "S", "rate": 19}],
		"totals": {"sumOfLineNetAmounts": 100, "totalAmountWithoutVat": 100, "taxTotalAmount": 19,
			"totalAmountWithVat": 119, "amountDueForPayment": 119}}`)
	for i := range n {
		inv.Lines = append(inv.Lines, *decodeLine(t, fmt.Sprintf(`{"identifier": "%d", "invoicedQuantity": 2,
			"invoicedQuantityUnitCode": "H87", "netAmount": 10.5, "price": {"netPrice": 5.25},
			"vat": {"categoryCode": "S", "rate": 19}, "item": {"name": "Rapsöl, kaltgepresst %d"}}`, i+1, i+1)))
	}
	return inv
}

func decodeLine(t testing.TB, text string) *model.Line {
	t.Helper()
	line := &model.Line{}
	if err := json.Unmarshal([]byte(text), line); err != nil {
		t.Fatal(err)
	}
	return line
}

func TestSameBytes(t *testing.T) {
	inv := read(t, "../../cii/testdata/full.xml")
	first := printed(t, inv, page.Options{Language: "de"})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			again, err := page.PDF(t.Context(), inv, page.Options{Language: "de"})
			if err != nil || !bytes.Equal(again.Data, first.Data) {
				t.Errorf("the same invoice gives other bytes (%v)", err)
			}
		})
	}
	wait.Wait()
	later := printed(t, inv, page.Options{Language: "de", Date: model.NewDate("2030-01-02")})
	if bytes.Equal(later.Data, first.Data) || !bytes.Contains(later.Data, []byte("2030-01-02T00:00:00")) {
		t.Error("the date of creation is not the one that was given")
	}
}

// A PDF can be of every day that an invoice can be of, the zero of time.Time among them.
func TestDaysOfAllYears(t *testing.T) {
	days := []string{"0001-01-01", "0001-01-02", "0004-02-29", "1582-10-10", "1969-12-31", "1970-01-01", "9999-12-31"}
	for range 20 {
		days = append(days, time.Date(1+rand.IntN(9999), time.Month(1+rand.IntN(12)), 1+rand.IntN(28), 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	for _, day := range days {
		inv := small(t, 1)
		inv.IssueDate = model.NewDate(day)
		of := printed(t, inv, page.Options{Language: "de"})
		given := printed(t, small(t, 1), page.Options{Language: "de", Date: model.NewDate(day)})
		for what, made := range map[string]*page.Rendered{"issue date": of, "option": given} {
			if !bytes.Contains(made.Data, []byte("<xmp:CreateDate>"+day+"T00:00:00")) {
				t.Errorf("%s: the PDF is not of the day of its %s", day, what)
			}
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	for _, tag := range []string{"tlh", "xx-invalid-language", "1", "../de"} {
		_, err := page.PDF(t.Context(), small(t, 1), page.Options{Language: tag})
		if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != tongue.CodeUnknown || !strings.Contains(e.Message, tag) || !strings.Contains(e.Remedy, "de, en, ") {
			t.Errorf("%s: got %v", tag, err)
		}
	}
	if _, err := page.PDF(t.Context(), small(t, 1), page.Options{Language: "de-AT"}); err != nil {
		t.Error(err)
	}
}

func tooLong(err error) bool {
	e, ok := errors.AsType[*problem.Error](err)
	return ok && e.Code == compose.CodeTooLong
}

// Without a language that is asked for, that of the buyer's country counts, then that of
// the seller's.
func TestLanguageOfTheCountry(t *testing.T) {
	for _, c := range []struct{ seller, buyer, want string }{
		{"DE", "AT", "Rechnung"}, {"DE", "FR", "Facture"}, {"FR", "DE", "Rechnung"},
		{"IT", "GR", "Fattura"}, {"GR", "GR", "Invoice"}, {"", "", "Invoice"}, {"DE", "BE", "Factuur"}, {"de", "Deutschland", "Rechnung"}, {"PL", "US", "Invoice"},
	} {
		inv := small(t, 1)
		inv.Seller.PostalAddress.CountryCode, inv.Buyer.PostalAddress.CountryCode = model.NewText(c.seller), model.NewText(c.buyer)
		if text := strings.Join(pagesOf(t, printed(t, inv, page.Options{}).Data), "\n"); !strings.Contains(text, c.want+" R-1") {
			t.Errorf("from %q to %q: the pages have no %q", c.seller, c.buyer, c.want)
		}
	}
}

func TestTooLong(t *testing.T) {
	_, err := page.PDF(t.Context(), small(t, 300), page.Options{Pages: 3})
	if !tooLong(err) || !strings.Contains(err.Error(), "more than 3 pages") {
		t.Errorf("got %v", err)
	}
	inv := small(t, 1)
	inv.Notes = []model.Note{{Text: model.NewText(strings.Repeat("a\n", 100_000))}}
	if _, err := page.PDF(t.Context(), inv, page.Options{Pages: 50}); !tooLong(err) {
		t.Errorf("got %v", err)
	}
}

// A table that is broken repeats its header and carries the sum forward.
func TestBrokenTable(t *testing.T) {
	r := printed(t, small(t, 120), page.Options{Language: "en"})
	pages := pagesOf(t, r.Data)
	if len(pages) != r.Pages || r.Pages < 4 {
		t.Fatalf("%d pages, %d said", len(pages), r.Pages)
	}
	for i, page := range pages[:len(pages)-1] {
		last := strings.Contains(page, "Rapsöl, kaltgepresst 120")
		if !strings.Contains(page, "Unit price") {
			t.Errorf("page %d has no header", i+1)
		}
		if strings.Contains(page, "Carried forward") == last {
			t.Errorf("page %d: carried forward is wrong:\n%s", i+1, page)
		}
		if strings.Contains(page, "Brought forward") != (i > 0) {
			t.Errorf("page %d: brought forward is wrong", i+1)
		}
		if !strings.Contains(page, fmt.Sprintf("Page %d of %d", i+1, r.Pages)) {
			t.Errorf("page %d does not say its number", i+1)
		}
		if last {
			break
		}
		n := strings.Count(strings.Join(pages[:i+1], ""), "kaltgepresst")
		if want := fmt.Sprintf("%d.%d0", n*105/10, n*105%10); n < 90 && !strings.Contains(page, want) {
			t.Errorf("page %d does not carry %s for %d lines:\n%s", i+1, want, n, page)
		}
	}
}

func TestOddTexts(t *testing.T) {
	for _, c := range []struct{ name, text, want, missing string }{
		{"Greek, Cyrillic, Polish, Czech", "Ωμέγα Жук źdźbło řeřicha", "Ωμέγα Жук źdźbło řeřicha", ""},
		{"composed", "Zu\u0308rich", "Zürich", ""},
		{"control characters", "a\x00b\x1bc\u200bd\u202ee", "abcde", ""},
		{"not UTF-8", "a\xffb", "a\ufffdb", ""},
		{"the other font", "→ ☑", "→ ☑", ""},
		{"no font", "漢 \U000F0000", "\ufffd \ufffd", "漢\U000F0000"},
	} {
		inv := small(t, 1)
		inv.Buyer.Name = model.NewText(c.text)
		r := printed(t, inv, page.Options{})
		if text := strings.Join(pagesOf(t, r.Data), "\n"); !strings.Contains(text, c.want) {
			t.Errorf("%s: %q is not in the text:\n%s", c.name, c.want, text)
		}
		if string(r.Missing) != c.missing {
			t.Errorf("%s: missing are %q, want %q", c.name, string(r.Missing), c.missing)
		}
	}
}

// An absent amount is not shown as zero, and a text that is not a number is shown as it was
// written.
func TestValuesAsWritten(t *testing.T) {
	inv := small(t, 1)
	inv.Totals.PaidAmount = model.NewAmount("12,5 Euro")
	inv.PaymentDueDate = model.NewDate("soon")
	inv.Totals.RoundingAmount = model.NewAmount("-0.123456789012345678901234567890")
	inv.Lines[0].InvoicedQuantity = model.NewNumber("1234567.50")
	text := compact(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de"}).Data), ""))
	for _, want := range []string{"12,5Euro", "soon", "-0,12345678901234567890123456789", "1.234.567,5"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not printed", want)
		}
	}
	if strings.Contains(text, "SummederNachlässe") {
		t.Error("a sum that is absent is printed")
	}
}

// A trading name that is the name of the party is printed once; another one beside it.
func TestTradingName(t *testing.T) {
	for trading, want := range map[string]int{"Nordwind Handel": 1, "Nordwind": 2, "": 1} {
		inv := small(t, 1)
		inv.Buyer.Name, inv.Buyer.TradingName = model.NewText("Nordwind Handel"), model.NewText(trading)
		text := compact(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de"}).Data), ""))
		if got := strings.Count(text, "Nordwind"); got != want {
			t.Errorf("trading name %q: the name is there %d times, want %d", trading, got, want)
		}
	}
}

// A trading name that is the seller's name is printed as little as none, in the look of a
// letter too, where the name stands in the letterhead and above the seller's block.
func TestTradingNameOfTheSeller(t *testing.T) {
	names := func(trading string) int {
		inv := small(t, 1)
		inv.Seller.Name, inv.Seller.TradingName = model.NewText("Nordwind Handel"), model.NewText(trading)
		return strings.Count(compact(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de"}).Data), "")), "Nordwind")
	}
	if got, want := names("Nordwind Handel"), names(""); got != want {
		t.Errorf("the name is there %d times with a trading name that says the same, and %d times without one", got, want)
	}
}

// An empty invoice has one page.
func TestEmptyInvoice(t *testing.T) {
	for _, language := range tongue.Tags() {
		if r := printed(t, &model.Invoice{}, page.Options{Language: language}); r.Pages != 1 {
			t.Errorf("%s: %d pages", language, r.Pages)
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("Rapsöl", "12.50", "a b\nc")
	f.Add("", "1e9", strings.Repeat("x", 3000))
	f.Add(" \n ", "-0", "\u202e\U0001F600 \xff")
	f.Fuzz(func(t *testing.T, name, amount, note string) {
		inv := small(t, 1)
		inv.Number, inv.TypeCode, inv.CurrencyCode = model.NewText(name), model.NewText(note), model.NewText(amount)
		inv.Seller.Name = model.NewText(note)
		inv.Seller.PostalAddress.CountryCode = model.NewText(name)
		inv.Lines[0].NetAmount = model.NewAmount(amount)
		inv.Lines[0].Item.Name = model.NewText(note)
		inv.Lines[0].Item.Attributes = []model.ItemAttribute{{Name: model.NewText(name), Value: model.NewText(note)}}
		inv.Notes = []model.Note{{SubjectCode: model.NewText(name), Text: model.NewText(note)}}
		r, err := page.PDF(t.Context(), inv, page.Options{Language: "fr", Pages: 100})
		if tooLong(err) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(pagesOf(t, r.Data)) != r.Pages {
			t.Error("pages are missing")
		}
	})
}

func BenchmarkPDF(b *testing.B) {
	for _, c := range []struct{ lines, pages int }{{5, 1}, {230, 10}, {2600, 100}} {
		inv := small(b, c.lines)
		b.Run(fmt.Sprintf("%dpages", c.pages), func(b *testing.B) {
			b.ReportAllocs()
			pages := 0
			for b.Loop() {
				pages = printed(b, inv, page.Options{}).Pages
			}
			b.ReportMetric(float64(pages), "pages")
		})
	}
}

func compact(s string) string { return strings.Join(strings.Fields(s), "") }

func suite(t *testing.T, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../../../shared/suites", name, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
