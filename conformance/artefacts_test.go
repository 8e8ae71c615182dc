package conformance

import (
	"slices"
	"testing"

	"einvoice/engine"
)

// A document is validated with the rulesets whose artefacts have a verdict on it.
func TestRulesFor(t *testing.T) {
	fired := func(names ...string) *Verdict {
		v := &Verdict{Fired: map[string]map[string]engine.Level{}}
		for _, name := range names {
			v.Fired[name] = map[string]engine.Level{}
		}
		return v
	}
	for _, c := range []struct {
		verdict *Verdict
		want    []string
	}{
		{nil, []string{"en16931", "xrechnung"}},
		{fired("en16931"), []string{"en16931", "xrechnung"}},
		{fired("en16931", "xrechnung"), []string{"en16931", "xrechnung"}},
		{fired("en16931", "peppol"), []string{"en16931", "peppol"}},
	} {
		if got := rulesFor(c.verdict).Rulesets; !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.verdict, got, c.want)
		}
	}
}
