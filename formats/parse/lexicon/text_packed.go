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
