//go:build !packed

package lexicon

import _ "embed"

//go:embed lexicon.yaml
var plainText []byte

// text is lexicon.yaml.
func text() ([]byte, error) { return plainText, nil }

//go:embed weights.yaml
var plainWeights []byte

// weightsText is weights.yaml.
func weightsText() ([]byte, error) { return plainWeights, nil }
