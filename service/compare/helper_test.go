package compare_test

import (
	"io/fs"
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

// exampleInvoice is an invoice that ships with the rulesets.
func exampleInvoice(name string) []byte {
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		panic(err)
	}
	return data
}
