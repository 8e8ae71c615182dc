//go:build !js && !packed

package country

import "einvoice/formats/pdf/page/language/country/cldr"

// Names returns what a country is called in a language, by its code of two letters: empty if it
// has no name.
func Names(tag string) func(code string) string { return cldr.Names(tag) }
