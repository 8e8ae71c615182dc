package model_test

import (
	"testing"
	"unsafe"

	"einvoice/model"
)

// Two fields are in a line of the processor's cache, as docs/adr/0005-speed.md says.
func TestSizeOfField(t *testing.T) {
	if size := unsafe.Sizeof(model.Field{}); size != 32 {
		t.Errorf("a field has %d bytes", size)
	}
}
