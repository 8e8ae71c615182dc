package expr

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// What is quickly seen of a text is what the regular expression says.
func TestAbsent(t *testing.T) {
	patterns := []string{`\s`, `\r?\n`, "#[^\r\n]+#", `^[A-Z]{2}[0-9]{2}$`, `(ab)+c?`, `(?i)ab`, `a|b`, `[a-z]`, `[^a]`, `(?:ab){0,2}`, `(?:ab){1,2}`, `a.b`, ``, `[é]`, `ab$`, `^\s*\n`}
	seen, quick := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(patterns).Draw(t, "pattern")
		p, err := regularExpression(compiled{literal: text})
		if err != nil {
			t.Fatal(err)
		}
		s := rapid.StringMatching(`[abAB1 #\n\ré]{0,12}`).Draw(t, "text")
		seen++
		if p.absent(s) {
			quick++
			if regexp.MustCompile(text).MatchString(s) {
				t.Fatalf("%q matches %q, but it is said to be absent", text, s)
			}
		}
	})
	if quick == 0 || quick == seen {
		t.Errorf("%d of %d were quickly seen", quick, seen)
	}
}
