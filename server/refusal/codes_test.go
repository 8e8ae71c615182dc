package refusal_test

import (
	"testing"

	"einvoice/engine/words"
	"einvoice/rulesets"
	"einvoice/server/refusal"
)

// Every problem has its title in the languages that are complete.
func TestTitlesAreTranslated(t *testing.T) {
	for _, tag := range []string{"de", "fr"} {
		language, err := words.Open(rulesets.FS, tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range refusal.Codes {
			if !language.Has(c.Title) {
				t.Errorf("%s: %q (%s) has no translation", tag, c.Title, c.Code)
			}
		}
	}
}
