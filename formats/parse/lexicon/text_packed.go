//go:build packed

package lexicon

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/lexicon.yaml.zst
var packedText []byte

// text is lexicon.yaml.
func text() ([]byte, error) { return packed.Unpack(packedText) }

//go:embed packed/weights.yaml.zst
var packedWeights []byte

// weightsText is weights.yaml.
func weightsText() ([]byte, error) { return packed.Unpack(packedWeights) }
