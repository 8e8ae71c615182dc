// Package files describes the YAML files that people edit: which keys each kind has, and of
// what kind their values are. JSON Schemas, editors and suggestions for misspelt keys come
// of this one description; the loader itself reads without it.
//
//	files.NearestKey("a rule", "company/1/orders.yaml", "levle") // level, and the keys of a rule
package files

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"einvoice/model/nearest"
	"einvoice/model/strictyaml"
)

// A Description is that of all files.
type Description struct {
	Kinds  map[string]*Kind  `yaml:"kinds"`
	Called map[string]string `yaml:"called"` // what messages of the loader call a shape
	Shapes map[string]Shape  `yaml:"shapes"`
}

// A Kind is one kind of file.
type Kind struct {
	Title string `yaml:"title"`
	Path  string `yaml:"path"` // in the folder of rulesets
	Shape string `yaml:"shape"`
}

// A Shape is the keys of a mapping; "*" is for any key.
type Shape map[string]*Key

// A Key is what a mapping may have.
type Key struct {
	Type     string `yaml:"type"`
	Of       string `yaml:"of"`     // the shape or type inside a list or map
	Values   any    `yaml:"values"` // the name of a set of values, or the values
	Required bool   `yaml:"required"`
	About    string `yaml:"about"`
}

// Described is the description.
var Described = sync.OnceValue(func() *Description {
	d := &Description{}
	data, err := text()
	if err == nil {
		err = strictyaml.Decode(data, d)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	return d
})

// languages is the folder of texts in other languages.
const languages = "languages"

// KindOf tells by its path in a folder of rulesets what a file is; nil for others.
func KindOf(name string) *Kind {
	parts := strings.Split(path.Clean(name), "/")
	kinds := Described().Kinds
	switch {
	case path.Ext(name) != ".yaml" || parts[0] == "examples":
		return nil
	case parts[0] == languages && len(parts) == 3 && parts[2] == "language.yaml":
		return kinds["language"]
	case parts[0] == languages && len(parts) == 4 && parts[2] == "phrases":
		return kinds["phrases"]
	case parts[0] == languages && len(parts) >= 3:
		return kinds["texts"]
	case len(parts) == 2:
		return kinds[map[string]string{"codelists": "codelist", "profiles": "profiles", "findings": "findings", "overlays": "overlay", "tables": "lookup"}[parts[0]]]
	case len(parts) == 3:
		return kinds["rules"]
	}
	return nil
}

// Reach is a shape and those inside it, by their names.
func (d *Description) Reach(name string) map[string]Shape {
	reached := map[string]Shape{}
	d.reach(name, reached)
	return reached
}

func (d *Description) reach(name string, into map[string]Shape) {
	if d.Shapes[name] == nil || into[name] != nil {
		return
	}
	into[name] = d.Shapes[name]
	for _, k := range d.Shapes[name] {
		d.reach(k.Type, into)
		d.reach(k.Of, into)
	}
}

// NearestKey is the key that may be meant by an unknown one, "" if none is near, and the
// keys that there are. called is what the loader calls the mapping; where that is not
// known, any key of the kind of file may be meant, and keys is nil unless it has one mapping.
func NearestKey(called, file, written string) (near string, keys []string) {
	d := Described()
	for name, what := range d.Called {
		if what == called {
			keys = slices.Collect(maps.Keys(d.Shapes[name]))
		}
	}
	if k := KindOf(file); called == "" && k != nil {
		var anywhere []string
		reached := d.Reach(k.Shape)
		for _, shape := range reached {
			anywhere = slices.AppendSeq(anywhere, maps.Keys(shape))
		}
		slices.Sort(anywhere)
		if len(reached) == 1 {
			keys = anywhere
		}
		others := slices.DeleteFunc(slices.Clone(anywhere), func(key string) bool { return key == written }) // one of another place
		return nearest.Of(written, others), keys
	}
	slices.Sort(keys)
	return nearest.Of(written, keys), keys
}
