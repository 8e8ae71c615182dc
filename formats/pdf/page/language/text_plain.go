//go:build !packed

package language

import "embed"

//go:embed languages/*.yaml
var files embed.FS

// text is the file of a language.
func text(name string) ([]byte, error) { return files.ReadFile("languages/" + name + ".yaml") }
