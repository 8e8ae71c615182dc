//go:build packed

package law

import (
	"embed"

	"einvoice/model/packed"
)

//go:embed packed/*.zst
var files embed.FS

// folder has the files of the countries.
const folder = "packed"

// text is a file of a country.
func text(name string) ([]byte, error) { return packed.ReadFile(files, folder+"/"+name) }
