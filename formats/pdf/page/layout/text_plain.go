//go:build !packed

package layout

import _ "embed"

//go:embed layout.yaml
var plainText []byte

// text is layout.yaml.
func text() ([]byte, error) { return plainText, nil }
