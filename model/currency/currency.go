// Package currency knows how the amounts of currencies are written.
package currency

import (
	_ "embed"
	"sync"

	"einvoice/model/strictyaml"
)

//go:embed minorunits.yaml
var minorUnits []byte

var others = sync.OnceValue(func() map[string]int {
	var listed map[int][]string
	if err := strictyaml.Decode(minorUnits, &listed); err != nil {
		panic("currency: " + err.Error()) // the file is embedded
	}
	others := map[string]int{}
	for decimals, codes := range listed {
		for _, code := range codes {
			others[code] = decimals
		}
	}
	return others
})

// MinorUnits returns how many decimals the amounts of a currency have (ISO 4217): two for a code
// that is not known.
func MinorUnits(code string) int {
	if decimals, other := others()[code]; other {
		return decimals
	}
	const cents = 2
	return cents
}
