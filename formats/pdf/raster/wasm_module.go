//go:build !js && !packed

package raster

import (
	_ "unsafe" // for the name of the variable

	_ "github.com/klippa-app/go-pdfium/webassembly" // has PDFium
)

// moduleWASM is PDFium as the module go-pdfium embeds it. Of the module itself nothing is
// called: its functions for all of PDFium are larger than what is needed here.
//
//go:linkname moduleWASM github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var moduleWASM []byte

// wasm is the program of PDFium.
func wasm() ([]byte, error) { return moduleWASM, nil }
