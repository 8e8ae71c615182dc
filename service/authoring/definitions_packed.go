//go:build packed

package authoring

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/definitions.yaml.zst
var packedDefinitions []byte

// definitionsText is definitions.yaml.
func definitionsText() ([]byte, error) { return packed.Unpack(packedDefinitions) }
