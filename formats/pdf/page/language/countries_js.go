package language

import (
	"embed"
	"strings"
)

//go:embed browser
var countryFiles embed.FS

// countryNames gives the names of countries in a language, by their codes of two letters.
func countryNames(tag string) func(code string) string {
	data, err := countryFiles.ReadFile("browser/" + tag + ".bin")
	if err != nil {
		panic("page: " + err.Error() + "; run make wasm")
	}
	names := map[string]string{}
	for line := range strings.Lines(string(data)) {
		code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names[code] = name
	}
	return func(code string) string { return names[strings.ToUpper(code)] }
}
