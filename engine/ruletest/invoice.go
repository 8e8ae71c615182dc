package ruletest

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/numeral"

	"gopkg.in/yaml.v3"
)

// The folders of documents that examples begin with.
const (
	folder     = "examples/"
	containers = "containers/" // in it
	batches    = "batches/"
)

// groupFile is where an invoice, a PDF or an entry of a job to begin with is.
func groupFile(base string) string { return folder + base + ".yaml" }

// ReadInvoice reads an invoice that examples change, examples/<name>.yaml: YAML
// in the shape of its JSON. Scalars are taken as written, so that amounts keep
// their digits.
func ReadInvoice(fsys fs.FS, name string) (*model.Invoice, error) {
	inv := new(model.Invoice)
	return inv, readGroup(fsys, name, model.ObjectOf(inv))
}

// ReadContainer reads a PDF that examples change, examples/containers/<name>.yaml,
// in the same way.
func ReadContainer(fsys fs.FS, name string) (*model.Container, error) {
	c := new(model.Container)
	return c, readGroup(fsys, containers+name, model.ObjectOf(c))
}

func readGroup(fsys fs.FS, name string, into model.Object) error {
	data, err := fs.ReadFile(fsys, groupFile(name))
	if err != nil {
		return fmt.Errorf("there is no example %q to begin with (examples/%s.yaml)", name, name)
	}
	var n yaml.Node
	if err = yaml.Unmarshal(data, &n); err == nil {
		if len(n.Content) == 0 {
			return fmt.Errorf("examples/%s.yaml is empty", name)
		}
		err = buildGroup(into, n.Content[0])
	}
	if err != nil {
		return fmt.Errorf("examples/%s.yaml: %w", name, err)
	}
	return nil
}

func buildGroup(o model.Object, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a group must be a mapping", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		f, ok := o.Type.Field(name)
		if !ok {
			return fmt.Errorf("line %d: %s has no field %s%s", n.Content[i].Line, o.Type.Name, name, hint(o.Type, name))
		}
		if err := buildField(o, f, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func hint(t *model.Type, name string) string {
	if near := t.Nearest(name); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

func buildField(o model.Object, f *model.Field, n *yaml.Node) error {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		o.Clear(f)
	case f.Kind.IsLeaf():
		if n.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %s is a term and takes one value", n.Line, f.Name)
		}
		o.Set(f, n.Value)
	case f.Kind == model.KindGroup:
		o.Clear(f)
		return buildGroup(o.EnsureGroup(f), n)
	default:
		if n.Kind != yaml.SequenceNode {
			return fmt.Errorf("line %d: %s is a list", n.Line, f.Name)
		}
		o.Clear(f)
		for _, item := range n.Content {
			if err := buildGroup(o.AppendGroup(f), item); err != nil {
				return err
			}
		}
	}
	return nil
}

// changeAll sets what an example changes.
func changeAll(o model.Object, changes []engine.Change) error {
	for _, c := range changes {
		if err := change(o, c.Path, c.Value); err != nil {
			return err
		}
	}
	return nil
}

// change sets one path below a group, such as lines[0].vat.rate of an invoice, to a
// value; null removes it. Groups on the way are made where they are absent, and a
// list index one past the end adds an element.
func change(o model.Object, path string, n *yaml.Node) error {
	steps := strings.Split(path, ".")
	for i, step := range steps {
		name, index, err := splitIndex(step)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", n.Line, path, err)
		}
		f, ok := o.Type.Field(name)
		if !ok {
			return fmt.Errorf("line %d: %s: %s has no field %s%s", n.Line, path, o.Type.Name, name, hint(o.Type, name))
		}
		last := i == len(steps)-1
		switch {
		case last && index < 0:
			return buildField(o, f, n)
		case f.Kind == model.KindGroup && index < 0:
			o = o.EnsureGroup(f)
		case f.Kind == model.KindList && index >= 0:
			if index == o.List(f).Len() {
				o.AppendGroup(f)
			}
			if index >= o.List(f).Len() {
				return fmt.Errorf("line %d: %s: %s has only %s", n.Line, path, name, numeral.Count(o.List(f).Len(), "element"))
			}
			o = o.List(f).At(index)
			if last {
				return buildGroup(o, n)
			}
		default:
			return fmt.Errorf("line %d: %s: %s is a %s", n.Line, path, name, f.Class)
		}
	}
	return nil
}

func splitIndex(step string) (name string, index int, err error) {
	name, rest, found := strings.Cut(step, "[")
	if !found {
		return name, -1, nil
	}
	index, err = strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil || index < 0 || !strings.HasSuffix(rest, "]") {
		return name, -1, fmt.Errorf("%q is not a list index", "["+rest)
	}
	return name, index, nil
}
