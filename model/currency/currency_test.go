package currency_test

import (
	"testing"

	"einvoice/model/currency"
)

func TestMinorUnits(t *testing.T) {
	for code, want := range map[string]int{"EUR": 2, "RSD": 2, "ALL": 2, "HUF": 2, "JPY": 0, "KRW": 0, "XOF": 0, "KWD": 3, "IQD": 3, "CLF": 4, "": 2, "eur": 2, "AAA": 2} {
		if got := currency.MinorUnits(code); got != want {
			t.Errorf("%q has %d decimals, not %d", code, got, want)
		}
	}
}
