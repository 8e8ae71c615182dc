package engine

import (
	"math/rand/v2"
	"testing"
)

// Texts are codes of a list exactly if they are in it, however long they are and however many
// codes the list has.
func TestFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	text := func() string {
		b := make([]byte, r.IntN(11))
		for i := range b {
			b[i] = "AB1\xc3\x00"[r.IntN(5)]
		}
		return string(b)
	}
	for range 300 {
		codes := map[string]struct{}{}
		for range r.IntN(60) {
			codes[text()] = struct{}{}
		}
		list := &CodeList{codes: given(codes)}
		isCode := list.finder()
		for range 500 {
			asked := text()
			if _, want := codes[asked]; isCode(asked) != want {
				t.Fatalf("%q in %q: %v", asked, codes, !want)
			}
			if _, want := codes[asked]; asked != "" && isCode(" "+asked+"\n") != want {
				t.Fatalf("%q with white space around it in %q: %v", asked, codes, !want)
			}
		}
	}
}
