package xpath

import (
	"einvoice/model"
	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// Misread says what antchfx/xpath gets wrong in an expression.
func (x *Expression) Misread() error { return misread(&x.x) }

// OverSourceFrom evaluates the expression for a node, as rules do.
func (x *Expression) OverSourceFrom(e *Evaluation, from source.Ref) (*Result, error) {
	return x.overSource(e, from)
}

// GroupsByAntchfx selects groups of the model with antchfx/xpath alone.
func GroupsByAntchfx(text string, e *Evaluation, top model.Object) ([]model.Object, error) {
	x, err := antchfx.Compile(text)
	if err != nil {
		return nil, err
	}
	var found []placedNode
	for nodes := x.Select(navigatorAtRoot(e, top)); nodes.MoveNext() && !e.Budget.Stopped(); {
		found = append(found, nodes.Current().(*modelNavigator).node())
	}
	var out []model.Object
	for _, n := range inModelOrder(e, found) {
		out = append(out, n.of)
	}
	return out, e.Budget.Err()
}

// KeyOf is by what the compiled form of a relative path is shared, and what it says without
// where it says so.
func KeyOf(text string) (key string, says []LocationPath, err error) {
	u, err := ParseRelative(text)
	if err != nil {
		return "", nil, err
	}
	for i := range u.Paths {
		key += string(u.Paths[i].appendKey(nil)) + "|"
		u.Paths[i].forgetPlaces()
	}
	return key, u.Paths, nil
}

func (path *LocationPath) forgetPlaces() {
	path.Text = ""
	for i := range path.Steps {
		path.Steps[i].Column = 0
		for p := range path.Steps[i].Predicates {
			path.Steps[i].Predicates[p].forgetPlaces()
		}
	}
}

func (x *Expr) forgetPlaces() {
	x.Column = 0
	x.Path.forgetPlaces()
	for i := range x.Args {
		x.Args[i].forgetPlaces()
	}
}
