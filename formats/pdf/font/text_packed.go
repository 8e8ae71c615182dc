//go:build packed

package font

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/names.yaml.zst
var packedText []byte

// namesText is names.yaml.
func namesText() ([]byte, error) { return packed.Unpack(packedText) }
