package xpath

import (
	"slices"
	"strings"
)

// misread says what of an expression antchfx/xpath 1.3.9 decides otherwise than
// XPath 1.0, or panics at, and what to write instead; nil if it can be trusted
// with it: tests do not compare where it says so.
func misread(x *Expr) error { return misreadWithin(x, false) }

func misreadWithin(x *Expr, predicate bool) error {
	why := ""
	switch {
	case x.Op == And || x.Op == Or:
		why = misreadLogical(x)
	case mirrored[x.Op] != "":
		why = misreadComparison(x)
	case x.Op == Call:
		why = misreadCall(x)
	}
	if why == "" && movesContext(x) {
		why = "looks for one operand in the wrong place where the other has predicates: compare with a text or number"
	}
	if why != "" {
		return misreadError(x.Column, why)
	}
	for i := range x.Args {
		arg := &x.Args[i]
		switch order := orderOf(arg); {
		case arg.kind() != kindNodes:
		case convertsNode(x) && order != inOrder:
			return misreadError(arg.Column, "takes another node than the first in the document")
		case x.Op == Call && x.Name == "count" && order == repeated:
			return misreadError(arg.Column, "counts a node twice that several steps lead to")
		}
		if err := misreadWithin(arg, predicate); err != nil {
			return err
		}
	}
	if x.Op == filter {
		return misreadFilter(x, predicate)
	}
	return misreadSteps(x.Path.Steps, predicate)
}

func misreadError(column int, why string) error {
	return &Error{Column: column, Message: "antchfx/xpath, which evaluates this, " + why}
}

func misreadLogical(x *Expr) string {
	if slices.ContainsFunc(x.Args, func(arg Expr) bool { return arg.kind() == kindNumber }) {
		return "takes NaN for true: compare the number with 0"
	}
	return ""
}

func misreadComparison(x *Expr) string {
	a, b := x.Args[0].kind(), x.Args[1].kind()
	switch {
	case b == kindNodes && a != kindNodes:
		return "compares only the first node where a path is on the right: write it on the left"
	case (a == kindBoolean) != (b == kindBoolean):
		return "compares booleans with anything else as numbers: compare booleans with booleans"
	case a == kindBoolean && x.Op != Equal && x.Op != NotEqual:
		return "does not order booleans"
	}
	return ""
}

func misreadCall(x *Expr) string {
	if len(x.Args) == 0 {
		if x.Name == "number" || x.Name == "string-length" {
			return "does not know " + x.Name + "() without an argument: write " + x.Name + "(.)"
		}
		return ""
	}
	first := x.Args[0].kind()
	switch x.Name {
	case "sum":
		return "leaves out of a sum what is not a number, where XPath gives NaN"
	case "upper-case":
		return "does not know upper-case: write translate(...)"
	case "boolean":
		if first == kindNumber {
			return "takes NaN for true: compare the number with 0"
		}
	case "not":
		if first == kindNumber || first == kindText {
			return "takes not() of a text or number for false: write not(boolean(...))"
		}
	case "starts-with", "ends-with", "contains", "substring-before", "substring-after":
		if x.Args[1].Op != Literal || x.Args[1].Value == "" || first == kindNumber || first == kindBoolean {
			return "wants a path or text as the first and a literal as the second argument of " + x.Name
		}
	case "substring":
		for i := range x.Args[1:] {
			if arg := &x.Args[i+1]; !isWhole(arg) {
				return "wants numbers as the second and third argument of substring"
			}
		}
	}
	return ""
}

// isWhole reports whether an expression is never NaN.
func isWhole(x *Expr) bool {
	switch x.Op {
	case Number:
		return true
	case Negative:
		return isWhole(&x.Args[0])
	}
	return x.Op == Call && (x.Name == "count" || x.Name == "string-length" || x.Name == "position" || x.Name == "last")
}

// movesContext reports whether an operand has predicates, in which antchfx/xpath
// moves the context node, and another operand depends on it.
func movesContext(x *Expr) bool {
	if x.Op != Call && mirrored[x.Op] == "" {
		return false // the others put it back
	}
	for i := range x.Args {
		for j := range x.Args {
			if i != j && hasPredicates(&x.Args[i]) && !isConstant(&x.Args[j]) {
				return true
			}
		}
	}
	return false
}

// convertsNode reports whether an expression takes the first node of a path.
func convertsNode(x *Expr) bool {
	switch x.Op {
	case Negative, add, subtract, multiply, divide, modulo:
		return true
	}
	return x.Op == Call && x.Name != "boolean" && x.Name != "not" && x.Name != "count"
}

// An order says how antchfx/xpath finds the nodes of a path, as far as its steps
// show: in document order or not, each once or perhaps more often.
type order uint8

const (
	inOrder order = iota
	distinct
	repeated
)

func orderOf(x *Expr) order {
	if x.Op != Path {
		return repeated
	}
	found := inOrder
	one, nested := true, false // the nodes so far are one, or some are inside others
	for i := range x.Path.Steps {
		s := &x.Path.Steps[i]
		deep := s.Descendant || s.Axis == descendant || s.Axis == descendantOrSelf
		switch s.Axis {
		case Self, Child, Attribute, descendant, descendantOrSelf:
			if nested && deep {
				return repeated
			}
			if nested && s.Axis == Child || deep && len(s.Predicates) > 0 {
				found = distinct
			}
			one, nested = one && s.Axis == Self && !deep, nested || deep
		case Parent, FollowingSibling, Ancestor, ancestorOrSelf, PrecedingSibling:
			if !one || deep {
				return repeated
			}
			if one = s.Axis == Parent; !one && s.Axis != FollowingSibling {
				found = distinct
			}
		default:
			return repeated
		}
	}
	return found
}

func isConstant(x *Expr) bool {
	return x.Op == Literal || x.Op == Number || x.Op == Negative && isConstant(&x.Args[0])
}

func hasPredicates(x *Expr) bool {
	for i := range x.Path.Steps {
		if s := &x.Path.Steps[i]; len(s.Predicates) > 0 || s.Axis == following || s.Axis == preceding {
			return true
		}
	}
	for i := range x.Args {
		if hasPredicates(&x.Args[i]) {
			return true
		}
	}
	return x.Op == filter
}

func misreadFilter(x *Expr, predicate bool) error {
	for i := range x.Args[1:] {
		p := &x.Args[i+1]
		if misreadPosition(p, i) || p.kind() == kindNumber && (predicate || orderOf(&x.Args[0]) != inOrder) {
			return misreadError(p.Column, positionsOtherwise)
		}
	}
	return misreadSteps(x.Path.Steps, predicate)
}

func misreadSteps(steps []Step, predicate bool) error {
	for i := range steps {
		s := &steps[i]
		if why := misreadStep(s, i == len(steps)-1); why != "" {
			return misreadError(s.Column, why)
		}
		if predicate && (s.Axis == following || s.Axis == preceding) {
			return misreadError(s.Column, "loses its place at the axis "+string(s.Axis)+" in a predicate: write it in the path")
		}
		for j := range s.Predicates {
			p := &s.Predicates[j]
			if j == 0 && s.Axis == Child && p.Op == Call && p.Name == "last" {
				continue
			}
			if misreadPosition(p, j) || p.kind() == kindNumber && !countsRight[s.Axis] {
				return misreadError(p.Column, positionsOtherwise)
			}
			if err := misreadWithin(p, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func misreadStep(s *Step, last bool) string {
	switch {
	case strings.HasSuffix(s.Name, ":*"):
		return "never finds " + s.Name + ": write *[starts-with(name(), '" + strings.TrimSuffix(s.Name, "*") + "')]"
	case s.Axis == namespace:
		return "has no namespace axis"
	case s.Axis == descendantOrSelf && (s.Descendant || !last):
		return "reads descendant-or-self::a/b as //b: write descendant-or-self::a[b]"
	}
	return ""
}

const positionsOtherwise = "counts positions otherwise: write a number as the first predicate, a[1], or a[last()]"

// countsRight are the axes along which it counts as XPath does.
var countsRight = map[Axis]bool{Child: true, FollowingSibling: true, PrecedingSibling: true, Ancestor: true}

// misreadPosition reports whether a predicate, the i-th of its step, asks for a
// position in a way that goes wrong.
func misreadPosition(p *Expr, i int) bool {
	if p.kind() != kindNumber && !asksPosition(p) {
		return false
	}
	return p.Op != Number || i > 0 || strings.Contains(p.Value, ".")
}
