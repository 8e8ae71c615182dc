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
	compressed, err := files.ReadFile("packed/" + name + ".yaml" + packed.Ending)
	if err != nil {
		return nil, err
	}
	return packed.Unpack(compressed)
}
