// Package kittest has the operations over the rules that ship, for tests. All tests of a package
// share them, so that rules are read and compiled once.
package kittest

import (
	"sync"
	"testing"

	"einvoice/engine"
	"einvoice/engine/shipped"
	"einvoice/service/operation"
)

var kit = sync.OnceValues(func() (*operation.Kit, error) {
	l, err := shipped.Library()
	if err != nil {
		return nil, err
	}
	return operation.New(l, operation.Config{}), nil
})

// Library returns the library of the rules that ship.
func Library(tb testing.TB) *engine.Library {
	tb.Helper()
	return must(tb, shipped.Library)
}

// Kit returns the operations over them.
func Kit(tb testing.TB) *operation.Kit {
	tb.Helper()
	return must(tb, kit)
}

func must[T any](tb testing.TB, make func() (T, error)) T {
	tb.Helper()
	made, err := make()
	if err != nil {
		tb.Fatal(err)
	}
	return made
}
