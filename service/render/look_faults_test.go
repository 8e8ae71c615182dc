package render_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"testing/fstest"

	"einvoice/engine/words"
	"einvoice/formats/pdf/page/look"
	"einvoice/rulesets"
)

// Whatever is wrong with the values of a look, it is said in one language.
func TestFaultsOfLooksInOneLanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same looks in every run
	numbers := []string{"-5", "0", "3", "1e9", "150", "0.5"}
	names := []string{"lines", "nope", "logo.svg", "../up.svg", "acme", "de", "xx", "'#fff'", "red", "''"}
	keys := []string{
		"colours: {accent: %s}", "page: {top: %d, left: %d}", "letter: {body: %d, sender: {y: %d, width: %d}, recipient: {x: %d, y: %d, width: %d}}",
		"logo: {file: %s, x: %d, y: %d, width: %d, height: %d}", "fonts: {plain: %s}", "fonts: {bold: %s}", "paper: {first: %s}",
		"labels: {%s: {lines: x}}", "labels: {de: {%s: x}}", "sections: [%s, lines, %s]", "foot: [[], [], [], [], [], []]",
	}
	value := regexp.MustCompile(`%[sd]`)
	quoted := regexp.MustCompile(`"[^"]*"|\[[A-Z-]+\]|einvoice look schema`)
	english := regexp.MustCompile(`\b(the|is|has|have|there|not|and|or|its|of|at)\b`)
	faults := map[string]bool{}
	for range 600 {
		key := value.ReplaceAllStringFunc(keys[r.IntN(len(keys))], func(verb string) string {
			if verb == "%d" {
				return numbers[r.IntN(len(numbers))]
			}
			return names[r.IntN(len(names))]
		})
		based := []string{"general", "din5008", "din5008", "nope"}[r.IntN(4)]
		files := fstest.MapFS{
			"acme.yaml": {Data: fmt.Appendf(nil, "name: acme\nbased: %s\n%s\n", based, key)},
			"logo.svg":  {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h5v5z"/></svg>`)},
		}
		_, err := look.Read(files, "acme.yaml", func(*look.Look) error { return nil })
		if err == nil || faults[err.Error()] {
			continue
		}
		faults[err.Error()] = true
		for _, name := range []string{"de", "fr"} {
			language, failed := words.Open(rulesets.FS, name)
			if failed != nil {
				t.Fatal(failed)
			}
			if said := language.Say(err.Error()); english.MatchString(quoted.ReplaceAllString(said, "")) {
				t.Errorf("%s\n%s: %s", key, name, said)
			}
		}
	}
	if len(faults) < 20 {
		t.Errorf("only %d faults were found", len(faults))
	}
}
