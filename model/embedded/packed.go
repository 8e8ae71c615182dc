//go:build packed || stored

package embedded

import "embed"

//go:embed packed/*.bin
var packed embed.FS

// stored are the nodes of a file as they are stored; "" for none.
func stored(file string) string {
	text, err := packed.ReadFile("packed/" + Stored(file))
	if err != nil {
		return ""
	}
	return string(text)
}
