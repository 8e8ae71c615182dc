package engine

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// ReadDocument reads XML into a document; package formats does it. The engine
// takes it as a function because it knows no format.
type ReadDocument func(data []byte) (*model.Document, error)

// An ExampleResult says how an example of a rule came out.
type ExampleResult struct {
	Rule  string `json:"rule"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Fires bool   `json:"fires"` // what the example says
	Error string `json:"error,omitempty"`
}

// OK reports whether the rule did what the example says.
func (r ExampleResult) OK() bool { return r.Error == "" }

// Examples runs the examples of a ruleset. Examples of rules over the invoice
// need no document; those of rules that select in the source document (and all
// that say "in") change a base document, which read turns into an invoice.
func (l *Library) Examples(s *Ruleset, read ReadDocument) []ExampleResult {
	x := &exampleRunner{library: l, read: read}
	var results []ExampleResult
	for _, r := range s.Rules {
		for i := range r.Examples {
			e := &r.Examples[i]
			result := ExampleResult{Rule: r.ID, File: r.file, Line: e.place.Line, Fires: e.Fires}
			if err := x.run(r, e); err != nil {
				result.Error = err.Error()
			}
			results = append(results, result)
		}
	}
	return results
}

type exampleRunner struct {
	library *Library
	read    ReadDocument
}

func (x *exampleRunner) run(r *Rule, e *Example) error {
	doc, err := x.document(r, e)
	if err != nil {
		return err
	}
	form, ok := r.in(doc.Syntax)
	if !ok {
		return fmt.Errorf("the rule does not apply to %s, so the example shows nothing", doc.Syntax)
	}
	findings, err := x.library.runOne(form, doc)
	if err != nil {
		return err
	}
	switch {
	case len(findings) > 0 && findings[0].Failed:
		return fmt.Errorf("%s", findings[0].Message)
	case e.Fires && len(findings) == 0:
		return fmt.Errorf("the rule should fire on this example and does not")
	case !e.Fires && len(findings) > 0:
		return fmt.Errorf("the rule should accept this example and fires: %s", findings[0].Message)
	}
	return nil
}

// runOne runs a single rule.
func (l *Library) runOne(form ruleForm, doc *model.Document) ([]Finding, error) {
	g, err := compileContext(form.context)
	if err != nil {
		return nil, err
	}
	if err := g.add(l, form); err != nil {
		return nil, err
	}
	p := &plan{groups: []*contextGroup{g}, dispatch: newDispatcher(), run: 1}
	p.dispatchGroups()
	v := &Validator{library: l, plans: map[model.Syntax]func() (*plan, error){
		doc.Syntax: func() (*plan, error) { return p, nil },
	}}
	v.frames.New = func() any { return new(frame) }
	report, err := v.Validate(context.Background(), doc)
	if err != nil {
		return nil, err
	}
	return report.Findings, nil
}

// document makes the invoice that an example describes.
func (x *exampleRunner) document(r *Rule, e *Example) (*model.Document, error) {
	syntax := e.Syntax
	if syntax == "" {
		syntax = r.On
	}
	base := e.Base
	if base == "" {
		base = "base"
	}
	set := setNodes(e.place)
	if syntax != "" && x.changesXML(r, syntax, set) {
		return x.sourceDocument(syntax, base, set)
	}
	if overContainer(r.Context) {
		return x.containerDocument(syntax, base, set)
	}
	inv, err := baseExample(x, base, buildInvoice)
	if err != nil {
		return nil, err
	}
	return &model.Document{Invoice: inv, Syntax: syntax}, changeAll(model.ObjectOf(inv), set)
}

// containerDocument makes the PDF that an example of a rule over it describes, out
// of one in examples/containers, around the base invoice.
func (x *exampleRunner) containerDocument(syntax model.Syntax, base string, set []*yaml.Node) (*model.Document, error) {
	inv, err := baseExample(x, "base", buildInvoice)
	if err != nil {
		return nil, err
	}
	c, err := baseExample(x, "containers/"+base, buildContainer)
	if err != nil {
		return nil, err
	}
	return &model.Document{Invoice: inv, Syntax: syntax, Container: c}, changeAll(model.ObjectOf(c), set)
}

// baseExample reads what examples change.
func baseExample[T any](x *exampleRunner, base string, build func(*yaml.Node) (*T, error)) (*T, error) {
	data, err := fs.ReadFile(x.library.fsys, path.Join("examples", base+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("there is no example %q to begin with (examples/%s.yaml)", base, base)
	}
	var n yaml.Node
	if err := yaml.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("examples/%s.yaml: %w", base, err)
	}
	made, err := build(n.Content[0])
	if err != nil {
		return nil, fmt.Errorf("examples/%s.yaml: %w", base, err)
	}
	return made, nil
}

// changeAll sets what an example changes, keys and values in turn.
func changeAll(o model.Object, set []*yaml.Node) error {
	for i := 0; i+1 < len(set); i += 2 {
		if err := change(o, set[i].Value, set[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// setNodes are the keys and values of what an example changes.
func setNodes(example *yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(example.Content); i += 2 {
		if key := example.Content[i].Value; key == "passes" || key == "fires" {
			if value := example.Content[i+1]; value.Kind == yaml.MappingNode {
				return value.Content
			}
		}
	}
	return nil
}

// changesXML reports whether an example is about a document: what it changes
// has prefixed names, or it changes nothing and the rule selects in the source.
func (x *exampleRunner) changesXML(r *Rule, syntax model.Syntax, set []*yaml.Node) bool {
	form, _ := r.in(syntax)
	if len(set) == 0 {
		return selectsInSource(form.context)
	}
	return slices.ContainsFunc(set, func(n *yaml.Node) bool { return strings.Contains(n.Value, ":") && n == set[0] })
}

func (x *exampleRunner) sourceDocument(syntax model.Syntax, base string, set []*yaml.Node) (*model.Document, error) {
	file := path.Join("examples", base+"-"+string(syntax)+".xml")
	data, err := fs.ReadFile(x.library.fsys, file)
	if err != nil {
		return nil, fmt.Errorf("there is no base document %s", file)
	}
	doc, err := x.read(data)
	if err != nil || len(set) == 0 {
		return doc, err
	}
	d := draftOf(doc.Source, doc.Source.Root())
	for i := 0; i+1 < len(set); i += 2 {
		if err := d.set(set[i].Value, set[i+1]); err != nil {
			return nil, err
		}
	}
	return x.read(d.write())
}
