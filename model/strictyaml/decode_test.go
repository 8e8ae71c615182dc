package strictyaml_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/model/strictyaml"
)

// A mapping of any depth and form has its bound of keys: package yaml compares each with each.
func TestManyKeys(t *testing.T) {
	const most = 5000
	for range 20 {
		n, depth, flow := most-1+rand.IntN(3), rand.IntN(4), rand.IntN(2) == 0
		var b strings.Builder
		for i := range depth {
			fmt.Fprintf(&b, "%sa%d:\n", strings.Repeat(" ", i), i)
		}
		if flow {
			b.WriteString(strings.Repeat(" ", depth) + "{")
		}
		for i := range n {
			if flow {
				fmt.Fprintf(&b, "k%d: 1, ", i)
			} else {
				fmt.Fprintf(&b, "%sk%d: 1\n", strings.Repeat(" ", depth), i)
			}
		}
		if flow {
			b.WriteString("}\n")
		}
		var into any
		err := strictyaml.Decode([]byte(b.String()), &into)
		if refused := err != nil && strings.Contains(err.Error(), fmt.Sprintf("line %d: a mapping has %d keys", depth+1, n)); refused != (n > most) {
			t.Errorf("%d keys at depth %d, in braces %v: %v", n, depth, flow, err)
		}
	}
}
