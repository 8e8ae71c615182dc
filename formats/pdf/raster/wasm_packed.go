//go:build !js && packed

package raster

import (
	_ "embed"

	"einvoice/model/packed"
)

//go:embed packed/pdfium.wasm.zst
var packedWASM []byte

// wasm is the program of PDFium.
func wasm() ([]byte, error) { return packed.Unpack(packedWASM) }
