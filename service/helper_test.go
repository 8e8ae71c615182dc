package service_test

import (
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service"
)

// open makes a service over the rulesets that ship.
func open(tb testing.TB) *service.Service {
	tb.Helper()
	return service.New(library(tb), service.Config{})
}

func library(tb testing.TB) *engine.Library {
	tb.Helper()
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}
