package country_test

import (
	"strings"
	"testing"

	"einvoice/formats/pdf/page/language/country"
	"einvoice/formats/pdf/page/language/country/cldr"
	"einvoice/model/tongue"
)

// What is built for people says of every code what the library says, however it is written.
func TestNames(t *testing.T) {
	for _, tag := range tongue.Tags() {
		names, want := country.Names(tag), cldr.Names(tag)
		for _, code := range codes() {
			for _, written := range []string{code, strings.ToLower(code)} {
				if names(written) != want(written) {
					t.Errorf("%s, %s: %q, and the library has %q", tag, written, names(written), want(written))
				}
			}
		}
		if names("DE") == "" {
			t.Errorf("%s: Germany has no name", tag)
		}
	}
}

// codes are all of two letters, and some that are none.
func codes() []string {
	list := []string{"", "D", "DEU", "276", "D1", "ÄÖ", "D\tE"}
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			list = append(list, string([]rune{first, second}))
		}
	}
	return list
}
