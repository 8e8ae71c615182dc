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

// The number of a group ends where it does in XPath's replace.
func TestGroupsOfTemplate(t *testing.T) {
	for _, c := range []struct{ pattern, template, want string }{
		{"([a-z])([0-9])", "$2$1", "1a2b"},
		{"([a-z])([0-9])", "$2x$1", "1xa2xb"},
		{"([a-z])([0-9])", "$1_$2", "a_1b_2"},
		{"([a-z])([0-9])", "$12", "a2b2"},
		{"([a-z])([0-9])", "$0!", "a1!b2!"},
		{"([a-z])([0-9])", "$1$$2", "a$2b$2"},
		{"([a-z])([0-9])", "${1}x", "axbx"},
		{"([a-z])([0-9])", "$99999", "9999" + "9999"},
		{"([a-z])([0-9])", "-$", "-$-$"},
		{"([a-z])([0-9])", "", ""},
		{"()()()()()()()()()()()([a-z])[0-9]", "$12x", "axbx"},
	} {
		re, err := regularExpression(compiled{literal: c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got := re.ReplaceAllString("a1b2", re.inBraces(c.template)); got != c.want {
			t.Errorf("%s by %s: got %q, want %q", c.pattern, c.template, got, c.want)
		}
	}
}
