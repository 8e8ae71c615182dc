package ruletest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/rulesets"
)

// Of numbers that differ in their last digit alone, the notices let through those that end as the
// register computes it from the digits before.
func TestCheckDigits(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("check-digits")
	if err != nil {
		t.Fatal(err)
	}
	invoice, err := ruletest.ReadInvoice(rulesets.FS, "base")
	if err != nil {
		t.Fatal(err)
	}
	notices := func(change func(*model.Invoice)) string {
		one := *invoice
		change(&one)
		report, err := v.Validate(t.Context(), &model.Document{Invoice: &one})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, f := range report.Findings {
			if f.Level != engine.Information || f.Failed {
				t.Errorf("%s is %s (%v)", f.Rule, f.Level, f.Failed)
			}
			ids = append(ids, f.Rule)
		}
		return strings.Join(ids, " ")
	}
	vat := func(number string) func(*model.Invoice) {
		return func(i *model.Invoice) {
			buyer := *i.Buyer
			buyer.VatIdentifier = model.NewText(number)
			i.Buyer = &buyer
		}
	}
	legal := func(scheme string) func(string) func(*model.Invoice) {
		return func(number string) func(*model.Invoice) {
			return func(i *model.Invoice) {
				seller := *i.Seller
				seller.LegalRegistration = &model.SellerLegalRegistration{Identifier: model.NewText(number), SchemeID: model.NewText(scheme)}
				i.Seller = &seller
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	nothing := func() string { return "" }
	siren := func() string { // right one time in two
		s := fmt.Sprintf("%08d", random.IntN(100_000_000))
		if random.IntN(2) == 0 {
			return fmt.Sprint(s, random.IntN(10))
		}
		return fmt.Sprint(s, luhnDigit(s)[0])
	}
	for _, c := range []struct {
		rule, prefix string
		begin        func() string
		digits       func() int // before the check digit
		check        func(before string) []int
		set          func(string) func(*model.Invoice)
	}{
		{"SIREN-CHECK-DIGIT", "", nothing, func() int { return 8 }, luhnDigit, legal("0002")},
		{"SIRET-CHECK-DIGIT", "", siren, func() int { return 13 }, siretDigits, legal("0009")},
		{"SIRET-CHECK-DIGIT", "", func() string { return "356000000" }, func() int { return 13 }, siretDigits, legal("0009")},
		{"NIF-CHECK-DIGIT", "PT", nothing, func() int { return 8 }, nifDigit, vat},
		{"CUI-CHECK-DIGIT", "RO", nothing, func() int { return 1 + random.IntN(9) }, cuiDigit, vat},
	} {
		for range 200 {
			before := c.begin()
			for n := c.digits(); len(before) < n; {
				before += fmt.Sprint(random.IntN(10))
			}
			right := map[int]bool{}
			for _, d := range c.check(before) {
				right[d] = true
			}
			for last := range 10 {
				number := fmt.Sprint(c.prefix, before, last)
				want := c.rule
				if right[last] {
					want = ""
				}
				if got := notices(c.set(number)); got != want {
					t.Fatalf("%s: %q, not %q", number, got, want)
				}
			}
		}
	}
	for _, number := range []string{"PT12345678", "PT1234567890", "PT12345678X", "RO1", "RO12345678901", "ROJ40/1/2020", "DE123456789", ""} {
		if got := notices(vat(number)); got != "" {
			t.Errorf("%q is of no form that is looked at: %s", number, got)
		}
	}
}

// luhnDigit counts every second digit twice, from the last one on, and nine less above nine.
func luhnDigit(before string) []int {
	sum := 0
	for i := range len(before) {
		d := int(before[len(before)-1-i] - '0')
		if i%2 == 0 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return []int{(10 - sum%10) % 10}
}

// siretDigits are none after a wrong SIREN, and two for La Poste, but for its head office.
func siretDigits(before string) []int {
	if luhnDigit(before[:8])[0] != int(before[8]-'0') {
		return nil
	}
	if before[:9] != "356000000" {
		return luhnDigit(before)
	}
	sum := 0
	for _, r := range before {
		sum += int(r - '0')
	}
	rest := (5 - sum%5) % 5
	if before == "3560000000004" {
		return []int{8}
	}
	return []int{rest, rest + 5}
}

func nifDigit(before string) []int {
	sum := 0
	for i, r := range before {
		sum += int(r-'0') * (9 - i)
	}
	digit := 11 - sum%11
	if digit > 9 {
		digit = 0
	}
	return []int{digit}
}

// cuiDigit multiplies with the key that the tax office publishes, as long as the number.
func cuiDigit(before string) []int {
	const key = "753217532"
	sum := 0
	for i, r := range before {
		sum += int(r-'0') * int(key[len(key)-len(before)+i]-'0')
	}
	return []int{sum * 10 % 11 % 10}
}
