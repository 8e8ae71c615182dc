//go:build !packed

package law

import "embed"

//go:embed countries/*.yaml
var files embed.FS

// folder has the files of the countries.
const folder = "countries"

// text is a file of a country.
func text(name string) ([]byte, error) { return files.ReadFile(folder + "/" + name) }
