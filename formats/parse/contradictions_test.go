package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/sampled"
)

// A sum is an invoice of which the amounts are in cents, so that a test may print a wrong one.
type sum struct {
	quantity, price, amount []int // of the lines
	rate, net, tax, gross   int
	head                    string   // a row of the head
	above                   []string // rows between the lines and the net total
	below                   []string // rows below the total
	more                    []string // in the rows of lines, by line
}

func madeSum(r *rand.Rand) *sum {
	s := &sum{rate: []int{7, 10, 19, 20}[r.IntN(4)]}
	for range 2 + r.IntN(3) {
		quantity, price := 2+r.IntN(18), 500+r.IntN(9000)
		s.quantity, s.price, s.amount, s.more = append(s.quantity, quantity), append(s.price, price), append(s.amount, quantity*price), append(s.more, "")
		s.net += quantity * price
	}
	return s.totalled()
}

// totalled computes VAT and total of the net total.
func (s *sum) totalled() *sum {
	s.tax = (s.net*s.rate + 50) / 100
	s.gross = s.net + s.tax
	return s
}

func inCents(v int) string { return fmt.Sprintf("%d.%02d", v/100, v%100) }

// read reads the invoice off a page.
func (s *sum) read(t *testing.T) *parse.Result {
	t.Helper()
	rows := []string{"40|50 Harbour Tools Ltd", "52|50 4 Mill Lane", "64|50 London E1 4AB", "90|50 Bill to: Oak Street Bakery Ltd", "102|50 7 High Street", "114|50 Leeds LS1 4AP", "140|50 Invoice", "154|50 Invoice number: INV-2611", "168|50 Invoice date: 20/11/2026", "182|50 Currency: EUR", "200|50 Description|>330 Qty|>420 Unit price|>540 Amount"}
	if s.head != "" {
		rows = append(rows, s.head)
	}
	at := 200
	add := func(format string, args ...any) {
		at += 14
		rows = append(rows, fmt.Sprintf("%d|", at)+fmt.Sprintf(format, args...))
	}
	for i := range s.quantity {
		add("50 Steel bolts%s|>330 %d|>420 %s|>540 %s", s.more[i], s.quantity[i], inCents(s.price[i]), inCents(s.amount[i]))
	}
	at += 14
	for _, row := range s.above {
		add("%s", row)
	}
	add("330 Net total|>540 %s", inCents(s.net))
	add("330 VAT %d %%|>540 %s", s.rate, inCents(s.tax))
	add("330 Invoice total|>540 %s", inCents(s.gross))
	for _, row := range s.below {
		add("%s", row)
	}
	read, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// isTold reports whether the review has something grave that names all of some values, or begins with them.
func isTold(r *parse.Result, pointers ...string) bool {
	return slices.ContainsFunc(r.Review, func(x parse.Review) bool {
		return x.Weight >= 0.8 && !slices.ContainsFunc(pointers, func(p string) bool { return !slices.Contains(x.Fields, p) })
	})
}

func arithmetic(r *parse.Result) (told []string) {
	for _, x := range r.Review {
		if x.Weight >= 0.8 && strings.Contains(x.Message, "compare") || strings.Contains(x.Message, "what is due") || strings.Contains(x.Message, "add up") {
			told = append(told, x.Message)
		}
	}
	return told
}

// What the arithmetic of a page contradicts is told as grave, and not sure; the same page with right amounts tells nothing.
func TestArithmeticThatContradicts(t *testing.T) {
	const due, paid = "/totals/amountDueForPayment", "/totals/paidAmount"
	r := rand.New(rand.NewPCG(20, 5))
	wrong := func() int { return 100 + r.IntN(400) } // cents, more than rounding is
	for name, spoil := range map[string]func(s *sum, off int) (told, unsure []string){
		"amount of a line": func(s *sum, off int) ([]string, []string) {
			s.amount[1] += off
			s.net += off
			s.totalled()
			return []string{"/lines/1/netAmount"}, []string{"/lines/1/invoicedQuantity", "/lines/1/price/netPrice"}
		},
		"rate of VAT": func(s *sum, off int) ([]string, []string) {
			s.rate += 2
			return nil, []string{"/vatBreakdowns/0/rate", "/lines/0/vat/rate"}
		},
		"tax": func(s *sum, off int) ([]string, []string) {
			s.tax, s.gross = s.tax+off, s.gross+off
			return []string{"/vatBreakdowns/0/taxAmount", "/vatBreakdowns/0/taxableAmount"}, []string{"/vatBreakdowns/0/rate"}
		},
		"sum of the lines": func(s *sum, off int) ([]string, []string) {
			s.net += off
			s.totalled()
			return []string{"/lines"}, []string{"/totals/sumOfLineNetAmounts"}
		},
		"another printed sum of the lines": func(s *sum, off int) ([]string, []string) {
			s.above = []string{"330 " + []string{"Subtotal", "Sub-total", "Goods total", "Total of lines"}[r.IntN(4)] + "|>540 " + inCents(s.net+off)}
			return []string{"/totals/sumOfLineNetAmounts"}, []string{"/totals/sumOfLineNetAmounts"}
		},
		"rest of a payment": func(s *sum, off int) ([]string, []string) {
			s.below = []string{"330 Paid|>540 " + inCents(s.gross/3), "330 Amount due|>540 " + inCents(s.gross-s.gross/3+off)}
			return []string{due}, []string{due, paid}
		},
		"payment that is not taken off": func(s *sum, off int) ([]string, []string) {
			s.below = []string{"330 Paid|>540 " + inCents(s.gross/3), "330 Amount due|>540 " + inCents(s.gross)}
			return []string{due}, []string{due}
		},
		"rounding": func(s *sum, off int) ([]string, []string) {
			s.below = []string{"330 Rounding|>540 0.02", "330 Amount due|>540 " + inCents(s.gross+7)}
			return []string{due}, []string{due}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range sampled.Of(12, 4) {
				s := madeSum(r)
				if told := arithmetic(s.read(t)); len(told) > 0 {
					t.Errorf("%+v: told is %q", s, told)
				}
				told, unsure := spoil(s, wrong())
				read := s.read(t)
				if !isTold(read, told...) || len(arithmetic(read)) == 0 || read.Decide(0).Accept {
					t.Errorf("%+v: the review is %+v", s, read.Review)
				}
				for _, pointer := range unsure {
					if f := read.Fields[pointer]; f != nil && f.Confidence > 0.5 {
						t.Errorf("%+v: %s is %s, and %.2f sure", s, pointer, f.Value, f.Confidence)
					}
				}
			}
		})
	}
}

// What the row says of a discount, a charge, another factor or the VAT, and rounding, explain an amount.
func TestExplainedAmounts(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 6))
	for name, explain := range map[string]func(s *sum){
		"discount in percent": func(s *sum) { s.amount[0], s.more[0] = s.amount[0]*9/10, "|>480 10 %" },
		"charge":              func(s *sum) { s.amount[0], s.more[0] = s.amount[0]+250, " with packing of 2.50" },
		"factor":              func(s *sum) { s.amount[0], s.more[0] = s.amount[0]*3, " for 3 months" },
		"rounded price":       func(s *sum) { s.quantity[0] = 1000; s.amount[0] = s.price[0]*1000 + 300 },
	} {
		for range sampled.Of(12, 4) {
			s := madeSum(r)
			explain(s)
			s.net = 0
			for _, amount := range s.amount {
				s.net += amount
			}
			if told := arithmetic(s.totalled().read(t)); len(told) > 0 {
				t.Errorf("%s: %+v: told is %q", name, s, told)
			}
		}
	}
}

// Groups of VAT of which the taxes are not their rates of the bases, and lines that do not lead to the VAT by their rates.
func TestBreakdownThatContradicts(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 7))
	read := func(head string, rows ...string) *parse.Result {
		page := []string{"40|50 Harbour Tools Ltd", "52|50 London E1 4AB", "90|50 Bill to: Oak Street Bakery Ltd", "102|50 Leeds LS1 4AP", "140|50 Invoice", "154|50 Invoice number: INV-2611", "168|50 Invoice date: 20/11/2026", "200|50 Description|" + head}
		for i, row := range rows {
			page = append(page, fmt.Sprintf("%d|%s", 214+14*i, row))
		}
		found, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(page...)}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for range sampled.Of(12, 4) {
		quantity, price, second := 2+r.IntN(9), 1000+r.IntN(9000), 1000+r.IntN(9000)
		first := quantity * price
		for _, off := range []int{0, 100 + r.IntN(400)} {
			low, high := (second*7+50)/100, (first*19+50)/100+off
			totals := []string{"330 Net total|>540 " + inCents(first+second), fmt.Sprintf("330 VAT 19 %% of %s|>540 %s", inCents(first), inCents(high)), fmt.Sprintf("330 VAT 7 %% of %s|>540 %s", inCents(second), inCents(low)), "330 Invoice total|>540 " + inCents(first+second+low+high)}
			groups := read(">330 Qty|>420 Unit price|>540 Amount", slices.Concat([]string{fmt.Sprintf("50 Bolts|>330 %d|>420 %s|>540 %s", quantity, inCents(price), inCents(first)), fmt.Sprintf("50 Glue|>330 1|>420 %s|>540 %s", inCents(second), inCents(second))}, totals)...)
			if f := groups.Fields["/vatBreakdowns/0/taxAmount"]; isTold(groups, "/vatBreakdowns/0/rate") != (off > 0) || off > 0 && f != nil && f.Confidence > 0.5 {
				t.Errorf("groups, %d off: the tax is %+v, the review %+v", off, f, groups.Review)
			}
			alone := read(">300 Qty|>380 Unit price|>450 VAT %|>540 Amount",
				fmt.Sprintf("50 Bolts|>300 %d|>380 %s|>450 19 %%|>540 %s", quantity, inCents(price), inCents(first)), fmt.Sprintf("50 Glue|>300 1|>380 %s|>450 7 %%|>540 %s", inCents(second), inCents(second)),
				"330 Net total|>540 "+inCents(first+second), "330 VAT|>540 "+inCents(low+high), "330 Invoice total|>540 "+inCents(first+second+low+high))
			if f := alone.Fields["/lines/0/vat/rate"]; len(arithmetic(alone)) > 0 != (off > 0) || off > 0 && f != nil && f.Confidence > 0.5 {
				t.Errorf("rates of lines, %d off: the rate is %+v, the review %+v", off, f, alone.Review)
			}
		}
	}
}
