package engine_test

import (
	"testing"
	"testing/fstest"

	"einvoice/engine"
)

// Profiles with a mistake are a mistake whenever they are asked for: what was read before it is
// not taken for all of them.
func TestMistakeInProfiles(t *testing.T) {
	l, err := engine.Open(fstest.MapFS{
		"profiles/a.yaml": {Data: []byte("profiles:\n  - {id: a, name: A, standard: a, specificationIds: [a], rulesets: [r]}\n")},
		"profiles/b.yaml": {Data: []byte("profiles:\n  - {id: a, name: B, standard: b, specificationIds: [b], rulesets: [r]}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := l.Profiles(); err == nil || err.Error() != "profiles/b.yaml: profile a is defined twice" {
			t.Errorf("got %v", err)
		}
	}
}
