//go:build !packed

package font

import _ "embed"

//go:embed names.yaml
var plainText []byte

// namesText is names.yaml.
func namesText() ([]byte, error) { return plainText, nil }
