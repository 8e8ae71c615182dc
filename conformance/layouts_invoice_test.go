package conformance_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// A folk is what invoices in a language are made of.
type folk struct {
	Country, Code, Currency, IBAN                                        string
	Rates                                                                []float64
	First, Trade, Forms, Persons, Streets, Places, Items, Details, Units []string
}

func folksOf(t *testing.T) (all map[string]*folk) {
	t.Helper()
	readYAML(t, "layouts/people.yaml", &all)
	return all
}

func wordsOf(t *testing.T) (all map[string]map[string][]string) {
	t.Helper()
	readYAML(t, "layouts/words.yaml", &all)
	return all
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A made is an invoice of our own. Amounts are in cents, quantities in hundredths, rates and
// discounts in tenths of a percent.
type made struct {
	credit, exempt                                      bool
	number, order, customer                             string
	issue, due, delivery                                time.Time
	currency, iban                                      string
	seller, buyer, shipTo                               madeParty
	lines                                               []madeLine
	groups                                              []madeGroup
	lineTotal, allowance, charge, net, tax, gross, paid int64
}

type madeParty struct{ name, street, postCode, city, country, vatID, register string }

type madeLine struct {
	sku, name, detail, unit string
	quantity, price, net    int64
	rate, discount          int64
}

type madeGroup struct{ rate, base, tax int64 }

// newMade makes an invoice. Each kind of number is drawn on its own, so that no rule of the
// reader can rely on what goes together here.
func newMade(l *folk, r *rand.Rand, discounts bool) *made {
	m := &made{currency: l.Currency, credit: r.IntN(14) == 0, exempt: r.IntN(14) == 0}
	m.number = oneOf(r, []func() string{
		func() string { return fmt.Sprintf("%d-%04d", 2024+r.IntN(3), 1+r.IntN(3000)) },
		func() string {
			return fmt.Sprintf("%s%06d", oneOf(r, []string{"INV-", "RE", "F", "FV/", "R-"}), r.IntN(1e6))
		},
		func() string { return fmt.Sprint(10_000 + r.IntN(9_000_000)) },
		func() string {
			return fmt.Sprintf("%s/%d/%02d", oneOf(r, []string{"FV", "A", "FT"}), 2024+r.IntN(3), 1+r.IntN(99))
		},
		func() string { return fmt.Sprintf("%04d/%d", 1+r.IntN(9000), 2024+r.IntN(3)) },
	})()
	m.order, m.customer = fmt.Sprintf("%s%d", oneOf(r, []string{"PO-", "", "B", "45000"}), 1000+r.IntN(90_000)), fmt.Sprint(oneOf(r, []int{100, 10_000, 700_000})+r.IntN(9000))
	m.issue = time.Date(2024+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	m.due, m.delivery = m.issue.AddDate(0, 0, oneOf(r, []int{7, 10, 14, 21, 30, 30, 45, 60})), m.issue.AddDate(0, 0, -r.IntN(25))
	m.iban = ibanOf(l.IBAN, r)
	m.seller, m.buyer, m.shipTo = l.party(r, true), l.party(r, false), l.party(r, false)
	for m.buyer.name == m.seller.name {
		m.buyer = l.party(r, false)
	}
	rates := []int64{int64(l.Rates[0]*10 + 0.5)}
	if len(l.Rates) > 1 && r.IntN(3) == 0 {
		rates = append(rates, int64(l.Rates[1]*10+0.5))
	}
	if m.exempt {
		rates = []int64{0}
	}
	sign := int64(1)
	if m.credit && r.IntN(2) == 0 {
		sign = -1
	}
	n := oneOf(r, []int{1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, 34})
	bases := map[int64]int64{}
	for range n {
		line := madeLine{
			sku: fmt.Sprintf("%s%d", oneOf(r, []string{"", "A-", "10.", "ART"}), 1000+r.IntN(9000)), name: oneOf(r, l.Items), unit: oneOf(r, l.Units),
			quantity: sign * int64(1+r.IntN(12)) * 100, price: int64(oneOf(r, []int{90, 1500, 12_000, 95_000}) + r.IntN(9000)), rate: oneOf(r, rates),
		}
		if r.IntN(2) == 0 {
			line.detail = oneOf(r, l.Details)
		}
		if r.IntN(5) == 0 {
			line.quantity += sign * int64(oneOf(r, []int{25, 50, 75}))
		}
		if discounts && r.IntN(2) == 0 {
			line.discount = oneOf(r, []int64{50, 100, 150})
		}
		line.net = roundDiv(line.quantity*line.price*(1000-line.discount), 100_000)
		m.lineTotal += line.net
		bases[line.rate] += line.net
		m.lines = append(m.lines, line)
	}
	if len(bases) == 1 && r.IntN(4) == 0 && sign > 0 {
		if r.IntN(2) == 0 {
			m.allowance = roundDiv(m.lineTotal*int64(oneOf(r, []int{2, 5, 10})), 100)
		} else {
			m.charge = int64(oneOf(r, []int{490, 990, 1250, 3900}))
		}
		bases[m.lines[0].rate] += m.charge - m.allowance
	}
	for _, rate := range rates {
		if base, has := bases[rate]; has {
			tax := roundDiv(base*rate, 1000)
			m.groups = append(m.groups, madeGroup{rate, base, tax})
			m.net, m.tax = m.net+base, m.tax+tax
		}
	}
	m.gross = m.net + m.tax
	if r.IntN(6) == 0 && sign > 0 {
		m.paid = roundDiv(m.gross*int64(oneOf(r, []int{10, 30, 50})), 100)
	}
	return m
}

func roundDiv(a, b int64) int64 {
	if a < 0 {
		return -roundDiv(-a, b)
	}
	return (a + b/2) / b
}

func (l *folk) party(r *rand.Rand, seller bool) (p madeParty) {
	p.name = strings.TrimSpace(oneOf(r, l.First) + " " + oneOf(r, l.Trade) + " " + oneOf(r, l.Forms))
	if !seller && r.IntN(6) == 0 {
		p.name = oneOf(r, l.Persons)
	}
	p.street, p.country = oneOf(r, l.Streets), l.Country
	place := oneOf(r, l.Places)
	if l.Code == "GB" {
		p.city, p.postCode, _ = strings.Cut(place, " ")
	} else {
		at := strings.IndexFunc(place, func(c rune) bool { return c > 'Z' })
		at = strings.LastIndex(place[:at], " ")
		p.postCode, p.city = place[:at], place[at+1:]
	}
	p.vatID, p.register = vatIDOf(l.Code, r), fmt.Sprint(1e8+r.IntN(8e8))
	return p
}

func digits(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('1' + r.IntN(9)))
	}
	return b.String()
}

func vatIDOf(country string, r *rand.Rand) string {
	switch country {
	case "FR", "IT":
		return country + digits(r, 11)
	case "ES":
		return "ESB" + digits(r, 8)
	case "NL":
		return "NL" + digits(r, 9) + "B01"
	case "PL":
		return "PL" + digits(r, 10)
	case "SE":
		return "SE" + digits(r, 10) + "01"
	case "DK", "FI", "CZ":
		return country + digits(r, 8)
	}
	return country + digits(r, 9)
}

// ibanOf is an IBAN with right check digits.
func ibanOf(country string, r *rand.Rand) string {
	rest := map[string]string{
		"DE": "########" + "##########", "GB": "NWBK##############", "FR": "#######################", "ES": "####################", "IT": "X######################",
		"NL": "INGB##########", "PL": "########################", "CZ": "####################", "SE": "####################", "DK": "##############", "PT": "#####################", "FI": "##############",
	}[country]
	var b strings.Builder
	for _, c := range rest {
		if c == '#' {
			c = rune('0' + r.IntN(10))
		}
		b.WriteRune(c)
	}
	var number strings.Builder
	for _, c := range b.String() + country + "00" {
		if c >= 'A' {
			fmt.Fprint(&number, c-'A'+10)
		} else {
			number.WriteRune(c)
		}
	}
	n, _ := new(big.Int).SetString(number.String(), 10)
	return fmt.Sprintf("%s%02d%s", country, 98-n.Mod(n, big.NewInt(97)).Int64(), b.String())
}
