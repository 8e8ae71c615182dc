//go:build !packed

package docs

import _ "embed"

//go:embed openapi.yaml
var plainText []byte

// text is openapi.yaml.
func text() ([]byte, error) { return plainText, nil }
