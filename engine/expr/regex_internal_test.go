package expr

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is quickly seen of a text is what the regular expression says.
func TestAbsent(t *testing.T) {
	patterns := []string{`\s`, `\r?\n`, "#[^\r\n]+#", `^[A-Z]{2}[0-9]{2}$`, `(ab)+c?`, `(?i)ab`, `a|b`, `[a-z]`, `[^a]`, `(?:ab){0,2}`, `(?:ab){1,2}`, `a.b`, ``, `[é]`, `ab$`, `^\s*\n`}
	seen, quick := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(patterns).Draw(t, "pattern")
		p, err := NewEnvironment(Options{}).regularExpression(compiled{literal: text})
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
		re, err := NewEnvironment(Options{}).regularExpression(compiled{literal: c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got := re.ReplaceAllString("a1b2", re.inBraces(c.template)); got != c.want {
			t.Errorf("%s by %s: got %q, want %q", c.pattern, c.template, got, c.want)
		}
	}
}

// A few characters may come to a large pattern. What is compiled is bounded, its memory is asked for
// before that, and a text costs more the larger the pattern is.
func TestLargePatterns(t *testing.T) {
	sign := rapid.StringMatching(`[a-z]|\.|\[a-z\]|\\pL|\(\?i:k\)`)
	var part func(depth int) *rapid.Generator[string]
	part = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			if depth == 0 {
				return sign.Draw(t, "sign")
			}
			parts := rapid.SliceOfN(part(depth-1), 1, 6).Draw(t, "parts")
			joined := "(?:" + strings.Join(parts, rapid.SampledFrom([]string{"", "|"}).Draw(t, "between")) + ")"
			n := rapid.IntRange(0, 1000).Draw(t, "times")
			return joined + rapid.SampledFrom([]string{"", "*", "?", fmt.Sprintf("{%d}", n), fmt.Sprintf("{%d,}", n), fmt.Sprintf("{%d,1000}", n)}).Draw(t, "repeated")
		})
	}
	large, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part(rapid.IntRange(1, 2).Draw(t, "depth")), 1, 40).Draw(t, "patterns"), "|")
		if _, err := syntax.Parse(text, syntax.Perl); err != nil {
			t.Skip(err) // repeated too often for package regexp
		}
		asked := 0
		env := NewEnvironment(Options{Pay: func(bytes int) error { asked += bytes; return nil }})
		p, err := env.regularExpression(compiled{literal: text})
		if err != nil {
			if refused++; asked > 0 {
				t.Fatalf("%q: %v, and %d bytes are asked for", text, err, asked)
			}
			return
		}
		prog, err := syntax.Compile(p.parsed.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		n := len(prog.Inst)
		if n > 3*mostInstructions || n > 3*usualInstructions && (asked < n*bytesPerInstruction/3 || p.weight < n/usualInstructions/3) {
			t.Fatalf("%q comes to %d instructions, of the weight %d, and %d bytes are asked for", text, n, p.weight, asked)
		}
		if n > usualInstructions {
			large++
		}
	})
	if large == 0 || refused == 0 {
		t.Errorf("%d patterns are large, %d are refused", large, refused)
	}
	denied := errors.New("no memory")
	env := NewEnvironment(Options{Pay: func(int) error { return denied }})
	if _, err := env.regularExpression(compiled{literal: "a{1000}b{1000}"}); !errors.Is(err, denied) {
		t.Errorf("a large pattern without memory: %v", err)
	}
}
