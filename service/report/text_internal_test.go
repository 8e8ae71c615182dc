package report

import (
	"slices"
	"testing"
)

// Lines end at spaces, and at no no-break space.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"la TVA\u202f; non", 7, []string{"la", "TVA\u202f;", "non"}},
		{"prix\u00a0: 2\tou 3", 6, []string{"prix\u00a0:", "2 ou 3"}},
		{"a\n\nb", 5, []string{"a", "", "b"}},
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
