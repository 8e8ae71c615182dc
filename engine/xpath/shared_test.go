package xpath_test

import (
	"fmt"
	"reflect"
	"testing"

	"einvoice/engine/xpath"
)

// TestSharedKeys makes paths at random, and others out of them by one other, one missing and one
// further character. Paths that say the same have the same key, and no others have.
func TestSharedKeys(t *testing.T) {
	g := newGenerator(33)
	known := map[string][]xpath.LocationPath{}
	texts := map[string]string{}
	read, others := 0, 0
	try := func(text string) {
		key, says, err := xpath.KeyOf(text)
		if err != nil {
			return
		}
		read++
		before, ok := known[key]
		if !ok {
			known[key], texts[key] = says, text
			others++
			return
		}
		if !reflect.DeepEqual(before, says) {
			t.Fatalf("%s and %s have one key, %s", texts[key], text, key)
		}
	}
	const letters = "aA19:/@.*[]()'\"=<>|-+ ,"
	for range 5_000 {
		text := g.path(2)
		try(text)
		try(" " + text + " ")
		for range 8 {
			at := g.IntN(len(text))
			letter := string(letters[g.IntN(len(letters))])
			try(text[:at] + letter + text[at+1:])
			try(text[:at] + text[at+1:])
			try(text[:at] + letter + text[at:])
		}
	}
	if read < 20_000 || others < 5_000 {
		t.Errorf("%d paths were read, of %d kinds: too few", read, others)
	}
	said := map[string]string{}
	for key, says := range known {
		text := fmt.Sprintf("%#v", says)
		if other, ok := said[text]; ok {
			t.Fatalf("%s and %s say the same and have two keys", texts[key], texts[other])
		}
		said[text] = key
	}
}
