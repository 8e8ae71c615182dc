package page_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
)

// everyDocument has the adding proof read the pages of all documents of the suites.
var everyDocument = flag.Bool("adding-all", false, "add up the pages of all documents of the suites, which takes a minute")

// A printedRow is a row of words on a page, from left to right.
type printedRow []text.Word

func (r printedRow) text() string {
	words := make([]string, len(r))
	for i, w := range r {
		words[i] = w.Text
	}
	return strings.Join(words, " ")
}

func (r printedRow) last() text.Word { return r[len(r)-1] }

// rowsOf are the rows of words of each page of a PDF, as far as they stand upright.
func rowsOf(t testing.TB, data []byte) (sheets [][]printedRow) {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := text.Words(c, text.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, sheet := range read {
		var rows []printedRow
		words := slices.DeleteFunc(sheet.Words, func(w text.Word) bool { return w.Turned || w.Size > 40 })
		slices.SortStableFunc(words, func(a, b text.Word) int {
			return int(10*a.Box.Bottom) - int(10*b.Box.Bottom)
		})
		for _, w := range words {
			if n := len(rows); n > 0 && w.Box.Bottom-rows[n-1][0].Box.Bottom < 1.5 {
				rows[n-1] = append(rows[n-1], w)
				continue
			}
			rows = append(rows, printedRow{w})
		}
		for _, r := range rows {
			slices.SortStableFunc(r, func(a, b text.Word) int { return int(10*a.Box.Left) - int(10*b.Box.Left) })
		}
		sheets = append(sheets, rows)
	}
	return sheets
}

var germanAmount = regexp.MustCompile(`^-?[0-9]{1,3}(\.?[0-9]{3})*,[0-9]{2,}$`)

// amountAt is the amount at the end of a row, and where it ends; a currency may be behind it.
func (r printedRow) amountAt() (amount model.Decimal, word text.Word, right float64, found bool) {
	for i := len(r) - 1; i >= max(0, len(r)-2); i-- {
		if germanAmount.MatchString(r[i].Text) {
			return german(r[i].Text), r[i], r.last().Box.Right, true
		}
	}
	return amount, word, 0, false
}

// cells are the words of a row in the cells of a table: those of one text are a blank apart.
func (r printedRow) cells() (cells []printedRow) {
	for i, w := range r {
		if n := len(cells); n > 0 && w.Box.Left-r[i-1].Box.Right < w.Size/2 {
			cells[n-1] = append(cells[n-1], w)
			continue
		}
		cells = append(cells, printedRow{w})
	}
	return cells
}

// labels reports whether the cell before the last one, with the amount, begins at left: rows of
// totals have a label and an amount, and rows of lines more cells than these.
func (r printedRow) labels(left float64) bool {
	cells := r.cells()
	if len(cells) < 2 {
		return false
	}
	begins := cells[len(cells)-2][0].Box.Left
	return begins > left-1 && begins < left+1
}

func german(s string) model.Decimal {
	return model.MustDecimal(strings.ReplaceAll(strings.ReplaceAll(s, ".", ""), ",", "."))
}

// addedDown adds the amounts of the column that ends with the amount due: bold ones are sums of
// what is above, others are added. The column begins below the last row that has an amount at its
// end and no label where the amount due has one. It knows nothing of what the rows are called.
func addedDown(sheets [][]printedRow) (summands int, due model.Decimal, err error) {
	for _, rows := range sheets {
		for i := len(rows) - 1; i >= 0; i-- {
			dueAmount, word, right, found := rows[i].amountAt()
			if !found || word.Size < 10.9 || word.Size > 11.5 || !word.Bold {
				continue
			}
			left := rows[i][slices.IndexFunc(rows[i], func(w text.Word) bool { return w.Size > 10.9 })].Box.Left
			column := []int{}
			for j, below := i-1, rows[i][0].Box.Bottom; j >= 0 && below-rows[j][0].Box.Bottom < 80; j-- {
				_, w, edge, is := rows[j].amountAt()
				if !is || edge < right-1 || edge > right+1 {
					continue
				}
				if w.Size >= 10 || !rows[j].labels(left) {
					break
				}
				column, below = append(column, j), rows[j][0].Box.Bottom
			}
			slices.Reverse(column)
			sum := model.NewDecimal(0)
			for _, j := range column {
				amount, w, _, _ := rows[j].amountAt()
				if !w.Bold {
					sum, summands = sum.Add(amount), summands+1
				} else if !sum.Equal(amount) {
					return summands, dueAmount, fmt.Errorf("%q stands below amounts of %s", rows[j].text(), sum)
				}
			}
			if !sum.Equal(dueAmount) {
				return summands, dueAmount, fmt.Errorf("%q stands below amounts of %s", rows[i].text(), sum)
			}
			return summands, dueAmount, nil
		}
	}
	return 0, due, fmt.Errorf("no amount due is found")
}

// addsItself reports whether the totals of a document agree with each other, by the equations of
// the standard (BR-CO-13, 15 and 16, and BR-DEX-09), worked out here.
func addsItself(inv *model.Invoice) bool {
	t := inv.Totals
	if t == nil || !t.AmountDueForPayment.Valid {
		return false
	}
	valid := true
	of := func(a model.Amount) model.Decimal {
		valid = valid && (a.Valid || !a.Present)
		return a.Value
	}
	net := of(t.SumOfLineNetAmounts).Sub(of(t.SumOfAllowances)).Add(of(t.SumOfCharges))
	gross := of(t.TotalAmountWithoutVat).Add(of(t.TaxTotalAmount))
	due := of(t.TotalAmountWithVat).Sub(of(t.PaidAmount)).Add(of(t.RoundingAmount))
	for _, p := range inv.ThirdPartyPayments {
		due = due.Add(of(p.Amount))
	}
	for _, p := range inv.FinancialAdjustments {
		due = due.Add(of(p.Amount))
	}
	return valid && t.SumOfLineNetAmounts.Present && t.TotalAmountWithoutVat.Present && t.TotalAmountWithVat.Present &&
		net.Equal(t.TotalAmountWithoutVat.Value) && gross.Equal(t.TotalAmountWithVat.Value) && due.Equal(t.AmountDueForPayment.Value)
}

// adding is of how many documents make test takes one.
const adding = 3

// The column of the totals adds down to the amount due on the pages of every document whose own
// totals agree with each other; so do the amounts of its lines, without those in brackets.
func TestPagesAddUp(t *testing.T) {
	folders := []string{"xrechnung-testsuite", "zugferd-corpus/xml", "cen-examples"}
	if *everyDocument {
		folders = append(folders, "cen-unit", "xrechnung-history", "xrechnung-schematron")
	}
	var files []string
	for _, name := range folders {
		files = append(files, suite(t, name)...)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no invoices to add up")
	}
	added, summands, accounts, unread := 0, 0, 0, 0
	var contradictory []string
	for i, file := range files {
		if !sampled.Takes(i, adding) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			unread++
			continue
		}
		name := filepath.Base(file)
		sheets := rowsOf(t, printed(t, doc.Invoice, page.Options{Language: "de"}).Data)
		accounts += accountsTogether(t, name, doc.Invoice, sheets)
		if !addsItself(doc.Invoice) {
			contradictory = append(contradictory, name)
			continue
		}
		n, due, err := addedDown(sheets)
		if err != nil || !due.Equal(doc.Invoice.Totals.AmountDueForPayment.Value) {
			t.Errorf("%s: %v; the amount due is %s, and on the page %s", name, err, doc.Invoice.Totals.AmountDueForPayment.Raw, due)
			continue
		}
		added, summands = added+1, summands+n
		linesAddUp(t, name, doc.Invoice, sheets)
	}
	t.Logf("%d documents: %d add down to their amount due (%d summands), %d have totals that contradict each other or lack one, %d are not invoices; %d accounts stand together",
		len(files), added, summands, len(contradictory), unread, accounts)
	if added < sampled.Of(100, adding) || accounts < sampled.Of(50, adding) {
		t.Errorf("only %d documents were added up, and %d accounts found", added, accounts)
	}
}

// linesAddUp adds the amounts of lines as they are printed.
func linesAddUp(t *testing.T, name string, inv *model.Invoice, sheets [][]printedRow) {
	t.Helper()
	want := model.NewDecimal(0)
	inv.EachLine(func(l, around *model.Line) {
		if model.CountsInTotals(l.Subtype(around)) {
			want = want.Add(l.NetAmount.Value)
		}
	})
	got, right, open := model.NewDecimal(0), 0.0, false
	for _, rows := range sheets {
		for _, r := range rows {
			switch head := r.text(); {
			case strings.Contains(head, "Nettobetrag"):
				open, right = true, r.last().Box.Right
				continue
			case r[0].Size > 10.2 && r[0].Bold, strings.Contains(head, "Summe der Positionen"):
				open = false
			case strings.Contains(head, "Übertrag"), strings.Contains(head, "Vortrag"), r.last().Size < 8.5, r.last().Box.Right < right-1.5 || r.last().Box.Right > right+1.5:
				continue
			}
			if amount, w, _, is := r.amountAt(); open && is && w.Size > 8.5 {
				got = got.Add(amount)
			}
		}
	}
	if !got.Equal(want) {
		t.Errorf("%s: the lines that count are %s, and %s on the page", name, want, got)
	}
}

// accountsTogether wants the bank and the holder of each account in the paragraph of its number,
// nearer to it than to the number of any other, and returns how many there are.
func accountsTogether(t *testing.T, name string, inv *model.Invoice, sheets [][]printedRow) (n int) {
	t.Helper()
	if inv.Payment == nil {
		return 0
	}
	var accounts []model.CreditTransfer
	for _, m := range inv.Payment.Means {
		accounts = append(accounts, m.CreditTransfers...)
	}
	type place struct {
		text string  // of a row, without blanks
		y    float64 // from the top of the first page
	}
	var all []place
	for i, rows := range sheets {
		for _, r := range rows {
			all = append(all, place{bare(r.text()), float64(i)*1000 + r[0].Box.Bottom})
		}
	}
	at := func(value string) (found []float64) {
		for _, r := range all {
			if value = bare(value); value != "" && strings.Contains(r.text, value) {
				found = append(found, r.y)
			}
		}
		return found
	}
	least := func(a, b []float64) float64 {
		best := 1e9
		for _, i := range a {
			for _, j := range b {
				best = min(best, max(i-j, j-i))
			}
		}
		return best
	}
	for i, own := range accounts {
		iban := at(own.AccountIdentifier.Raw)
		for _, of := range []string{own.ServiceProviderIdentifier.Raw, own.AccountName.Raw} {
			places := at(of)
			if len(iban) == 0 || len(places) == 0 {
				continue // a long one is broken
			}
			for j, other := range accounts {
				shared := strings.Contains(other.ServiceProviderIdentifier.Raw+"\n"+other.AccountName.Raw+"\n"+own.AccountIdentifier.Raw, of) ||
					strings.Contains(own.AccountIdentifier.Raw, other.AccountIdentifier.Raw) || strings.Contains(other.AccountIdentifier.Raw, own.AccountIdentifier.Raw)
				if i != j && !shared && least(iban, places) >= least(at(other.AccountIdentifier.Raw), places) {
					t.Errorf("%s: %q stands nearer to the account %s than to its own, %s", name, of, other.AccountIdentifier.Raw, own.AccountIdentifier.Raw)
				}
			}
		}
		n++
	}
	return n
}
