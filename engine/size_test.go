package engine

import (
	"testing"
	"unsafe"
)

// What each document reads of a rule is small, as docs/adr/0005-speed.md says: a line of the
// processor's cache has 64 bytes.
func TestSizes(t *testing.T) {
	if size := unsafe.Sizeof(compiledRule{}); size > 48 {
		t.Errorf("a rule has %d bytes", size)
	}
	if size := unsafe.Sizeof(boundGroup{}); size > 64 {
		t.Errorf("the rules at a route have %d bytes", size)
	}
}
