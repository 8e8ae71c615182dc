package language

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed units.yaml
var unitsFile []byte

//go:embed schemes.yaml
var schemesFile []byte

//go:embed addresses.yaml
var addressesFile []byte

// unitLanguages are the languages of units.yaml, in its order.
var unitLanguages = []string{"en", "de", "fr", "es", "it", "nl", "pl"}

func decoded[T any](file []byte, name string) func() T {
	return sync.OnceValue(func() (v T) {
		if err := yaml.Unmarshal(file, &v); err != nil {
			panic("page: " + name + ": " + err.Error()) // the file is embedded
		}
		return v
	})
}

var (
	units     = decoded[map[string][]string](unitsFile, "units.yaml")
	schemes   = decoded[struct{ Schemes, Classifications map[string]string }](schemesFile, "schemes.yaml")
	addresses = decoded[map[string][]string](addressesFile, "addresses.yaml")
)

// PlaceOf is how the place is written in addresses of a country: Z for the post code, C for the
// city, S for the region, | for the end of a line.
func PlaceOf(country string) string {
	for pattern, countries := range addresses() {
		if slices.Contains(countries, country) {
			return pattern
		}
	}
	return PlaceOf("")
}

// unitName is the name of a unit; empty if it is not known. A package of Recommendation 21 may
// lack the X that it has in invoices.
func (l *Language) unitName(code string) string {
	for _, code := range []string{code, "X" + code} {
		if name := l.Codes[unitCodes][code]; name != "" {
			return name
		}
		if i := slices.Index(unitLanguages, l.Tag); i >= 0 && len(units()[code]) > i {
			return units()[code][i]
		}
	}
	return ""
}

// unitCodes is the list of units of a language.
const unitCodes = "invoicedQuantityUnitCode"

// schemeName is what a scheme of identifiers is called; empty if it is not known.
func (l *Language) schemeName(code string, ofItems bool) string {
	s := schemes()
	name := s.Schemes[code]
	if ofItems {
		name = s.Classifications[code]
	}
	switch {
	case name == "@":
		return l.Labels["email"]
	case len(name) == 2 && strings.ToUpper(name) == name && name != "HS":
		return l.Labels["vatIdentifier"] + " " + name
	}
	return name
}
