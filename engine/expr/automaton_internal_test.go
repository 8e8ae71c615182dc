package expr

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// An automaton says of every text what the regular expression says: expressions and texts are
// made at random, of the characters that the expressions have.
func TestAutomaton(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	pieces := []string{"a", "b", "#", "0", ".", `\s`, `\d`, "[^a#]", "[a-b]", "^", "$", `\n`, "(?i:B)", "\\.", "ä", `\p{Nd}`, "(?s:.)", "[^@\\s]"}
	texts := []string{"a", "b", "B", "#", "0", "7", ".", " ", "\n", "@"}
	var make func(depth int) string
	make = func(depth int) string {
		if depth == 0 {
			return pieces[random.IntN(len(pieces))]
		}
		a, b := make(depth-1), make(random.IntN(depth))
		switch random.IntN(6) {
		case 0:
			return "(?:" + a + "|" + b + ")"
		case 1:
			return "(?:" + a + ")" + []string{"*", "+", "?", "{1,3}", "*?"}[random.IntN(5)]
		case 2:
			return "(" + a + ")" + b
		default:
			return a + b
		}
	}
	made, matched := 0, 0
	for range 3000 {
		text := make(1 + random.IntN(5))
		re := regexp.MustCompile(text)
		parsed, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		a := newAutomaton(parsed)
		if a == nil {
			continue
		}
		made++
		for range 60 {
			var s strings.Builder
			for range random.IntN(9) {
				s.WriteString(texts[random.IntN(len(texts))])
			}
			got, known := a.match(s.String())
			want := re.MatchString(s.String())
			if !known || got != want {
				t.Fatalf("%q in %q: %v (known: %v), want %v", text, s.String(), got, known, want)
			}
			if want {
				matched++
			}
		}
	}
	if made < 2500 || matched < made {
		t.Errorf("only %d automatons and %d matches", made, matched)
	}
}

// What an automaton does not know, it leaves to the regular expression.
func TestAutomatonLimits(t *testing.T) {
	for text, want := range map[string]bool{"a+": true, `\bword`: false, "(?m)^a": false, "^(.{1,200})$": false} {
		parsed, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		a := newAutomaton(parsed)
		if (a != nil) != want {
			t.Errorf("%s has an automaton: %v", text, a != nil)
		}
		if a == nil {
			continue
		}
		if _, known := a.match("ä"); known {
			t.Errorf("%s is decided for a text that is not ASCII", text)
		}
	}
}
