package engine_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/rulesets"
)

// englishPeriod is what a period says that was not translated.
var englishPeriod = regexp.MustCompile(`\b(from|until)\b`)

// What pages lack is said in one language, whatever it is.
func TestPagesLackInOneLanguage(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"de", "fr"} {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, lacks := range []string{
			"a title such as Invoice and an invoice number", "a title such as Invoice and a total",
			"an invoice number and a total", "a title such as Invoice and an invoice number and a total",
		} {
			said := language.Say("this is not an invoice that can be recognised: the pages lack " + lacks)
			if strings.Contains(said, " and ") || strings.Contains(said, "Invoice") || strings.Contains(said, "pages lack") {
				t.Errorf("%s: %s", tag, said)
			}
		}
	}
}

// The sentences about when something is in force are translated with their periods.
func TestPeriodsAreTranslated(t *testing.T) {
	for _, tag := range complete {
		language, err := words.Open(rulesets.FS, tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, period := range []engine.Period{{From: "2026-01-01"}, {Until: "2026-12-31"}, {From: "2026-01-01", Until: "2026-12-31"}} {
			for _, sentence := range []string{"in force %s", "it is in force %s, and the day that decides is 2027-01-01", "Overlay acme is in force %s.", "xrechnung 3.0 is in force %s.", "The rule is not in force on 2027-01-01; %s."} {
				english := fmt.Sprintf(sentence, period)
				if said := language.Say(english); said == english || englishPeriod.MatchString(said) {
					t.Errorf("%s: %q is %q", tag, english, said)
				}
			}
		}
	}
}
