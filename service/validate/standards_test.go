package validate_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// A standard that an overlay excepts, or one of its changes of levels, is one that there is: any
// misspelt one is named, with the one that is near.
func TestExceptedStandardsAreThere(t *testing.T) {
	const overlay = "overlay: acme\ntitle: T\nowner: O\non: {profiles: [en16931]}\n%slevels:\n  - {rules: [BR-CL-23], level: warning, reason: R., until: open, source: S%s}\n"
	check := func(standard string, inLevels bool) error {
		text := fmt.Sprintf(overlay, "documents: {except: ["+standard+"]}\n", "")
		if inLevels {
			text = fmt.Sprintf(overlay, "", ", documents: {except: ["+standard+"]}")
		}
		l, err := engine.Open(engine.Layered(fstest.MapFS{"overlays/acme.yaml": {Data: []byte(text)}}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		return validate.CheckLibrary(l, false)
	}
	for n, standard := range []string{"facturx", "xrechnung", "peppol", "en16931", "zugferd", "fr-ctc", "nlcius"} {
		inLevels := n%2 == 1
		if err := check(standard, inLevels); err != nil {
			t.Errorf("%s: %v", standard, err)
		}
		at := n % len(standard)
		for _, wrong := range []string{standard + "x", standard[:at] + "q" + standard[at:], standard[:at] + standard[at+1:]} {
			if err := check(wrong, inLevels); err == nil || !strings.Contains(err.Error(), "overlays/acme.yaml:") || !strings.Contains(err.Error(), `there is no standard "`+wrong+`"`) || !strings.Contains(err.Error(), standard) {
				t.Errorf("%s: %v", wrong, err)
			}
		}
	}
	if err := check("nothing-like-it", false); err == nil || !strings.Contains(err.Error(), "write the standard of a profile") {
		t.Error(err)
	}
}
