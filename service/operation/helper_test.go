package operation_test

import (
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/operation"
)

// open makes a service over the rulesets that ship.
func open(tb testing.TB) *operation.Kit {
	tb.Helper()
	return operation.New(library(tb), operation.Config{})
}

func library(tb testing.TB) *engine.Library {
	tb.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}
