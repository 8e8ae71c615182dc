package font

import "embed"

// A browser shows pages in fonts of its own, so that its program has the widths and forms of
// the fonts without their outlines, which are a third of them. `make wasm` writes the files.
//
//go:embed browser
var files embed.FS

// BuiltIn is the file of one of the program's fonts.
func BuiltIn(name string) []byte {
	data, err := files.ReadFile("browser/" + name + ".bin")
	if err != nil {
		panic("font: " + err.Error() + "; run make wasm")
	}
	return data
}
