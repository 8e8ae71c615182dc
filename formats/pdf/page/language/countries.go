//go:build !js

package language

import (
	"strings"

	"einvoice/model/tongue"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countryNames gives the names of countries in a language, as CLDR has them, by their codes of
// two letters.
func countryNames(tag string) func(code string) string {
	names := display.Regions(bcp47.MustParse(tag))
	return func(code string) string {
		region, err := bcp47.ParseRegion(code)
		if err != nil || len(code) != 2 {
			return ""
		}
		return names.Name(region)
	}
}

// ForBrowsers are the files of the folder browser, by name: the names of countries in the
// languages of pages. The library has them in all languages, which is too much to load.
func ForBrowsers() map[string][]byte {
	files := map[string][]byte{}
	for _, tag := range tongue.Tags() {
		var list strings.Builder
		names := countryNames(tag)
		for first := 'A'; first <= 'Z'; first++ {
			for second := 'A'; second <= 'Z'; second++ {
				code := string([]rune{first, second})
				if name := names(code); name != "" {
					list.WriteString(code + "\t" + name + "\n")
				}
			}
		}
		files[tag+".bin"] = []byte(list.String())
	}
	return files
}
