package transform

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/strictyaml"
)

// A MissingTerm is a term that a document lacks for its profile.
type MissingTerm struct {
	// Option is the path of the term, by which a Supply supplies it.
	Option string   `json:"option"`
	BTCode string   `json:"btCode"` // "" where the term has no code
	Rules  []string `json:"rules"`  // that demand it
}

//go:embed supply.yaml
var supplyYAML []byte

// supplied is the content of supply.yaml.
type supplied struct {
	Groups map[string][]string `yaml:"groups"` // terms that are supplied with a group, by its path
	Rules  map[string][]string `yaml:"rules"`  // terms that a rule asks for beside its fields
}

var readSupplied = sync.OnceValue(func() (file supplied) {
	if err := strictyaml.Decode(supplyYAML, &file); err != nil {
		panic(fmt.Sprintf("supply.yaml: %v", err)) // part of the program; a test reads it
	}
	return file
})

// Missing returns the terms that fatal findings ask for and an invoice does not have. If a
// finding names several fields, one of them may be enough: its message says so.
func Missing(report *engine.Report, inv *model.Invoice) []MissingTerm {
	if report == nil {
		return nil
	}
	var out []MissingTerm
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Level != engine.Fatal {
			continue
		}
		for _, field := range slices.Concat(f.Fields, readSupplied().Rules[f.Rule]) {
			for _, option := range optionsOf(field, inv) {
				term, missing := termAt(inv, option)
				if !missing {
					continue
				}
				n := slices.IndexFunc(out, func(m MissingTerm) bool { return m.Option == option })
				if n < 0 {
					n = len(out)
					out = append(out, MissingTerm{Option: option, BTCode: term.BT})
				}
				if !slices.Contains(out[n].Rules, f.Rule) {
					out[n].Rules = append(out[n].Rules, f.Rule)
				}
			}
		}
	}
	return out
}

// optionsOf are the terms that a field means: itself, or those of a group. A term in a group
// that is not there brings the others that the group has to have.
func optionsOf(field string, inv *model.Invoice) []string {
	asked := field
	if i := strings.LastIndexByte(field, '.'); i > 0 && groupIsAbsent(inv, field[:i]) {
		if _, known := readSupplied().Groups[binding.WithoutPredicates(field[:i])]; known {
			field = field[:i]
		}
	}
	inside, ok := readSupplied().Groups[binding.WithoutPredicates(field)]
	if !ok || hasEntries(inv, field) {
		return []string{field}
	}
	options := make([]string, len(inside))
	for i, name := range inside {
		if options[i] = field + name; !strings.HasPrefix(name, "[") {
			options[i] = model.Join(field, name)
		}
	}
	if asked != field && !slices.Contains(options, asked) {
		options = append(options, asked)
	}
	return options
}

// termAt finds the term of a path, and whether the invoice has it not. What is not a term, but
// a group, is not missing: it cannot be supplied as a value.
func termAt(inv *model.Invoice, path string) (field *model.Field, missing bool) {
	f, o := follow(inv, path)
	return f, f != nil && f.Kind.IsLeaf() && (!o.Present() || !o.Has(f))
}

func groupIsAbsent(inv *model.Invoice, path string) bool {
	f, o := follow(inv, path)
	return f != nil && f.Kind == model.KindGroup && (!o.Present() || !o.Has(f))
}

// hasEntries reports whether a path is that of a list with entries: what they lack, other
// findings name.
func hasEntries(inv *model.Invoice, path string) bool {
	f, o := follow(inv, path+"[0]")
	return f != nil && o.Present() && o.List(f).Len() > 0
}

// follow finds the last field of a path, nil where there is none of it, and the group that
// has it, absent where the invoice has not.
func follow(inv *model.Invoice, path string) (*model.Field, model.Object) {
	t, o := model.InvoiceType(), model.ObjectOf(inv)
	steps := strings.Split(path, ".")
	for i, step := range steps {
		parts := supplyStep().FindStringSubmatch(step)
		if parts == nil {
			return nil, o
		}
		f, ok := t.Field(parts[1])
		switch {
		case !ok, (f.Kind == model.KindList) != (parts[2] != ""):
			return nil, o
		case i == len(steps)-1:
			return f, o
		}
		t, o = f.Elem, entry(o, f, parts[2])
	}
	return nil, o
}

// entry is the group in a field, or its entry with an index; absent where there is none.
func entry(o model.Object, f *model.Field, index string) model.Object {
	if !o.Present() {
		return o
	}
	if f.Kind == model.KindGroup {
		return o.Group(f)
	}
	list := o.List(f)
	if i, err := strconv.Atoi(index); err == nil && i < list.Len() {
		return list.At(i)
	}
	return model.Object{}
}
