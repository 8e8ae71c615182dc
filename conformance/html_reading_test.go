package conformance_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
)

// What a window shows, as a reader sees it: values with their places, in pixels.
const (
	// the amounts beside each other in the column of the sums, and whether they are bold
	shownSums = `[...document.querySelectorAll(".totals tr")].map(row => {
		const cell = row.lastElementChild, range = document.createRange();
		range.selectNodeContents(cell);
		const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
		return {Text: cell.innerText, Bold: getComputedStyle(text.parentNode).fontWeight >= 600, Right: range.getBoundingClientRect().right};
	})`
	// what belongs to accounts, with the middle of each value and how many lines it takes
	shownAccounts = `[...document.querySelectorAll(".payment [data-path*='creditTransfers']")].map(e => {
		const box = e.getBoundingClientRect();
		return {Path: e.dataset.path, X: box.left + box.width / 2, Y: box.top + box.height / 2, Lines: new Set([...e.getClientRects()].map(r => Math.round(r.top))).size};
	})`
	// the lines: how far their names are from the left, and their amounts
	shownLines = `[...document.querySelectorAll(".lines tbody tr")].map(row => {
		const name = row.querySelector("[data-path$='item.name']"), amount = row.querySelector("[data-path$='netAmount']");
		return {Path: amount.dataset.path, Left: name.getBoundingClientRect().left, Text: amount.closest("td").innerText};
	})`
	// columns of the foot that reach into each other
	shownFoot = `[...document.querySelectorAll(".foot > div")].flatMap((a, i, all) => all.slice(i + 1).filter(b => {
		const x = a.getBoundingClientRect(), y = b.getBoundingClientRect();
		return x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1;
	}).map(b => a.innerText + " | " + b.innerText))`
	// where the name of the seller is seen
	unseenLogos = `[...document.images].filter(e => {
		const box = e.getBoundingClientRect();
		return !e.complete || box.width < 40 || box.height < 2 || box.right > innerWidth;
	}).map(e => e.alt + " " + e.getBoundingClientRect().width)`
	shownSeller = `[...document.querySelectorAll("[data-path='seller.name']")].filter(e => {
		const box = e.getBoundingClientRect();
		return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1;
	}).map(e => e.closest("section")?.className ?? "")`
)

// manyWays is an invoice that has by chance what pages have to keep apart: accounts, sums of any
// sign, lines within lines, names of any length, marks of tests and copies.
func manyWays(seed *rand.Rand) *model.Invoice {
	inv := page.Sample()
	inv.Lines = inv.Lines[:1+seed.IntN(4)]
	amount := func() model.Amount {
		return model.NewAmount(fmt.Sprintf("%.2f", float64(seed.IntN(2_000_000)-500_000)/100))
	}
	for i := range inv.Lines {
		l := &inv.Lines[i]
		if seed.IntN(2) == 0 {
			sub := *l
			sub.SubLines, sub.Identifier = nil, model.NewText(fmt.Sprintf("%d.1", i+1))
			l.SubLines = []model.Line{sub, sub}
			if seed.IntN(2) == 0 {
				l.StatusReasonCode = model.NewText(model.LineGroup)
			}
		}
	}
	s := inv.Totals
	s.SumOfLineNetAmounts, s.TaxTotalAmount = amount(), amount()
	for _, a := range []*model.Amount{&s.SumOfAllowances, &s.SumOfCharges, &s.PaidAmount, &s.RoundingAmount} {
		if *a = amount(); seed.IntN(3) == 0 {
			*a = model.Amount{}
		}
	}
	net := s.SumOfLineNetAmounts.Value.Sub(s.SumOfAllowances.Value).Add(s.SumOfCharges.Value)
	gross := net.Add(s.TaxTotalAmount.Value)
	s.TotalAmountWithoutVat, s.TotalAmountWithVat = model.AmountOf(net), model.AmountOf(gross)
	s.AmountDueForPayment = model.AmountOf(gross.Sub(s.PaidAmount.Value).Add(s.RoundingAmount.Value))
	inv.Payment = &model.Payment{RemittanceInformation: model.NewText("ZWECK-1")}
	for m := range 1 + seed.IntN(3) {
		means := model.PaymentMeans{TypeCode: model.NewText("58")}
		for a := range 1 + seed.IntN(2) {
			means.CreditTransfers = append(means.CreditTransfers, model.CreditTransfer{
				AccountIdentifier: model.NewText(fmt.Sprintf("DE%02d3704004405320%02d%02d", 10+m, m, a)), ServiceProviderIdentifier: model.NewText(fmt.Sprintf("BANKDE%dF%dXX", m, a)),
				AccountName: model.NewText("Inhaber" + strings.Repeat(" und Söhne", seed.IntN(5))),
			})
		}
		inv.Payment.Means = append(inv.Payment.Means, means)
	}
	inv.Seller.Name = model.NewText("Nordlicht" + strings.Repeat(" Handels- und Verwaltungsgesellschaft", seed.IntN(4)))
	if seed.IntN(2) == 0 {
		inv.Seller.TradingName = model.NewText("Nordlicht Laden")
	}
	inv.TypeCode = model.NewText([]string{"380", "381", "389"}[seed.IntN(3)])
	if seed.IntN(3) == 0 {
		inv.TestIndicator = model.NewText("true")
	}
	if seed.IntN(3) == 0 {
		inv.CopyIndicator = model.NewText("true")
	}
	return inv
}

// anyLook is a built-in look, or one that look new makes of a logo of any shape and two colours.
func anyLook(t *testing.T, seed *rand.Rand) *look.Look {
	t.Helper()
	based := look.Names()[seed.IntN(len(look.Names()))]
	if seed.IntN(3) == 0 {
		l, err := look.BuiltIn(based)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	colour := func() string { return fmt.Sprintf("#%06X", seed.IntN(1<<24)) }
	text, err := page.NewLook("own", based, "logo.svg", colour(), colour())
	if err != nil {
		t.Fatal(err)
	}
	width, height := 1+seed.IntN(900), 1+seed.IntN(300)
	logo := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><rect width="%d" height="%d" fill="%s"/></svg>`, width, height, width, height, colour())
	l, err := page.ReadLook(fstest.MapFS{"own.yaml": &fstest.MapFile{Data: []byte(text)}, "logo.svg": &fstest.MapFile{Data: []byte(logo)}}, "own.yaml")
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return l
}

// In a window of a telephone and of a computer, whatever the invoice and the look are: the column of
// the sums adds down to the amount due, what belongs to an account stands nearer to its number
// than to any other, numbers of accounts are not broken, columns of the foot are apart, lines within lines are indented and what
// nobody adds is in brackets, the name of the seller is seen in a block of the seller's, and tests
// and copies are marked. Nothing is cut off.
func TestHTMLReads(t *testing.T) {
	if *chromium == "" {
		t.Skip("no browser is given with -chromium")
	}
	b := startBrowser(t, *chromium)
	dir := t.TempDir()
	seed := rand.New(rand.NewPCG(35, 390))
	for run := range 24 {
		inv, l := manyWays(seed), anyLook(t, seed)
		r, err := page.HTML(t.Context(), inv, page.Options{Language: "de", Look: l})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.html", run))
		save(t, file, r.Data)
		for _, width := range []int{390, 1280} {
			name := fmt.Sprintf("run %d (based on %s) at %d", run, l.Based, width)
			b.open("file://"+file, width, false)
			b.addsDown(t, name, inv.Totals.AmountDueForPayment.Value)
			b.accountsTogether(t, name)
			b.partsApart(t, name, inv)
			b.wantsNone(t, name, width, shownFoot, "reach into each other")
			b.wantsNone(t, name, width, unseenLogos, "are logos that nobody sees")
			b.wantsNone(t, name, width, cutOff, "is cut off")
			b.wantsNone(t, name, width, crowded, "reaches over its cell")
			var regions []string
			if b.evaluate(shownSeller, &regions); !strings.Contains(strings.Join(regions, " "), "sender") && !strings.Contains(strings.Join(regions, " "), "parties") && !strings.Contains(strings.Join(regions, " "), "recipient") {
				t.Errorf("%s: the name of the seller is seen in %q", name, regions)
			}
			var title, stamp string
			b.evaluate(`document.title`, &title)
			b.evaluate(`document.querySelector(".stamp")?.innerText ?? ""`, &stamp)
			for mark, of := range map[string]model.Text{"Test": inv.TestIndicator, "Kopie": inv.CopyIndicator} {
				if want := of.Raw == "true"; strings.Contains(title, "("+mark+")") != want || strings.Contains(stamp, strings.ToUpper(mark)) != want {
					t.Errorf("%s: %s is %v, the title %q, the mark %q", name, mark, want, title, stamp)
				}
			}
		}
	}
}

// germanAmount is an amount that is written in German.
func germanAmount(s string) (model.Decimal, bool) {
	s = strings.TrimRight(strings.TrimSpace(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ\u00a0") // without the currency
	a := model.NewAmount(strings.ReplaceAll(strings.ReplaceAll(s, ".", ""), ",", "."))
	return a.Value, a.Valid
}

// addsDown adds what is not bold, and wants each bold amount to be the sum of what is above.
func (b *browser) addsDown(t *testing.T, name string, due model.Decimal) {
	t.Helper()
	var rows []struct {
		Text  string
		Bold  bool
		Right float64
	}
	b.evaluate(shownSums, &rows)
	sum := model.NewDecimal(0)
	for i, r := range rows {
		amount, is := germanAmount(r.Text)
		switch {
		case !is:
			t.Errorf("%s: %q is not an amount", name, r.Text)
		case !r.Bold:
			sum = sum.Add(amount)
		case !sum.Equal(amount):
			t.Errorf("%s: %q stands below amounts of %s", name, r.Text, sum)
		}
		if i < len(rows)-1 && (r.Right > rows[0].Right+1 || r.Right < rows[0].Right-1) {
			t.Errorf("%s: %q ends at %.1f, and the first one at %.1f", name, r.Text, r.Right, rows[0].Right)
		}
	}
	if len(rows) < 4 || !sum.Equal(due) {
		t.Errorf("%s: the column adds down to %s, want %s", name, sum, due)
	}
}

func (b *browser) accountsTogether(t *testing.T, name string) {
	t.Helper()
	var values []struct {
		Path  string
		X, Y  float64
		Lines int
	}
	b.evaluate(shownAccounts, &values)
	account := func(path string) string { return path[:strings.LastIndex(path, ".")] }
	numbers := 0
	for _, v := range values {
		if strings.HasSuffix(v.Path, "accountIdentifier") {
			if numbers++; v.Lines != 1 {
				t.Errorf("%s: %s is broken over %d lines", name, v.Path, v.Lines)
			}
			continue
		}
		nearest, best := "", 1e18
		for _, n := range values {
			if !strings.HasSuffix(n.Path, "accountIdentifier") {
				continue
			}
			if d := (n.X-v.X)*(n.X-v.X) + (n.Y-v.Y)*(n.Y-v.Y); d < best {
				nearest, best = account(n.Path), d
			}
		}
		if nearest != account(v.Path) {
			t.Errorf("%s: %s stands nearest to the number of %s", name, v.Path, nearest)
		}
	}
	if numbers == 0 {
		t.Errorf("%s: no account is shown", name)
	}
}

// partsApart wants lines within lines to be indented, and amounts that nobody adds in brackets.
func (b *browser) partsApart(t *testing.T, name string, inv *model.Invoice) {
	t.Helper()
	var rows []struct {
		Path, Text string
		Left       float64
	}
	b.evaluate(shownLines, &rows)
	added := model.NewDecimal(0)
	for i, r := range rows {
		inBrackets := strings.Contains(r.Text, "(") && strings.HasSuffix(strings.TrimSpace(r.Text), ")")
		if amount, is := germanAmount(r.Text[strings.LastIndexAny(r.Text, "\n\t")+1:]); is && !inBrackets {
			added = added.Add(amount)
		} else if !inBrackets {
			t.Errorf("%s: %q is neither an amount nor in brackets", name, r.Text)
		}
		if strings.Contains(r.Path, "subLines") && i > 0 && !strings.Contains(rows[i-1].Path, "subLines") && r.Left < rows[i-1].Left+2 {
			t.Errorf("%s: %s is not indented", name, r.Path)
		}
	}
	want := model.NewDecimal(0)
	inv.EachLine(func(l, around *model.Line) {
		if model.CountsInTotals(l.Subtype(around)) {
			want = want.Add(l.NetAmount.Value)
		}
	})
	if !added.Equal(want) {
		t.Errorf("%s: the lines add down to %s, want %s", name, added, want)
	}
}

// The sums of the samples add down in windows of both widths.
func TestHTMLReadsSuites(t *testing.T) {
	if *chromium == "" {
		t.Skip("no browser is given with -chromium")
	}
	suites := filepath.Join("..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("no suites to read: " + err.Error())
	}
	b := startBrowser(t, *chromium)
	dir := t.TempDir()
	for _, s := range samples {
		inv := s.invoice(t, suites)
		if broken(inv) != "" {
			continue
		}
		r, err := page.HTML(t.Context(), inv, page.Options{Language: "de"})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, s.name+".html")
		save(t, file, r.Data)
		for _, width := range []int{390, 1280} {
			b.open("file://"+file, width, false)
			b.addsDown(t, fmt.Sprintf("%s at %d", s.name, width), inv.Totals.AmountDueForPayment.Value)
		}
	}
}
