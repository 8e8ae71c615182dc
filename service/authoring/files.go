package authoring

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/strictyaml"
	"einvoice/model/syntax"
)

//go:embed files.yaml
var filesYAML []byte

// files describes the files that people edit.
type files struct {
	Kinds  map[string]*kind `yaml:"kinds"`
	Shapes map[string]shape `yaml:"shapes"`
}

// A kind is one kind of file.
type kind struct {
	Title string `yaml:"title"`
	Path  string `yaml:"path"` // in the folder of rulesets
	Shape string `yaml:"shape"`
}

// A shape is the keys of a mapping; "*" is for any key.
type shape map[string]*key

// A key is what a mapping may have.
type key struct {
	Type     string `yaml:"type"`
	Of       string `yaml:"of"`     // the shape or type inside a list or map
	Values   any    `yaml:"values"` // the name of a set of values, or the values
	Required bool   `yaml:"required"`
	About    string `yaml:"about"`
}

var readFiles = sync.OnceValue(func() *files {
	f := &files{}
	if err := strictyaml.Decode(filesYAML, f); err != nil {
		panic(err) // it is embedded
	}
	return f
})

// kindOf tells by its path in a folder of rulesets what a file is; nil for others.
func kindOf(name string) *kind {
	parts := strings.Split(path.Clean(name), "/")
	kinds := readFiles().Kinds
	switch {
	case path.Ext(name) != ".yaml" || parts[0] == "examples":
		return nil
	case parts[0] == words.Folder && len(parts) == 3 && parts[2] == "language.yaml":
		return kinds["language"]
	case parts[0] == words.Folder && len(parts) == 4 && parts[2] == "phrases":
		return kinds["phrases"]
	case parts[0] == words.Folder && len(parts) >= 3:
		return kinds["texts"]
	case len(parts) == 2:
		return kinds[map[string]string{"codelists": "codelist", "profiles": "profiles", "findings": "findings", "overlays": "overlay"}[parts[0]]]
	case len(parts) == 3:
		return kinds["rules"]
	}
	return nil
}

// values are the texts that a key may have; nil for any.
func (k *key) values() []string {
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
