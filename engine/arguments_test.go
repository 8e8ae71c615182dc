package engine

import (
	"slices"
	"testing"
)

func TestFirstArguments(t *testing.T) {
	for text, want := range map[string][]string{
		`this.code.isInCodeList("a") && isInCodeList( 'b')`: {"a", "b"},
		`x.isInCodeList(y) || isInCodeLists("c")`:           nil,
		`notisInCodeList("d")`:                              nil,
		`isInCodeList("e`:                                   nil,
		`isInCodeList`:                                      nil,
		`isInCodeList("")`:                                  {""},
		"isInCodeList(\n\t\"f\")isInCodeList('g')":          {"f", "g"},
	} {
		if have := firstArguments(text, "isInCodeList"); !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q", text, have, want)
		}
	}
}
