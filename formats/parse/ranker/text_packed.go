//go:build packed

package ranker

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/model.yaml.zst
var packedText []byte

// text is model.yaml.
func text() ([]byte, error) { return packed.Unpack(packedText) }
