//go:build !packed

package syntax

import _ "embed"

//go:embed syntaxes.yaml
var list []byte
