package xpath

import (
	"testing"
	"unsafe"
)

// What each document reads of a plan is in one line of the processor's cache, and the whole and
// each pattern fill whole lines, as docs/adr/0005-speed.md says.
func TestSizes(t *testing.T) {
	const line = 64
	var p plan[any]
	if size := unsafe.Sizeof(p); size != 2*line {
		t.Errorf("a plan has %d bytes", size)
	}
	if end := unsafe.Offsetof(p.gates) + unsafe.Sizeof(p.gates); end > line {
		t.Errorf("what each document reads of a plan ends at %d", end)
	}
	if size := unsafe.Sizeof(pattern[any]{}); size != line {
		t.Errorf("a pattern has %d bytes", size)
	}
}
