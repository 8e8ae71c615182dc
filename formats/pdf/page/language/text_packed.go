//go:build packed

package language

import (
	"embed"

	"einvoice/model/packed"
)

//go:embed packed/*.zst
var files embed.FS

// text is the file of a language.
func text(name string) ([]byte, error) {
	return packed.ReadFile(files, "packed/"+name+".yaml"+packed.Ending)
}
