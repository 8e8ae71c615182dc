package xpath

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// An Expression is an expression of XPath 1.0 by itself, as somebody tries out
// who writes rules.
type Expression struct {
	Text string
	x    Expr
}

// ParseExpression reads any expression of XPath 1.0.
func ParseExpression(text string) (*Expression, error) {
	x, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := checkPrefixes(&x); err != nil {
		return nil, err
	}
	return &Expression{Text: text, x: x}, nil
}

func checkPrefixes(x *Expr) error {
	for i := range x.Path.Steps {
		s := &x.Path.Steps[i]
		prefix, _, prefixed := strings.Cut(s.Name, ":")
		if _, known := source.Prefixes[prefix]; prefixed && !known {
			return &Error{Column: s.Column, Message: fmt.Sprintf("unknown prefix %q in name %q", prefix, s.Name)}
		}
		for j := range s.Predicates {
			if err := checkPrefixes(&s.Predicates[j]); err != nil {
				return err
			}
		}
	}
	for i := range x.Args {
		if err := checkPrefixes(&x.Args[i]); err != nil {
			return err
		}
	}
	return nil
}

// A Result is what an expression gives: nodes in document order, or a value.
type Result struct {
	Nodes []Found
	IsSet bool   // it gives nodes, if any
	Value string // of a boolean, a number or a text
	// NotInRules says why rules cannot have the expression as a context, or as a path
	// or predicate in the source document; nil if they can.
	NotInRules error
}

// A Found is a node that an expression selects.
type Found struct {
	Path  string
	Value string     // XPath's string-value
	At    source.Ref // where it is written, 0 if nowhere
}

// Root is the root of the model that the expression is about, nil if it is about
// the source document.
func (x *Expression) Root() *Root { return rootIn(&x.x) }

// OverContainer reports whether the expression is about the PDF around an
// invoice.
func (x *Expression) OverContainer() bool {
	root := x.Root()
	return root != nil && root.Type == model.ContainerType()
}

// rootIn finds a path that begins with a root of the model.
func rootIn(x *Expr) *Root {
	if steps := x.Path.Steps; x.Path.Absolute && len(steps) > 0 && !steps[0].Descendant && steps[0].Axis == Child {
		if root := rootNamed(steps[0].Name); root != nil {
			return root
		}
	}
	for i := range x.Args {
		if root := rootIn(&x.Args[i]); root != nil {
			return root
		}
	}
	return nil
}

// Evaluate evaluates an expression of what rules have, from the root of the source
// document, or of the model if it begins there. An *Error says why rules do not have it;
// query.Evaluate evaluates that as well.
func (x *Expression) Evaluate(e *Evaluation, doc *model.Document) (*Result, error) {
	if root := x.Root(); root != nil {
		return x.overModel(e, root.Of(doc))
	}
	if e.Tree == nil {
		return nil, errors.New("there is no document; an expression over the invoice begins with /invoice")
	}
	return x.overSource(e, 0)
}

// overSource evaluates for a node of the source document.
func (x *Expression) overSource(e *Evaluation, from source.Ref) (*Result, error) {
	if err := offered(&x.x); err != nil {
		return nil, err
	}
	return evaluate(x, e, from, sourceDialect(), func(r source.Ref) Found {
		path := e.Tree.Path(r)
		if r == 0 {
			path = "/"
		}
		return Found{Path: path, Value: stringValue(e, r), At: r}
	})
}

// overModel evaluates from the root of the model. What rules have in paths they may not
// have as a context.
func (x *Expression) overModel(e *Evaluation, top model.Object) (*Result, error) {
	if !top.Present() {
		return &Result{IsSet: true}, nil
	}
	if err := offered(&x.x); err != nil {
		return nil, err
	}
	out, err := EvaluateBy(x, e, aboveModel(top), modelWalk, func(p *modelPoint) Found { return p.found(e) })
	if err == nil {
		out.NotInRules = x.asContext()
	}
	return out, err
}

// asContext says why rules cannot have the expression as a context over the model.
func (x *Expression) asContext() error {
	u, err := Parse(x.Text)
	if err == nil {
		_, err = OverModel(u)
	}
	return err
}
