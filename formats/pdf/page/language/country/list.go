//go:build js || packed

package country

import "strings"

// Names returns what a country is called in a language, by its code of two letters: empty if it
// has no name.
func Names(tag string) func(code string) string {
	names := map[string]string{}
	for row := range strings.Lines(list(tag)) {
		code, name, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		names[code] = name
	}
	return func(code string) string { return names[strings.ToUpper(code)] }
}
