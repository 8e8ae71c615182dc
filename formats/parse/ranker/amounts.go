package ranker

import (
	"cmp"
	"slices"
	"strconv"

	"einvoice/formats/parse/candidate"
)

// How many amounts are added to each other, the largest ones, and how many rates of VAT are tried with them.
const (
	mostAdded = 60
	mostRates = 12
)

// arithmetic is what the amounts of a document are to each other, in cents.
type arithmetic struct {
	values                []int64 // each once, the largest first
	rank, times           map[int64]int
	sums, net, vat, gross map[int64]bool
}

// amounts are the candidates that are amounts.
func (s *surface) amounts() {
	a := s.arithmetic()
	behind := 0 // numbers below the row
	for i := range s.rows {
		behind += len(s.rows[i].numbers)
	}
	for i := range s.rows {
		r := &s.rows[i]
		behind -= len(r.numbers)
		for j := range r.numbers {
			n := &r.numbers[j]
			if !n.isMoney() {
				continue
			}
			f := s.begin(r, n.first, n.n)
			a.describe(f, cents(n))
			f.when(n.Value < 0, "negative")
			f.step("numbers below: ", float64(behind), 1, 2, 4, 8, 16)
			f.count("number in the row: ", j, 3)
			f.when(j == len(r.numbers)-1, "last number of the row")
			s.end(Amounts, strconv.FormatInt(cents(n), 10))
		}
	}
}

func (a *arithmetic) describe(f *features, v int64) {
	f.count("larger amounts: ", a.rank[v], 6)
	f.count("times: ", a.times[v], 4)
	f.step("amounts: ", float64(len(a.values)), 2, 4, 8, 16)
	f.when(a.sums[v], "sum of two")
	f.when(a.net[v], "net of a rate")
	f.when(a.vat[v], "VAT of a rate")
	f.when(a.gross[v], "gross of a rate")
	f.when(v == 0, "zero")
}

func (s *surface) arithmetic() *arithmetic {
	a := &arithmetic{rank: map[int64]int{}, times: map[int64]int{}, sums: map[int64]bool{}, net: map[int64]bool{}, vat: map[int64]bool{}, gross: map[int64]bool{}}
	rates := map[int64]bool{}
	for i := range s.rows {
		for j := range s.rows[i].numbers {
			n := &s.rows[i].numbers[j]
			switch {
			case n.Percent && candidate.IsRate(&n.Number) && len(rates) < mostRates:
				rates[n.Value] = true
			case n.isMoney():
				if a.times[cents(n)]++; a.times[cents(n)] == 1 {
					a.values = append(a.values, cents(n))
				}
			}
		}
	}
	slices.SortFunc(a.values, func(x, y int64) int { return cmp.Compare(y, x) })
	for i, v := range a.values {
		a.rank[v] = i
	}
	added := a.values[:min(len(a.values), mostAdded)]
	for i, x := range added {
		for _, y := range added[i:] {
			if y == 0 || a.times[x+y] == 0 {
				continue
			}
			a.sums[x+y] = true
			for rate := range rates {
				if off := candidate.Share(x*candidate.Cent, rate)/candidate.Cent - y; off >= -2 && off <= 2 && rate > 0 {
					a.net[x], a.vat[y], a.gross[x+y] = true, true, true
				}
			}
		}
	}
	return a
}

// cents is an amount without its sign.
func cents(n *number) int64 { return candidate.Abs(n.Value) / candidate.Cent }
