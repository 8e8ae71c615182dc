package render_test

import (
	"testing"

	"einvoice/engine/words"
	"einvoice/formats/pdf/page/law"
	"einvoice/rulesets"
)

// What the law requires, NOT-SAID says in every language of findings.
func TestStatementsAreTranslated(t *testing.T) {
	for _, tag := range []string{"de", "fr"} {
		language, err := words.Open(rulesets.FS, tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, country := range law.Countries() {
			for _, r := range law.Of(country).Required {
				if said, found := language.Phrase(r.Say); !found || said == r.Say {
					t.Errorf("%s: %s: %q is not in languages/%s/phrases/law.yaml", country, r.ID, r.Say, tag)
				}
			}
		}
	}
}
