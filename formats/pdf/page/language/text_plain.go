//go:build !packed

package language

import "embed"

//go:embed languages/*.yaml units.yaml schemes.yaml addresses.yaml
var files embed.FS

// text is the file of a language.
func text(name string) ([]byte, error) { return files.ReadFile("languages/" + name + ".yaml") }

// data is a file that is not of one language.
func data(name string) ([]byte, error) { return files.ReadFile(name + ".yaml") }
