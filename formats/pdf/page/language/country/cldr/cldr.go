// Package cldr reads the names of countries out of the library that has CLDR.
package cldr

import (
	"strings"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Names returns what a country is called in a language, by its code of two letters: empty if it
// has no name.
func Names(tag string) func(code string) string {
	names := display.Regions(bcp47.MustParse(tag))
	return func(code string) string {
		region, err := bcp47.ParseRegion(code)
		if err != nil || len(code) != 2 {
			return ""
		}
		return names.Name(region)
	}
}

// List returns all names in a language, a row with a code, a tab and a name for each.
func List(tag string) []byte {
	var list strings.Builder
	names := Names(tag)
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			code := string([]rune{first, second})
			if name := names(code); name != "" {
				list.WriteString(code + "\t" + name + "\n")
			}
		}
	}
	return []byte(list.String())
}
