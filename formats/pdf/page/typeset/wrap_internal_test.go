package typeset

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	fonts, st := NewFontUse(t.Context(), nil, nil, nil), &Style{Size: 9}
	for _, c := range []struct {
		text string
		want string
	}{
		{"", ""},
		{"one two three", "one two|three"},
		{"one\r\n\ntwo\n ", "one||two"},
		{"unbreakablylongword", "unbreakabl|ylongword"},
		{"half-baked-idea", "half-baked-|idea"},
		{"a  b", "a  b"},
		{"of 26-11-22", "of|26-11-22"},
		{"to ab-c@d.ef", "to|ab-c@d.ef"},
		{"to ab-cdefgh", "to ab-|cdefgh"},
		{"RE-2026/17-4", "RE-2026/|17-4"},
		{"1\u00a0234,50 EUR", "1\u00a0234,50|EUR"},
		{"IBAN:\u00a0DE790000", "IBAN:|DE790000"},
		{strings.Repeat(" ", 5000) + "x", strings.Repeat(" ", 5000)},
	} {
		var got []string
		text := Clean(c.text)
		for _, l := range fonts.Wrap(text, st, 46) {
			got = append(got, text[l.From:l.To])
		}
		if joined := strings.Join(got, "|"); !strings.HasPrefix(joined, c.want) || len(c.text) < 100 && joined != c.want {
			t.Errorf("%q is broken into %q, want %q", c.text, got, c.want)
		}
	}
}
