package quote_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"einvoice/model/quote"
)

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "abc": "abc", "abcd": "abc... (4 bytes)", "äöü": "äöü", "äöüß": "äöü... (8 bytes)", "a\xffbc": "a\xffb... (4 bytes)",
	} {
		if got := quote.Shorten(text, 3); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		" \n": "", "\ta \r\n b ": "a b", "  a    bcdefgh": "a b... (12 bytes)",
	} {
		if got := quote.Fields(text, 6); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestValue(t *testing.T) {
	long := strings.Repeat("ä", 300_000)
	if got, want := quote.Value(long), `"`+long[:2*quote.Most]+`"... (600000 bytes)`; got != want {
		t.Errorf("got %.600s", got)
	}
	if got, want := quote.Value("a\"\x1b"), `"a\"\x1b"`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb ä\u00a0\u2009": "a\nb ä\u00a0\u2009",
		"\x1b[2J":            `\x1b[2J`,
		"a\rb\tc\x00":        `a\rb\tc\x00`,
		"\u202egnp.\u2066":   `\u202egnp.\u2066`,
		"\u009b1m":           `\u009b1m`,
		"\U000e0041":         `\U000e0041`,
		"a\xff\ufffdb\n\xc3": "a\\xff\ufffdb\n\\xc3",
	} {
		if got := quote.Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"a b ä.xml": "a b ä.xml", "a\nb\r\n": `a\nb\r\n`, "\xe4.xml": `\xe4.xml`, "\x1b\n": `\x1b\n`,
	} {
		if got := quote.Name(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// No two names of files have one spelling, whatever bytes are in them, and each is text.
func TestSpelled(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 7))
	parts := []string{"a", "ä", "\\", "x", "\\x", "5c", "ff", "FF", "\xff", "\xc3", "\xfe", "\ufffd", "\n", "/"}
	names := map[string]string{}
	for range 200_000 {
		name := ""
		for range chance.IntN(7) {
			name += parts[chance.IntN(len(parts))]
		}
		spelled := quote.Spelled(name)
		if other, known := names[spelled]; known && other != name || !utf8.ValidString(spelled) {
			t.Fatalf("%q and %q are %q", name, other, spelled)
		}
		names[spelled] = name
	}
	if got := quote.Spelled(`C:\new\über.xml`); got != `C:\new\über.xml` {
		t.Error(got)
	}
}
