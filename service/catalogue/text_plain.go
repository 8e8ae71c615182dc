//go:build !packed

package catalogue

import _ "embed"

//go:embed formats.yaml
var formatsYAML []byte
