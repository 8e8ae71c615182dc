package country

import "embed"

//go:embed browser
var files embed.FS

// list is what package cldr lists for a language. A browser gets the whole program
// compressed.
func list(tag string) string {
	data, err := files.ReadFile("browser/" + tag + ".bin")
	if err != nil {
		panic("country: " + err.Error() + "; run make wasm")
	}
	return string(data)
}
