package typeset

import (
	"context"
	"strings"
	"testing"
)

// Twice the text is twice the work, whatever direction it runs in: what is counted is how much
// text is set, to measure it or to draw it.
func TestShapingIsLinear(t *testing.T) {
	st := &Style{Size: 9}
	for name, text := range map[string]string{
		"mixed directions": "\u05d0 a", "joining letters": "\u0644\u0627", "words": "\u0633\u0644\u0627\u0645 ",
		"no width": "\u05d0\u05b0 \u05b0\u05b0 ", "thai": "\u0e40\u0e04\u0e23\u0e37\u0e48\u0e2d\u0e07",
	} {
		work := func(n int) float64 {
			u := NewFontUse(t.Context(), nil, nil, nil)
			s := strings.Repeat(text, n)
			u.Wrap(s, st, 240)
			u.Width(s, st)
			return float64(u.set) / float64(len(s))
		}
		few, many := work(500), work(4000)
		if many > 1.5*few || many > 12 {
			t.Errorf("%s: each byte is set %.0f times in a long text, %.0f times in a short one", name, many, few)
		}
	}
}

// When nobody waits for the document, the text is not measured to its end.
func TestShapingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u, st := NewFontUse(ctx, nil, nil, nil), &Style{Size: 9}
	cancel()
	s := strings.Repeat("\u05d0 a", 5000)
	u.Wrap(s, st, 240)
	u.Width(s, st)
	if u.set > longestTried {
		t.Errorf("%d bytes were set", u.set)
	}
}
