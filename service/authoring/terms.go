package authoring

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/model/strictyaml"
)

// A term is a term or group with its places.
type term struct {
	field *model.Field
	path  string // in the invoice
}

// terms are all terms and groups, by their codes and in the order of the model.
var terms = sync.OnceValue(func() (all []term) {
	seen := map[*model.Type]bool{}
	var walk func(t *model.Type, prefix string)
	walk = func(t *model.Type, prefix string) {
		if seen[t] { // lines within lines
			return
		}
		seen[t] = true
		for i := range t.Fields {
			f := &t.Fields[i]
			all = append(all, term{f, model.Join(prefix, f.Name)})
			if f.Elem != nil {
				walk(f.Elem, model.Join(prefix, f.Name))
			}
		}
	}
	walk(model.InvoiceType(), "")
	return all
})

// definitions say what the terms of the standard mean, by their codes.
var definitions = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	data, err := definitionsText()
	if err == nil {
		err = strictyaml.Decode(data, &all)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	return all
})

// TermDefinition says what a term or group of the standard means; "" for those of
// extensions.
func TermDefinition(code string) string { return definitions()[code] }

// describe is a term for a hover, in Markdown: name, meaning, type, and places in JSON and
// in each syntax.
func (t term) describe(lists []string, language *words.Language) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s\n\n", t.field.BT, language.Say(t.field.Term))
	if meaning := TermDefinition(t.field.BT); meaning != "" {
		fmt.Fprintf(&b, "%s\n\n", language.Say(meaning))
	}
	if t.field.Class != "" {
		fmt.Fprintf(&b, "%s, %s\n\n", t.field.Class, t.field.Card)
	}
	fmt.Fprintf(&b, "- JSON: `%s`\n", t.path)
	for _, f := range formats.All {
		for _, of := range f.Terms() {
			if of.Path == t.path {
				for _, xml := range of.XML {
					fmt.Fprintf(&b, "- %s: `%s`\n", f.Syntax.Label(), xml)
				}
			}
		}
	}
	for _, list := range lists {
		fmt.Fprintf(&b, "- %s\n", language.Say(fmt.Sprintf("values: list `%s`", list)))
	}
	return b.String()
}

var askedList = pattern.Later(`isInCodeList\(["']([^"']+)["']\)`)

// listsOf are the code lists that rules of the newest rulesets ask of a term.
func listsOf(library *engine.Library, code string) ([]string, error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	var lists []string
	for family := range versions {
		s, err := library.Ruleset(family)
		if err != nil {
			continue // it does not load: Check says why
		}
		for _, r := range s.Rules {
			if !slices.Contains(r.BTCodes.Value, code) {
				continue
			}
			for _, m := range askedList().FindAllStringSubmatch(r.Assert.Value, -1) {
				lists = append(lists, m[1])
			}
			for i := range r.Variants {
				for _, m := range askedList().FindAllStringSubmatch(r.Variants[i].Assert.Value, -1) {
					lists = append(lists, m[1])
				}
			}
		}
	}
	slices.Sort(lists)
	return slices.Compact(lists), nil
}

// fieldAt follows a path of field names from a type; nil where it leads to nothing.
func fieldAt(from *model.Type, steps []string) *model.Field {
	var f *model.Field
	for _, step := range steps {
		if from == nil {
			return nil
		}
		step, _, _ = strings.Cut(step, "[")
		var ok bool
		if f, ok = from.Field(step); !ok {
			return nil
		}
		from = f.Elem
	}
	return f
}

// typeAt is the type of the group that a path leads to; nil for a term.
func typeAt(from *model.Type, steps []string) *model.Type {
	if len(steps) == 0 {
		return from
	}
	if f := fieldAt(from, steps); f != nil {
		return f.Elem
	}
	return nil
}
