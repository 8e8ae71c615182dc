package report

import (
	"testing"

	"einvoice/engine"
)

// The day of a newer version may be still to come: the sentence holds before it and after it.
func TestNotNewest(t *testing.T) {
	got := notNewest(&engine.RulesetInfo{Name: "company", Version: "1", Artefact: "Rules of ACME", Newer: "2", NewerSince: "2099-03-01"})
	if want := "company 1 is not the newest: Rules of ACME 2 is in force from 2099-03-01"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
