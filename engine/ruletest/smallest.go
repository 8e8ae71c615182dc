package ruletest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/xpath"
	"einvoice/model/source"
	"einvoice/model/syntax"
)

// Rows tries every row of a ruleset's tables on the smallest document that
// violates it and the smallest that does not, as Examples does with the examples
// of the other rules: a row has none of its own, because its kind and its paths
// say what these documents are.
func Rows(l *engine.Library, s *engine.Ruleset, read ReadDocument) []Result {
	rows := slices.DeleteFunc(slices.Clone(s.Rules), func(r *engine.Rule) bool { return r.Row == nil })
	v := l.ValidatorOf(rows...)
	var results []Result
	for _, r := range rows {
		if r.NeverFires != "" {
			continue
		}
		for _, fires := range []bool{true, false} {
			result := Result{Rule: r.ID, File: r.File(), Line: r.Line(), Fires: fires}
			if err := tryRow(r, v, read, fires); err != nil {
				result.Error = err.Error()
			}
			results = append(results, result)
		}
	}
	return results
}

// tryRow runs a row on one of its two smallest documents.
func tryRow(r *engine.Rule, v *engine.Validator, read ReadDocument, fires bool) error {
	violating, passing, err := smallestDocuments(r)
	if err != nil {
		return err
	}
	d := passing
	if fires {
		d = violating
	}
	doc, err := read(d.Write())
	if err != nil {
		return fmt.Errorf("%s: %w", d.Write(), err)
	}
	report, err := v.Validate(context.Background(), doc)
	if err != nil {
		return err
	}
	fired := slices.ContainsFunc(report.Findings, func(f engine.Finding) bool { return f.Rule == r.ID })
	switch {
	case fires && !fired:
		return fmt.Errorf("the rule should fire on %s and does not", d.Write())
	case !fires && fired:
		return fmt.Errorf("the rule should accept %s and fires", d.Write())
	}
	return nil
}

// smallestDocuments are the smallest document that violates a row and the
// smallest that does not.
func smallestDocuments(r *engine.Rule) (violating, passing *Draft, err error) {
	b := smallest{rule: r, row: r.Row}
	violating, passing = b.documents()
	return violating, passing, b.err
}

// smallest builds a row's documents; the first mistake stays in err.
type smallest struct {
	rule  *engine.Rule
	row   *engine.Row
	value string // what the path holds, and whatever must be equal to it
	err   error

	root    *Draft
	context *Draft
	parent  map[*Draft]*Draft
}

func (b *smallest) documents() (violating, passing *Draft) {
	contexts, err := xpath.Parse(b.rule.Context.Value)
	if err != nil {
		b.err = err
		return nil, nil
	}
	paths, err := xpath.ParseRelative(b.row.Path)
	if err != nil {
		b.err = err
		return nil, nil
	}
	context, path := contexts.Paths[0], paths.Paths[0]
	switch b.row.Kind {
	case engine.RowAbsent:
		return b.build(context, path, 1), b.build(context, path, 0)
	case engine.RowAtMostOnce:
		return b.build(context, path, 2), b.build(context, path, 1)
	case engine.RowCode:
		b.value = "no code"
		violating = b.build(context, path, 1)
		codes, err := b.row.Codes()
		if err != nil {
			b.err = err
			return nil, nil
		}
		b.value = codes[0]
		return violating, b.build(context, path, 1)
	case engine.RowExactlyOnce:
		if b.asked(context, path) { // a second like it is one too many
			passing = b.build(context, path, 0)
			violating = b.build(context, path, 0)
			last := b.context.Children[len(b.context.Children)-1]
			b.context.Children = append(b.context.Children, last)
			return violating, passing
		}
	}
	return b.build(context, path, 0), b.build(context, path, 1)
}

// asked reports whether the context's own predicates ask for what the path
// reaches, so that it is there already.
func (b *smallest) asked(context, path xpath.LocationPath) bool {
	return slices.ContainsFunc(context.Steps[len(context.Steps)-1].Predicates, func(p xpath.Expr) bool {
		for p.Op != xpath.Path && len(p.Args) > 0 && p.Name != "not" {
			p = p.Args[0]
		}
		return p.Op == xpath.Path && p.Path.Steps[0].Name == path.Steps[0].Name
	})
}

// build makes a document that holds a path so many times.
func (b *smallest) build(context, path xpath.LocationPath, times int) *Draft {
	root := &Draft{Name: rootOf(b.rule)}
	b.root, b.parent = root, map[*Draft]*Draft{}
	at := root
	if !path.Absolute {
		at = b.extend(root, context.Steps)
	}
	b.context = at
	last := len(path.Steps) - 1
	for i := range times {
		if i == 0 || last == 0 || path.Steps[last].Axis == xpath.Attribute {
			if end := b.extend(at, path.Steps); b.value != "" {
				setLast(end, path.Steps, b.value)
			}
			continue
		}
		// Only the last step is repeated, within the same parent.
		from := at
		for range last {
			if len(from.Children) == 0 {
				b.err = errors.New("the path does not lead below its context")
				return root
			}
			from = from.Children[len(from.Children)-1]
		}
		b.extend(from, path.Steps[last:])
	}
	return root
}

// rootOf is the document element of a rule's smallest document: the one that its
// context names, or that of an invoice.
func rootOf(r *engine.Rule) source.QName {
	of := syntax.Named(string(r.On))
	if of == nil {
		of = syntax.Current()[0]
	}
	name := of.Root(false)
	if !strings.Contains(r.Context.Value, name) {
		for _, root := range of.Roots {
			if strings.Contains(r.Context.Value, root.Element) {
				name = root.Element
			}
		}
	}
	q, _ := source.ParseQName(name)
	return q
}

// extend adds the elements of a path below d, each as its predicates ask, and
// returns the last.
func (b *smallest) extend(d *Draft, steps []xpath.Step) *Draft {
	for i, step := range steps {
		if step.Axis == xpath.Attribute {
			name := b.qname(step.Name)
			d.Attrs = slices.DeleteFunc(d.Attrs, func(a DraftAttr) bool { return a.Name == name })
			d.Attrs = append(d.Attrs, DraftAttr{name, "x"})
			return d
		}
		switch step.Axis {
		case xpath.Self:
			continue
		case xpath.Parent:
			if d = b.parent[d]; d == nil {
				b.err = errors.New("a path leads above the document")
				return b.root
			}
			continue
		}
		if i == 0 && !step.Descendant && (step.Name == "*" || b.nameOf(step) == d.Name) && isRoot(d) {
			continue // the document element itself
		}
		c := &Draft{Name: b.nameOf(step)}
		d.Children = append(d.Children, c)
		b.parent[c] = d
		for _, p := range step.Predicates {
			b.satisfy(c, p)
		}
		d = c
	}
	return d
}

func isRoot(d *Draft) bool {
	switch d.Name.Local {
	case "Invoice", "CreditNote", "CrossIndustryInvoice":
		return true
	}
	return false
}

func (b *smallest) qname(name string) source.QName {
	q, err := source.ParseQName(name)
	if err != nil && b.err == nil {
		b.err = err
	}
	return q
}

// nameOf chooses a name for a step, which may leave it open: *, ram:*.
func (b *smallest) nameOf(step xpath.Step) source.QName {
	prefix, open := strings.CutSuffix(step.Name, "*")
	if !open {
		return b.qname(step.Name)
	}
	if prefix == "" {
		prefix = "cbc:"
	}
	suffix := "X"
	for _, p := range step.Predicates {
		if p.Name == "ends-with" {
			suffix = p.Args[1].Value
		}
	}
	return b.qname(prefix + suffix)
}

// satisfy makes a predicate true.
func (b *smallest) satisfy(d *Draft, e xpath.Expr) {
	switch e.Op {
	case xpath.And:
		b.satisfy(d, e.Args[0])
		b.satisfy(d, e.Args[1])
	case xpath.Or:
		b.satisfy(d, e.Args[0])
	case xpath.Path:
		b.extend(d, e.Path.Steps)
	case xpath.Equal, xpath.NotEqual:
		left, value := e.Args[0], e.Args[1].Value
		for left.Op == xpath.Call && len(left.Args) == 1 {
			left = left.Args[0]
		}
		if e.Op == xpath.NotEqual {
			value = "other"
		}
		if left.Op == xpath.Call && left.Name == "normalize-space" {
			d.Text = value
		}
		if left.Op != xpath.Path {
			return // done, or about the name, which is chosen already
		}
		if right := e.Args[1]; right.Op == xpath.Path { // both shall hold the same
			value = cmp.Or(b.value, "EUR") // what recurs is the currency
			from, steps := d, right.Path.Steps
			if right.Path.Absolute { // along what is there already
				for from, steps = b.root, steps[1:]; len(steps) > 1; steps = steps[1:] {
					i := slices.IndexFunc(from.Children, func(c *Draft) bool { return c.Name == b.nameOf(steps[0]) })
					if i < 0 {
						break
					}
					from = from.Children[i]
				}
			}
			setLast(b.extend(from, steps), steps, value)
		}
		setLast(b.extend(d, left.Path.Steps), left.Path.Steps, value)
	}
}

// setLast gives what a path has reached its value: the element, or the
// attribute that was added last.
func setLast(end *Draft, steps []xpath.Step, value string) {
	if steps[len(steps)-1].Axis == xpath.Attribute {
		end.Attrs[len(end.Attrs)-1].Value = value
	} else {
		end.Text = value
	}
}
