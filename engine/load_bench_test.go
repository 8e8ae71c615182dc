package engine_test

import (
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
)

// BenchmarkLoad times what a start of the program costs: reading a ruleset, and
// preparing it to be run.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		l, err := engine.Open(rulesets.FS)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.Validator("en16931"); err != nil {
			b.Fatal(err)
		}
	}
}
