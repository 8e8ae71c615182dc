//go:build packed

package layout

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/layout.yaml.zst
var packedText []byte

// text is layout.yaml.
func text() ([]byte, error) { return packed.Unpack(packedText) }
