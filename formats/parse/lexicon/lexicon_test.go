package lexicon

import (
	"reflect"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"
)

// Every label is there in each of the seven languages, but for those that are the same
// in all of them.
func TestLexicon(t *testing.T) {
	data, err := text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readLexicon(data); err != nil {
		t.Fatal(err)
	}
	var groups map[string]yaml.Node
	if err := yaml.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	same := map[string]bool{"iban": true, "bic": true, "taxPoint": true, "none": true} // the third is a British one, the last are of languages that join words
	for _, name := range []string{"header", "totals", "columns", "parties"} {
		var group map[string]map[string][]string
		if node := groups[name]; node.Decode(&group) != nil || len(group) == 0 {
			t.Fatalf("%s has no labels by field and language", name)
		}
		for field, languages := range group {
			for _, language := range []string{"de", "en", "fr", "es", "it", "nl", "pl"} {
				if len(languages[language]) == 0 && !same[field] {
					t.Errorf("%s: %s has no label in %s", name, field, language)
				}
			}
		}
	}
	for _, stem := range slices.Concat(Words().PayStems, Words().BankStems, Words().PerformedStems, Words().CollectStems) {
		if stem != Fold(stem) { // words are folded before they are compared
			t.Errorf("%q is not folded; write %q", stem, Fold(stem))
		}
	}
	if _, err := readLexicon([]byte("header: {}\nheadr: {}")); err == nil {
		t.Error("a key that is unknown is accepted")
	}
}

// Each weight counts something.
func TestWeights(t *testing.T) {
	groups := reflect.ValueOf(*Weigh())
	for i := range groups.NumField() {
		for j := range groups.Field(i).NumField() {
			if groups.Field(i).Field(j).Float() <= 0 {
				t.Errorf("%s.%s is not above 0", groups.Type().Field(i).Name, groups.Field(i).Type().Field(j).Name)
			}
		}
	}
}
