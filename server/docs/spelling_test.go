package docs_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/model/nearest"
	"einvoice/server/docs"
)

// No prose: names of code, addresses, numbers, and what is written like a name of a program.
var (
	notProse = regexp.MustCompile("`[^`]*`|https?://\\S+|\\S*[/_{}=.][A-Za-z0-9]\\S*|\\S*[0-9]\\S*")
	aWord    = regexp.MustCompile(`[\p{L}\p{M}]+(?:['’][\p{L}]+)?`)
	isName   = regexp.MustCompile(`\p{Ll}\p{Lu}|^\p{Lu}{2,}s?$`)
)

// Every word that the OpenAPI document says to people is in a list of the words of the docs, which
// was compared with a dictionary. One that is not is misspelt, or is added to the list by whoever
// has looked it up.
func TestSpelling(t *testing.T) {
	const list = "testdata/words.txt"
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for word := range strings.FieldsSeq(string(data)) {
		known[word] = true
	}
	if words := strings.Fields(string(data)); !slices.IsSorted(words) || len(words) != len(known) {
		t.Errorf("%s is not sorted, or has a word twice", list)
	}
	doc, err := docs.Whole()
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	prose(tree, "", func(at, text string) {
		for _, word := range aWord.FindAllString(notProse.ReplaceAllString(text, " "), -1) {
			if isName.MatchString(word) {
				continue
			}
			word = strings.ToLower(word)
			if said[word] {
				continue
			}
			if said[word] = true; !known[word] {
				t.Errorf("%s: %q is not in %s, which has %q", at, word, list, nearest.Of(word, slices.Sorted(maps.Keys(known))))
			}
		}
	})
}

// prose finds the texts for people in a tree.
func prose(value any, at string, found func(at, text string)) {
	switch v := value.(type) {
	case map[string]any:
		for name, of := range v {
			if text, ok := of.(string); ok && slices.Contains([]string{"description", "summary", "title"}, name) {
				found(at+"/"+name, text)
				continue
			}
			if name != "example" && name != "examples" && name != "default" {
				prose(of, at+"/"+name, found)
			}
		}
	case []any:
		for _, of := range v {
			prose(of, at, found)
		}
	}
}
