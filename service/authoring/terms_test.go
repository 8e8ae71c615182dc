package authoring_test

import (
	"io/fs"
	"regexp"
	"testing"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/authoring"
)

var ofStandard = regexp.MustCompile(`^B[TG]-[0-9]+(-[0-9])?$`)

// Every term and group of the standard has a definition, in all languages.
func TestEveryTermHasADefinition(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	var languages []*words.Language
	for _, tag := range library.Languages()[1:] {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		// A country's language may have the words of its rules alone.
		if _, err := fs.Stat(library.FS(), language.Path("phrases/definitions.yaml")); err == nil {
			languages = append(languages, language)
		}
	}
	if len(languages) < 2 {
		t.Fatalf("only %d languages have definitions", len(languages))
	}
	seen := map[*model.Type]bool{}
	terms := 0
	var walk func(of *model.Type)
	walk = func(of *model.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		for i := range of.Fields {
			f := &of.Fields[i]
			if ofStandard.MatchString(f.BT) {
				terms++
				definition := authoring.TermDefinition(f.BT)
				if definition == "" {
					t.Errorf("%s %s has no definition", f.BT, f.Term)
				}
				for _, language := range languages {
					if !language.Has(definition) {
						t.Errorf("%s has no phrase for the definition of %s: %q", language, f.BT, definition)
					}
				}
			}
			if f.Elem != nil {
				walk(f.Elem)
			}
		}
	}
	walk(model.InvoiceType())
	if terms < 190 {
		t.Errorf("only %d terms were looked at", terms)
	}
}
