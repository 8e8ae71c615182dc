//go:build packed && !js

package country

import (
	"embed"

	"einvoice/model/packed"
)

//go:embed packed/*.zst
var files embed.FS

// list is what package cldr lists for a language.
func list(tag string) string {
	data, err := packed.ReadFile(files, "packed/"+tag+packed.Ending)
	if err != nil {
		panic("country: " + err.Error() + "; run make prepared")
	}
	return string(data)
}
