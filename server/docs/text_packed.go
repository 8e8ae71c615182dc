//go:build packed

package docs

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/openapi.yaml.zst
var packedText []byte

// text is openapi.yaml.
func text() ([]byte, error) { return packed.Unpack(packedText) }
