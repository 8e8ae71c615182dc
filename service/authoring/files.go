package authoring

import (
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/engine/files"
	"einvoice/model"
	"einvoice/model/syntax"
)

// valuesOf are the texts that a key may have; nil for any.
func valuesOf(k *files.Key) []string {
	switch v := k.Values.(type) {
	case string:
		return valueSets()[v]
	case []any:
		var all []string
		for _, one := range v {
			if text, is := one.(string); is {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// valueSets are the sets of values that the program knows.
var valueSets = sync.OnceValue(func() map[string][]string {
	var syntaxes, variants []string
	for _, s := range model.Syntaxes() {
		syntaxes = append(syntaxes, string(s))
	}
	variants = slices.Clone(syntaxes)
	for _, s := range syntax.Current() {
		if len(s.Roots) > 1 {
			for _, r := range s.Roots {
				variants = append(variants, r.Element)
			}
		}
	}
	return map[string][]string{
		"levels": engine.LevelNames(), "layers": engine.LayerNames(), "kinds": engine.RowKindNames(), "syntaxes": syntaxes, "variants": variants,
	}
})
