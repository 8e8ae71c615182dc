package xpath

import (
	"fmt"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A sourcePredicate decides about an element.
type sourcePredicate func(e *Evaluation, n source.Node) bool

// compileSourcePredicate compiles a predicate.
func compileSourcePredicate(x Expr) (sourcePredicate, error) {
	switch x.Op {
	case And, Or:
		a, err := compileSourcePredicate(x.Args[0])
		if err != nil {
			return nil, err
		}
		b, err := compileSourcePredicate(x.Args[1])
		if err != nil {
			return nil, err
		}
		if x.Op == And {
			return func(e *Evaluation, n source.Node) bool { return a(e, n) && b(e, n) }, nil
		}
		return func(e *Evaluation, n source.Node) bool { return a(e, n) || b(e, n) }, nil
	case Path:
		path, err := OverSource(x.Path)
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) bool {
			return !path.Each(e, n, func(source.Ref) bool { return false })
		}, nil
	case Call:
		return compileSourceCall(x)
	case Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual:
		return compileSourceComparison(x)
	}
	return nil, &Error{Column: x.Column, Message: "a predicate must be a condition; positions are not supported"}
}

func compileSourceCall(x Expr) (sourcePredicate, error) {
	switch x.Name {
	case "not":
		a, err := compileSourcePredicate(x.Args[0])
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) bool { return !a(e, n) }, nil
	case "true", "false":
		v := x.Name == "true"
		return func(*Evaluation, source.Node) bool { return v }, nil
	case "starts-with", "ends-with", "contains":
		a, err := compileSourceString(x.Args[0])
		if err != nil {
			return nil, err
		}
		b, err := compileSourceString(x.Args[1])
		if err != nil {
			return nil, err
		}
		is := map[string]func(string, string) bool{"starts-with": strings.HasPrefix, "ends-with": strings.HasSuffix, "contains": strings.Contains}[x.Name]
		return func(e *Evaluation, n source.Node) bool { return is(a(e, n), b(e, n)) }, nil
	}
	a, err := compileSourceString(x)
	if err != nil {
		return nil, err
	}
	return func(e *Evaluation, n source.Node) bool { s := a(e, n); return s != "" && s != "0" }, nil
}

type sourceString func(*Evaluation, source.Node) string

// compileSourceString compiles an operand that is one value: of a path, the
// first node's text.
func compileSourceString(x Expr) (sourceString, error) {
	arg := func() (sourceString, error) {
		if len(x.Args) == 0 {
			return func(e *Evaluation, n source.Node) string { return e.text(n.Ref()) }, nil
		}
		return compileSourceString(x.Args[0])
	}
	switch {
	case x.Op == Literal || x.Op == Number:
		return func(*Evaluation, source.Node) string { return x.Value }, nil
	case x.Op == Path:
		path, err := OverSource(x.Path)
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) string {
			s := ""
			path.Each(e, n, func(r source.Ref) bool { s = e.text(r); return false })
			return s
		}, nil
	case x.Op == Call && (x.Name == "string" || x.Name == "number"):
		return arg()
	case x.Op == Call && x.Name == "name":
		return func(e *Evaluation, n source.Node) string { return e.Tree.NameOf(e.Tree.Name(n)).String() }, nil
	case x.Op == Call && x.Name == "upper-case":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) string { return strings.ToUpper(a(e, n)) }, nil
	case x.Op == Call && x.Name == "normalize-space":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) string { return NormalizeSpace(a(e, n)) }, nil
	case x.Op == Call && x.Name == "string-length":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) string { return fmt.Sprint(len([]rune(a(e, n)))) }, nil
	case x.Op == Call && x.Name == "count" && x.Args[0].Op == Path:
		path, err := OverSource(x.Args[0].Path)
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) string {
			count := 0
			path.Each(e, n, func(source.Ref) bool { count++; return true })
			return fmt.Sprint(count)
		}, nil
	}
	return nil, &Error{Column: x.Column, Message: "this part of a predicate must be a path, a text, a number or a function of them"}
}

// compileSourceComparison compares every node of a path on the left with the
// value on the right, or with every node of a path there, as XPath does: one
// that fits is enough.
func compileSourceComparison(x Expr) (sourcePredicate, error) {
	if right := x.Args[1]; right.Op == Call && (right.Name == "true" || right.Name == "false") {
		return compileSourceBoolean(x.Args[0], right.Name == "true", x.Op == Equal)
	}
	if x.Args[0].Op == Path && x.Args[1].Op == Path {
		return comparePaths(x)
	}
	right, err := compileSourceString(x.Args[1])
	if err != nil {
		return nil, err
	}
	numeric := x.Args[1].Op == Number || x.Op != Equal && x.Op != NotEqual
	holds := compareAs(x.Op, numeric)
	if x.Args[0].Op == Path {
		path, err := OverSource(x.Args[0].Path)
		if err != nil {
			return nil, err
		}
		return func(e *Evaluation, n source.Node) bool {
			want := right(e, n)
			return !path.Each(e, n, func(r source.Ref) bool { return !holds(e.text(r), want) })
		}, nil
	}
	left, err := compileSourceString(x.Args[0])
	if err != nil {
		return nil, err
	}
	return func(e *Evaluation, n source.Node) bool { return holds(left(e, n), right(e, n)) }, nil
}

// comparePaths compares two paths: some node of the one with some of the other.
func comparePaths(x Expr) (sourcePredicate, error) {
	left, err := OverSource(x.Args[0].Path)
	if err != nil {
		return nil, err
	}
	right, err := OverSource(x.Args[1].Path)
	if err != nil {
		return nil, err
	}
	holds := compareAs(x.Op, x.Op != Equal && x.Op != NotEqual)
	return func(e *Evaluation, n source.Node) bool {
		return !left.Each(e, n, func(a source.Ref) bool {
			return right.Each(e, n, func(b source.Ref) bool { return !holds(e.text(a), e.text(b)) })
		})
	}, nil
}

// compileSourceBoolean compares a node with true() or false() by the lexical
// forms of xs:boolean.
func compileSourceBoolean(left Expr, want, equal bool) (sourcePredicate, error) {
	if left.Op != Path {
		return nil, &Error{Column: left.Column, Message: "only a path compares with true() and false()"}
	}
	path, err := OverSource(left.Path)
	if err != nil {
		return nil, err
	}
	return func(e *Evaluation, n source.Node) bool {
		return !path.Each(e, n, func(r source.Ref) bool {
			switch NormalizeSpace(e.text(r)) {
			case "true", "1":
				return want != equal
			case "false", "0":
				return want == equal
			}
			return true // neither: equals nothing
		})
	}, nil
}

func compareAs(op Op, numeric bool) func(a, b string) bool {
	if !numeric {
		equal := op == Equal
		return func(a, b string) bool { return (a == b) == equal }
	}
	decide := orderings[op]
	return func(a, b string) bool {
		x, errX := model.ParseDecimal(a)
		y, errY := model.ParseDecimal(b)
		if errX != nil || errY != nil {
			return op == NotEqual // what is no number equals none
		}
		return decide(x.Cmp(y))
	}
}

// orderings say what a comparison makes of an order.
var orderings = map[Op]func(order int) bool{
	Equal:          func(order int) bool { return order == 0 },
	NotEqual:       func(order int) bool { return order != 0 },
	Less:           func(order int) bool { return order < 0 },
	LessOrEqual:    func(order int) bool { return order <= 0 },
	Greater:        func(order int) bool { return order > 0 },
	GreaterOrEqual: func(order int) bool { return order >= 0 },
}
