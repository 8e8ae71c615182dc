package xpath

import (
	"errors"
	"fmt"
	"slices"
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
	// or predicate in the source document; nil if they can. Then it was evaluated
	// as they do, else by antchfx/xpath.
	NotInRules error
}

// A Found is a node that an expression selects.
type Found struct {
	Path  string
	Value string     // XPath's string-value
	At    source.Ref // where it is written, 0 if nowhere
	place []int32    // for the order
}

func (r *Result) sort() {
	slices.SortStableFunc(r.Nodes, func(a, b Found) int { return slices.Compare(a.place, b.place) })
	r.Nodes = slices.CompactFunc(r.Nodes, func(a, b Found) bool { return slices.Equal(a.place, b.place) })
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

// Evaluate evaluates the expression from the root of the source document, or of
// the model if it begins there.
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
	v, err := x.compile()
	if err != nil {
		tree, failure := parseXMLTree(e.Tree)
		if failure != nil {
			return nil, failure
		}
		out, failure := x.evaluateAntchfx(e, &xmlNavigator{e: e, tree: tree, at: tree.root, attr: -1})
		if failure == nil {
			out.NotInRules = err
		}
		return out, failure
	}
	out := &Result{}
	if v.kind == kindNodes {
		out.IsSet = true
		v.nodes.each(e, from, func(e *Evaluation, r source.Ref) bool {
			path := e.Tree.Path(r)
			if r == 0 {
				path = "/"
			}
			out.Nodes = append(out.Nodes, Found{Path: path, Value: stringValue(e, r), At: r})
			return true
		})
	} else {
		out.Value = sourceDialect().asText(v)(e, focus[source.Ref]{from, 1, 1})
	}
	return out, e.Budget.Err()
}

// compile compiles the expression as rules have it.
func (x *Expression) compile() (value[source.Ref], error) {
	if err := offered(&x.x); err != nil {
		return value[source.Ref]{}, err
	}
	return sourceDialect().compile(&x.x)
}

// overModel evaluates from the root of the model.
func (x *Expression) overModel(e *Evaluation, top model.Object) (*Result, error) {
	if !top.Present() {
		return &Result{IsSet: true}, nil
	}
	selection, err := x.context()
	if err != nil {
		out, failure := x.evaluateAntchfx(e, navigatorAtRoot(e, top))
		if failure == nil {
			out.NotInRules = err
		}
		return out, failure
	}
	out := &Result{IsSet: true}
	for _, n := range selection.find(e, top) {
		out.Nodes = append(out.Nodes, n.found(e, top))
	}
	return out, e.Budget.Err()
}

// context compiles the expression as a context over the model.
func (x *Expression) context() (*ModelSelection, error) {
	u, err := Parse(x.Text)
	if err != nil {
		return nil, err
	}
	return OverModel(u)
}

// found describes a node of the model.
func (n *placedNode) found(e *Evaluation, top model.Object) Found {
	out := Found{Path: "/", Value: modelText(e, n.modelNode), At: n.of.Ref(), place: n.place}
	if n.isTerm() {
		out.At = n.of.RefOf(n.field)
	}
	if n.number == aboveRoot {
		return out
	}
	var path strings.Builder
	path.WriteString("/" + rootOfType(top.Type).Name)
	for i, o := 2, top; i < len(n.place); i += 2 {
		f := &o.Type.Fields[n.place[i]]
		path.WriteString("/" + f.Name)
		switch f.Kind {
		case model.KindList:
			fmt.Fprintf(&path, "[%d]", n.place[i+1]+1)
			o = o.List(f).At(int(n.place[i+1]))
		case model.KindGroup:
			o = o.Group(f)
		}
	}
	out.Path = path.String()
	return out
}
