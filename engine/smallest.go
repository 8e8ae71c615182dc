package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A row has no examples of its own: its kind and its paths say what the smallest
// document is that violates it, and the smallest that does not.

// try runs the row on one of its two smallest documents.
func (w *row) try(v *Validator, read ReadDocument, fires bool) error {
	b := smallest{row: w}
	violating, passing := b.documents()
	if b.err != nil {
		return b.err
	}
	d := passing
	if fires {
		d = violating
	}
	doc, err := read(d.write())
	if err != nil {
		return fmt.Errorf("%s: %w", d.write(), err)
	}
	report, err := v.Validate(context.Background(), doc)
	if err != nil {
		return err
	}
	for i := range report.Findings {
		if report.Findings[i].Rule == w.rule.ID {
			if fires {
				return nil
			}
			return fmt.Errorf("the rule should accept %s and fires", d.write())
		}
	}
	if fires {
		return fmt.Errorf("the rule should fire on %s and does not", d.write())
	}
	return nil
}

// smallest builds a row's documents; the first mistake stays in err.
type smallest struct {
	row   *row
	value string // what the path holds, and whatever must be equal to it
	err   error

	root    *draft
	context *draft
	parent  map[*draft]*draft
}

func (b *smallest) documents() (violating, passing *draft) {
	contexts, err := parseXPath(b.row.rule.Context, true)
	if err != nil {
		b.err = err
		return nil, nil
	}
	paths, err := parseXPath(b.row.path, false)
	if err != nil {
		b.err = err
		return nil, nil
	}
	context, path := contexts.paths[0], paths.paths[0]
	switch b.row.kind {
	case rowAbsent:
		return b.build(context, path, 1), b.build(context, path, 0)
	case rowAtMostOnce:
		return b.build(context, path, 2), b.build(context, path, 1)
	case rowCode:
		b.value = "no code"
		violating = b.build(context, path, 1)
		codes, err := b.row.known()
		if err != nil {
			b.err = err
			return nil, nil
		}
		b.value = slices.Min(slices.Collect(maps.Keys(codes)))
		return violating, b.build(context, path, 1)
	case rowExactlyOnce:
		if b.asked(context, path) { // a second like it is one too many
			passing = b.build(context, path, 0)
			violating = b.build(context, path, 0)
			last := b.context.children[len(b.context.children)-1]
			b.context.children = append(b.context.children, last)
			return violating, passing
		}
	}
	return b.build(context, path, 0), b.build(context, path, 1)
}

// asked reports whether the context's own predicates ask for what the path
// reaches, so that it is there already.
func (b *smallest) asked(context, path xpathPath) bool {
	return slices.ContainsFunc(context.steps[len(context.steps)-1].predicates, func(p xpathExpr) bool {
		for p.op != "path" && len(p.args) > 0 && p.name != "not" {
			p = p.args[0]
		}
		return p.op == "path" && p.path.steps[0].name == path.steps[0].name
	})
}

// build makes a document that holds a path so many times.
func (b *smallest) build(context, path xpathPath, times int) *draft {
	root := &draft{name: rootOf(b.row.rule)}
	b.root, b.parent = root, map[*draft]*draft{}
	at := root
	if !path.absolute {
		at = b.extend(root, context.steps)
	}
	b.context = at
	last := len(path.steps) - 1
	for i := range times {
		if i == 0 || last == 0 || path.steps[last].attribute {
			if end := b.extend(at, path.steps); b.value != "" {
				setLast(end, path.steps, b.value)
			}
			continue
		}
		// Only the last step is repeated, within the same parent.
		from := at
		for range last {
			if len(from.children) == 0 {
				b.err = errors.New("the path does not lead below its context")
				return root
			}
			from = from.children[len(from.children)-1]
		}
		b.extend(from, path.steps[last:])
	}
	return root
}

func rootOf(r *Rule) source.QName {
	name := "ubl:Invoice"
	if r.On == model.CII {
		name = "rsm:CrossIndustryInvoice"
	}
	if strings.Contains(r.Context, "cn:CreditNote") && !strings.Contains(r.Context, "ubl:Invoice") {
		name = "cn:CreditNote"
	}
	q, _ := source.ParseQName(name)
	return q
}

// extend adds the elements of a path below d, each as its predicates ask, and
// returns the last.
func (b *smallest) extend(d *draft, steps []xpathStep) *draft {
	for i, step := range steps {
		if step.attribute {
			name := b.qname(step.name)
			d.attrs = slices.DeleteFunc(d.attrs, func(a draftAttr) bool { return a.name == name })
			d.attrs = append(d.attrs, draftAttr{name, "x"})
			return d
		}
		if step.name == ".." {
			if d = b.parent[d]; d == nil {
				b.err = errors.New("a path leads above the document")
				return b.root
			}
			continue
		}
		if i == 0 && !step.descendant && (step.name == "*" || b.nameOf(step) == d.name) && isRoot(d) {
			continue // the document element itself
		}
		c := &draft{name: b.nameOf(step)}
		d.children = append(d.children, c)
		b.parent[c] = d
		for _, p := range step.predicates {
			b.satisfy(c, p)
		}
		d = c
	}
	return d
}

func isRoot(d *draft) bool {
	switch d.name.Local {
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
func (b *smallest) nameOf(step xpathStep) source.QName {
	prefix, open := strings.CutSuffix(step.name, "*")
	if !open {
		return b.qname(step.name)
	}
	if prefix == "" {
		prefix = "cbc:"
	}
	suffix := "X"
	for _, p := range step.predicates {
		if p.name == "ends-with" {
			suffix = p.args[1].value
		}
	}
	return b.qname(prefix + suffix)
}

// satisfy makes a predicate true.
func (b *smallest) satisfy(d *draft, e xpathExpr) {
	switch e.op {
	case "and":
		b.satisfy(d, e.args[0])
		b.satisfy(d, e.args[1])
	case "or":
		b.satisfy(d, e.args[0])
	case "path":
		b.extend(d, e.path.steps)
	case "=", "!=":
		left, value := e.args[0], e.args[1].value
		if e.args[1].op == "call" {
			value = e.args[1].name // true() or false()
		}
		for left.op == "call" && len(left.args) == 1 {
			left = left.args[0]
		}
		if left.op != "path" {
			return // about the name, which is chosen already
		}
		if e.op == "!=" {
			value = "other"
		}
		if right := e.args[1]; right.op == "path" { // both shall hold the same
			value = cmp.Or(b.value, "EUR") // what recurs is the currency
			from, steps := d, right.path.steps
			if right.path.absolute { // along what is there already
				for from, steps = b.root, steps[1:]; len(steps) > 1; steps = steps[1:] {
					i := slices.IndexFunc(from.children, func(c *draft) bool { return c.name == b.nameOf(steps[0]) })
					if i < 0 {
						break
					}
					from = from.children[i]
				}
			}
			setLast(b.extend(from, steps), steps, value)
		}
		setLast(b.extend(d, left.path.steps), left.path.steps, value)
	}
}

// setLast gives what a path has reached its value: the element, or the
// attribute that was added last.
func setLast(end *draft, steps []xpathStep, value string) {
	if steps[len(steps)-1].attribute {
		end.attrs[len(end.attrs)-1].value = value
	} else {
		end.text = value
	}
}
