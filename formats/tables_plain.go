//go:build !packed

package formats

import "embed"

// Each syntax has a folder of its name, with the table of its bindings.
//
//go:embed */bindings.yaml
var tables embed.FS

// tableText is the table of bindings of a syntax, as it is written.
func tableText(syntax string) ([]byte, error) { return tables.ReadFile(syntax + "/bindings.yaml") }
