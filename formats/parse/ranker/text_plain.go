//go:build !packed

package ranker

import _ "embed"

//go:embed model.yaml
var plainText []byte

// text is model.yaml.
func text() ([]byte, error) { return plainText, nil }
