//go:build packed

package formats

import "embed"

// packed has the nodes of each table of bindings, which cmd/pack wrote.
//
//go:embed packed/*.bin
var packed embed.FS

// nodes are the nodes of a table; "" for none.
func nodes(syntax string) string {
	stored, err := packed.ReadFile("packed/" + syntax + ".bin")
	if err != nil {
		return ""
	}
	return string(stored)
}
