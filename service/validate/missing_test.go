package validate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/service/validate"
)

// A name that there is not is an error of a type of its own, with the names that there are.
func TestNamesThatThereAreNot(t *testing.T) {
	s, err := validate.Open(validate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for kind, c := range map[string]struct {
		rules validate.Rules
		known string
	}{
		"profile": {validate.Rules{Profile: "xrechnug-3.0"}, "xrechnung-3.0"},
		"ruleset": {validate.Rules{Rulesets: []string{"xrechnug"}}, "xrechnung"},
		"overlay": {validate.Rules{Overlays: []string{"germny"}}, "germany"},
	} {
		_, err := s.Validate(context.Background(), []byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`), c.rules)
		for where, err := range map[string]error{"Validate": err, "CheckRules": s.CheckRules(c.rules)} {
			missing, ok := errors.AsType[*engine.NotFoundError](err)
			if !ok || missing.Kind != kind || !slices.Contains(missing.Known, c.known) {
				t.Errorf("%s of a %s that there is not: %#v", where, kind, err)
			}
		}
	}
}
