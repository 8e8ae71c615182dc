package model_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"einvoice/model"

	"pgregory.net/rapid"
)

func TestParseDecimalLexicalForms(t *testing.T) {
	for _, s := range []string{"0", ".5", "5.", "+5", "-5.10", " 7 ", "\n1.00\t", "00012.30", "123456789012345678901234567890.12"} {
		if _, err := model.ParseDecimal(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", " ", ".", "+", "1e3", "INF", "NaN", "1,5", "1 2", "--1", "0x1", "1.2.3", "12345678901234567890x"} {
		if d, err := model.ParseDecimal(s); err == nil {
			t.Errorf("%q gave %v", s, d)
		}
	}
}

func TestRoundings(t *testing.T) {
	for _, c := range []struct{ in, halfUp, xpath string }{
		{"2.5", "3", "3"}, {"-2.5", "-3", "-2"}, {"-2.51", "-3", "-3"}, {"2.49", "2", "2"}, {"-0.4", "0", "0"},
		{"99999999999999999999.5", "100000000000000000000", "100000000000000000000"},
		{"-99999999999999999999.5", "-100000000000000000000", "-99999999999999999999"},
	} {
		d := model.MustDecimal(c.in)
		if got := d.RoundHalfUp(0).String(); got != c.halfUp {
			t.Errorf("half up %s: %s, want %s", c.in, got, c.halfUp)
		}
		if got := d.RoundXPath(0).String(); got != c.xpath {
			t.Errorf("XPath %s: %s, want %s", c.in, got, c.xpath)
		}
	}
}

func TestDivision(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"10", "4", "2.5"}, {"1", "3", "0.333333333333333333"}, {"2", "3", "0.666666666666666667"},
		{"-1", "8", "-0.125"}, {"19.00", "100", "0.1900"}, {"19.00", "1.0000", "19"}, {"0.00", "7", "0"},
		{"1.50", "0.3", "5"}, {"-7", "-0.07", "100"},
		{"123456789012345678", "0.5", "246913578024691356"}, {"1", "999999999999999999", "0.000000000000000001"},
	} {
		got, err := model.MustDecimal(c.a).Div(model.MustDecimal(c.b))
		if err != nil || got.String() != c.want {
			t.Errorf("%s/%s = %s, %v; want %s", c.a, c.b, got, err, c.want)
		}
	}
	if _, err := model.NewDecimal(1).Div(model.NewDecimal(0)); err == nil {
		t.Error("division by zero gave no error")
	}
}

// Every operation has the same result as that of big.Rat, for operands of any size.
func TestDecimalEqualsRat(t *testing.T) {
	text := rapid.StringMatching(`[+-]?[0-9]{1,24}(\.[0-9]{0,9})?`)
	rapid.Check(t, func(t *rapid.T) {
		as, bs := text.Draw(t, "a"), text.Draw(t, "b")
		a, b := model.MustDecimal(as), model.MustDecimal(bs)
		ra, rb := rat(as), rat(bs)
		same := func(op string, got model.Decimal, want *big.Rat) {
			if rat(got.String()).Cmp(want) != 0 {
				t.Fatalf("%s %s %s = %s, want %s", as, op, bs, got, want)
			}
		}
		same("+", a.Add(b), new(big.Rat).Add(ra, rb))
		same("-", a.Sub(b), new(big.Rat).Sub(ra, rb))
		same("*", a.Mul(b), new(big.Rat).Mul(ra, rb))
		if rb.Sign() != 0 {
			q, err := a.Div(b)
			if err != nil {
				t.Fatal(err)
			}
			off := new(big.Rat).Sub(rat(q.String()), new(big.Rat).Quo(ra, rb))
			if half := big.NewRat(5, 1e18); off.Abs(off).Mul(off, big.NewRat(10, 1)).Cmp(half) > 0 {
				t.Fatalf("%s / %s = %s, more than half of the last digit off", as, bs, q)
			}
		}
		if a.Cmp(b) != ra.Cmp(rb) {
			t.Fatalf("%s cmp %s = %d", as, bs, a.Cmp(b))
		}
		half := big.NewRat(1, 2)
		floor := new(big.Rat).SetInt(floorRat(ra))
		same("floor", a.Floor(), floor)
		same("round", a.RoundXPath(0), new(big.Rat).SetInt(floorRat(new(big.Rat).Add(ra, half))))
	})
}

func rat(s string) *big.Rat {
	for s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

func floorRat(r *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	_ = m
	return q
}

func TestDates(t *testing.T) {
	for _, s := range []string{"2024-02-29", "2026-11-20Z", "2026-11-20+01:00"} {
		if !model.NewDate(s).Valid {
			t.Errorf("%q is not accepted as a date", s)
		}
	}
	for _, s := range []string{"", "2023-02-29", "2026-13-01", "20261120", "2026-11-20T00:00", "2026-11-20+25:00"} {
		if model.NewDate(s).Valid {
			t.Errorf("%q is accepted as a date", s)
		}
	}
	if model.NewCompactDate("20240229").Compare(model.NewDate("2024-02-29")) != 0 {
		t.Error("the two forms of one day differ")
	}
}

// The absolute value of the smallest int64 is not an int64.
func TestSmallestInteger(t *testing.T) {
	d := model.NewDecimal(math.MinInt64)
	if d.String() != "-9223372036854775808" || d.Neg().String() != "9223372036854775808" || d.Abs().Neg().Cmp(d) != 0 {
		t.Errorf("%s, %s, %s", d, d.Neg(), d.Abs())
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string][2]int{
		"0": {0, 0}, "-1.5": {1, 1}, "123456789012345678": {0, 0}, "0." + strings.Repeat("0", 150) + "1": {151, 151}, strings.Repeat("9", 200): {195, 201},
	} {
		if got := model.MustDecimal(text).Length(); got < want[0] || got > want[1] {
			t.Errorf("%s has length %d, want %v", text, got, want)
		}
	}
}

func TestRoundToTens(t *testing.T) {
	for _, c := range []struct {
		text   string
		digits int
		want   string
	}{
		{"123.4", -1, "120"}, {"125", -1, "130"}, {"-125", -1, "-130"}, {"4", -1, "0"}, {"5", -1, "10"}, {"99999999999999999999", -1, "100000000000000000000"}, {"149.99", -2, "100"},
	} {
		if got := model.MustDecimal(c.text).RoundHalfUp(c.digits).String(); got != c.want {
			t.Errorf("%s rounded to %d digits is %s, want %s", c.text, c.digits, got, c.want)
		}
	}
}
