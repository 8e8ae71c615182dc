package font

import "embed"

// A browser shows pages in fonts of its own, so that its program has the widths and forms of
// the fonts without their outlines, which are a third of them. `make wasm` writes the files.
//
//go:embed browser
var files embed.FS

// BuiltIn is the file of one of the program's fonts; nil if it has none of that name, as of
// most: a browser's program does not embed invoices in PDFs of others, whose fonts would have
// to be replaced.
func BuiltIn(name string) []byte {
	data, err := files.ReadFile("browser/" + name + ".bin")
	if err != nil {
		return nil
	}
	return data
}
