//go:build packed

package files

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/files.yaml.zst
var packedText []byte

// text is files.yaml.
func text() ([]byte, error) { return packed.Unpack(packedText) }
