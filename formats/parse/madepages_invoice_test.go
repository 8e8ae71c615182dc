package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// An Invoice is what is printed on made pages. Amounts are in cents.
type Invoice struct {
	Credit               bool
	Currency             string
	Number, Order        string
	Issue, Due, Delivery time.Time
	Seller, Buyer        Party
	Customer, IBAN, BIC  string
	Lines                []Line
	Allowance, Charge    int64
	LineTotal, Net       int64
	Vat                  []Vat
	Tax, Gross, Paid     int64
	PayableDiffers       bool // what is to be paid is printed apart from the gross total
}

// A Party is a seller or buyer.
type Party struct{ Name, Street, City, VatID string }

// legalForms are those that a statement of capital begins with.
var legalForms = []string{"SARL", "SAS", "SA", "GmbH", "AG", "Ltd", "Limited", "S.L.", "S.r.l.", "B.V."}

// form is the legal form that a name ends with; empty if none that is known.
func (p *Party) form() string {
	for _, form := range legalForms {
		if strings.HasSuffix(p.Name, " "+form) {
			return form
		}
	}
	return ""
}

// Registered is the name without its legal form.
func (p *Party) Registered() string { return strings.TrimSuffix(p.Name, " "+p.form()) }

// A Line is a line of the invoice. Quantity is in hundredths.
type Line struct {
	Article, Item, Detail, Unit string
	Quantity, Price, Net        int64
	Rate, Discount              int64 // in percent
}

// A Vat is a group of the VAT breakdown.
type Vat struct{ Rate, Base, Tax int64 }

// Payable is what is to be paid.
func (i *Invoice) Payable() int64 { return i.Gross - i.Paid }

func newInvoice(f *Family, l *language, r *rand.Rand) *Invoice {
	inv := &Invoice{
		Number: number(r), Order: fmt.Sprintf("%s%d", pick(r, []string{"", "PO-", "B"}), 10000+r.IntN(90000)), Customer: fmt.Sprint(1000 + r.IntN(90000)),
		Issue: time.Date(2024+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC),
		IBAN:  fmt.Sprintf("DE%02d%018d", 10+r.IntN(89), r.Int64N(1e17)), BIC: pick(r, []string{"COBADEFFXXX", "BNPAFRPP", "INGBNL2A"}),
	}
	inv.Due, inv.Delivery = inv.Issue.AddDate(0, 0, 7+r.IntN(40)), inv.Issue.AddDate(0, 0, -r.IntN(20))
	order := r.Perm(len(l.Companies))
	inv.Seller, inv.Buyer = party(l, l.Companies[order[0]], r), party(l, l.Companies[order[1]], r)
	rates := [][]int64{{19}, {20}, {7, 19}, {21}, {10, 20}, {22}, {5, 23}, {19}}[r.IntN(8)]
	n := 1 + r.IntN(7)
	if f.Lines > 0 {
		n = f.Lines - r.IntN(8)
	}
	bases := map[int64]int64{}
	for range n {
		line := Line{
			Article: fmt.Sprintf("%s%d", pick(r, []string{"A-", "", "ART", "10."}), 1000+r.IntN(9000)), Item: pick(r, l.Items), Detail: pick(r, l.Details), Unit: pick(r, l.Units),
			Quantity: int64(1+r.IntN(20)) * 100, Price: int64(99 + r.IntN(80_000)), Rate: pick(r, rates),
		}
		if r.IntN(6) == 0 {
			line.Quantity += 50
		}
		if slices.Contains(f.Columns, "discount") && r.IntN(2) == 0 {
			line.Discount = pick(r, []int64{5, 10, 20})
		}
		line.Net = (line.Quantity*line.Price*(100-line.Discount) + 5000) / 10_000
		inv.Lines = append(inv.Lines, line)
		inv.LineTotal += line.Net
		bases[line.Rate] += line.Net
	}
	if len(bases) == 1 && r.IntN(4) == 0 {
		if inv.Allowance = inv.LineTotal / 20; r.IntN(2) == 0 {
			inv.Charge, inv.Allowance = 990, 0
		}
		bases[inv.Lines[0].Rate] += inv.Charge - inv.Allowance
	}
	for _, rate := range rates {
		if base, ok := bases[rate]; ok {
			inv.Vat = append(inv.Vat, Vat{rate, base, (base*rate + 50) / 100})
			inv.Net, inv.Tax = inv.Net+base, inv.Tax+(base*rate+50)/100
		}
	}
	inv.Gross = inv.Net + inv.Tax
	if r.IntN(6) == 0 {
		inv.Paid = inv.Gross / 4
	}
	inv.PayableDiffers = inv.Paid != 0 || r.IntN(3) == 0
	inv.Credit = r.IntN(10) == 0
	if inv.Currency = f.Code; inv.Currency == "" {
		inv.Currency = "EUR"
	}
	return inv
}

func number(r *rand.Rand) string {
	n := 1000 + r.IntN(9000)
	return pick(r, []string{fmt.Sprintf("RE-%d", n), fmt.Sprintf("2026/%d", n), fmt.Sprintf("%d", 200_000+n), fmt.Sprintf("R%d-26", n), fmt.Sprintf("INV%06d", n)})
}

func party(l *language, name string, r *rand.Rand) Party {
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprint(&b, 1+r.IntN(9))
		}
		return b.String()
	}
	vat := map[string]string{
		"DE": "DE" + digits(9), "IE": "IE" + digits(7) + "AH", "FR": "FR" + digits(11), "ES": "ESB" + digits(8), "IT": "IT" + digits(11),
		"NL": "NL" + digits(9) + "B01", "PL": "PL" + digits(10),
	}[l.Country]
	return Party{name, pick(r, l.Streets), pick(r, l.Cities), vat}
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }
