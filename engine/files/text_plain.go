//go:build !packed

package files

import _ "embed"

//go:embed files.yaml
var plainText []byte

// text is files.yaml.
func text() ([]byte, error) { return plainText, nil }
