//go:build !packed

package lexicon

import _ "embed"

//go:embed lexicon.yaml
var plainText []byte

// text is lexicon.yaml.
func text() ([]byte, error) { return plainText, nil }
