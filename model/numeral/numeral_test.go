package numeral_test

import (
	"testing"

	"einvoice/model/numeral"
)

func TestWrite(t *testing.T) {
	form := numeral.Form{Decimal: ",", Group: ".", Grouped: 5}
	for _, c := range []struct {
		number string
		least  int
		want   string
	}{
		{"0", 0, "0"}, {"1234.5", 0, "1234,5"}, {"12345.5", 2, "12.345,50"}, {"-1234567", 0, "-1.234.567"}, {"0.005", 2, "0,005"}, {"-1", 1, "-1,0"},
	} {
		if got := form.Write(c.number, c.least); got != c.want {
			t.Errorf("%s with %d: got %s, want %s", c.number, c.least, got, c.want)
		}
	}
}
