package engine

import (
	"context"
	"errors"
	"fmt"
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
	row *row
	err error
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
	default:
		return b.build(context, path, 0), b.build(context, path, 1)
	}
}

// build makes a document that holds a path so many times.
func (b *smallest) build(context, path xpathPath, times int) *draft {
	root := &draft{name: rootOf(b.row.rule)}
	at := root
	if !path.absolute {
		at = b.extend(root, context.steps)
	}
	last := len(path.steps) - 1
	for i := range times {
		if i == 0 || last == 0 || path.steps[last].attribute {
			b.extend(at, path.steps)
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
			d.attrs = append(d.attrs, draftAttr{b.qname(step.name), "x"})
			return d
		}
		if i == 0 && !step.descendant && (step.name == "*" || b.nameOf(step) == d.name) && isRoot(d) {
			continue // the document element itself
		}
		c := &draft{name: b.nameOf(step)}
		d.children = append(d.children, c)
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
		end := b.extend(d, left.path.steps)
		if last := left.path.steps[len(left.path.steps)-1]; last.attribute {
			end.attrs[len(end.attrs)-1].value = value
		} else {
			end.text = value
		}
	}
}
