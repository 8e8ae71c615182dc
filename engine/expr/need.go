package expr

import (
	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/common/operators"
)

// Need is what an element of the source document needs around it so that a condition about
// it can be anything but true: that it is false, or has no value. It is computed from the
// condition alone: what a path reads that leads nowhere is known, and so is what follows
// from that. nil is the need of a condition that may always be something else.
func (e *Environment) Need(text string, this This) *xpath.Need {
	if !this.typ.IsExactType(elementType) {
		return nil
	}
	root, err := e.checked(text, this)
	if err != nil {
		return nil
	}
	return needsOf(root).notTrue
}

// needs are what a condition needs to be anything but true, or anything but false. What is
// anything but both has no value.
type needs struct{ notTrue, notFalse *xpath.Need }

// certain are the needs of a condition that is as said where something is not met.
func certain(is bool, unless *xpath.Need) needs {
	if is {
		return needs{notTrue: unless}
	}
	return needs{notFalse: unless}
}

// needsOf are the needs of a condition about this.
func needsOf(n *node) needs {
	switch n.op {
	case nodeBoolean:
		return certain(n.text == "true", xpath.Never)
	case nodeLoop:
		return n.needsOfLoop()
	case nodeCall:
		return n.needsOfCall()
	}
	return needs{}
}

func (n *node) needsOfCall() needs {
	switch n.name {
	case operators.LogicalAnd:
		a, b := needsOf(n.args[0]), needsOf(n.args[1])
		return needs{xpath.AnyOf(a.notTrue, b.notTrue), xpath.AllOf(a.notFalse, b.notFalse)}
	case operators.LogicalOr:
		a, b := needsOf(n.args[0]), needsOf(n.args[1])
		return needs{xpath.AllOf(a.notTrue, b.notTrue), xpath.AnyOf(a.notFalse, b.notFalse)}
	case operators.LogicalNot:
		a := needsOf(n.args[0])
		return needs{a.notFalse, a.notTrue}
	case operators.Conditional:
		c, a, b := needsOf(n.args[0]), needsOf(n.args[1]), needsOf(n.args[2])
		return needs{
			xpath.AllOf(xpath.AnyOf(c.notTrue, a.notTrue), xpath.AnyOf(c.notFalse, b.notTrue)),
			xpath.AllOf(xpath.AnyOf(c.notTrue, a.notFalse), xpath.AnyOf(c.notFalse, b.notFalse)),
		}
	case operators.Equals:
		return n.needsOfEqual()
	case operators.NotEquals:
		equal := n.needsOfEqual()
		return needs{equal.notFalse, equal.notTrue}
	case operators.In:
		if list, unless := valueUnless(n.args[1]); list == emptyList {
			if _, never := valueUnless(n.args[0]); never == xpath.Never {
				return certain(false, unless)
			}
		}
	case "has":
		if path, ok := n.pathOfThis(); ok {
			return certain(false, xpath.Leads(path))
		}
	case "isDistinct":
		if list, unless := valueUnless(n.args[0]); list == emptyList {
			return certain(true, unless)
		}
	case "inside":
		if name, ok := n.pathOfThis(); ok {
			return needs{xpath.Inside(name, false), xpath.Inside(name, true)}
		}
	}
	if decide, ok := orderings[n.name]; ok {
		return n.needsOfOrdering(decide)
	}
	return needs{}
}

// needsOfEqual are those of a comparison of two values that are known where needs are not
// met, or of the name of this.
func (n *node) needsOfEqual() needs {
	for i, arg := range n.args {
		if other := n.args[1-i]; arg.op == nodeCall && arg.name == "name" && len(arg.args) == 1 && arg.args[0].isThis() && other.op == nodeText {
			return needs{xpath.Named(other.text, false), xpath.Named(other.text, true)}
		}
	}
	a, unlessA := valueUnless(n.args[0])
	b, unlessB := valueUnless(n.args[1])
	unless := xpath.AnyOf(unlessA, unlessB)
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return certain(x == y, unless)
		}
	case model.Decimal:
		if y, ok := b.(model.Decimal); ok {
			return certain(x.Equal(y), unless)
		}
	}
	return needs{}
}

func (n *node) needsOfOrdering(decide func(int) bool) needs {
	a, unlessA := valueUnless(n.args[0])
	b, unlessB := valueUnless(n.args[1])
	x, okX := a.(model.Decimal)
	y, okY := b.(model.Decimal)
	if !okX || !okY {
		return needs{}
	}
	return certain(decide(x.Cmp(y)), xpath.AnyOf(unlessA, unlessB))
}

// needsOfLoop are those of all and exists: of a list without elements, they are as they
// begin.
func (n *node) needsOfLoop() needs {
	list, unless := valueUnless(n.args[0])
	if start, result := n.args[1], n.args[4]; list == emptyList && start.op == nodeBoolean && result.op == nodeVariable && result.name == n.text {
		return certain(start.text == "true", unless)
	}
	return needs{}
}

type knownList struct{}

// emptyList is the value of a list without elements.
var emptyList = knownList{}

// valueUnless is the value that an expression has unless a need is met: a string, a
// model.Decimal or emptyList; nil where that is not known.
func valueUnless(n *node) (value any, unless *xpath.Need) {
	switch n.op {
	case nodeText:
		return n.text, xpath.Never
	case nodeInteger, nodeDecimal:
		if d, err := model.ParseDecimal(n.text); err == nil {
			return d, xpath.Never
		}
	case nodeList:
		if len(n.args) == 0 {
			return emptyList, xpath.Never
		}
	case nodeLoop: // filter, map and sum give of nothing what they begin with
		list, unless := valueUnless(n.args[0])
		if result := n.args[4]; list == emptyList && result.op == nodeVariable && result.name == n.text {
			start, never := valueUnless(n.args[1])
			return start, xpath.AnyOf(unless, never)
		}
	case nodeCall:
		return n.callUnless()
	}
	return nil, nil
}

func (n *node) callUnless() (value any, unless *xpath.Need) {
	if path, ok := n.pathOfThis(); ok {
		switch n.name {
		case "text":
			return "", xpath.Leads(path)
		case "texts", "elements":
			return emptyList, xpath.Leads(path)
		case "count", "total":
			return model.Decimal{}, xpath.Leads(path)
		}
		return nil, nil
	}
	switch n.name {
	case operators.Conditional: // that of the other side, where the condition is known
		c := needsOf(n.args[0])
		if value, unless := valueUnless(n.args[2]); value != nil && c.notFalse != nil {
			return value, xpath.AnyOf(c.notFalse, unless)
		}
		if value, unless := valueUnless(n.args[1]); value != nil && c.notTrue != nil {
			return value, xpath.AnyOf(c.notTrue, unless)
		}
	case "size", "normalizeSpace", "upperCase", "distinct":
		if len(n.args) != 1 {
			return nil, nil
		}
		of, unless := valueUnless(n.args[0])
		switch {
		case of == emptyList && n.name == "distinct":
			return emptyList, unless
		case of == "" && n.name != "size":
			return "", unless
		case (of == "" || of == emptyList) && n.name == "size":
			return model.Decimal{}, unless
		}
	case operators.Add:
		a, unlessA := valueUnless(n.args[0])
		b, unlessB := valueUnless(n.args[1])
		x, okX := a.(model.Decimal)
		y, okY := b.(model.Decimal)
		if okX && okY {
			return x.Add(y), xpath.AnyOf(unlessA, unlessB)
		}
	}
	return nil, nil
}

// pathOfThis is the path or name in a call such as this.has("cbc:ID").
func (n *node) pathOfThis() (path string, ok bool) {
	if n.op != nodeCall || len(n.args) != 2 || !n.args[0].isThis() || n.args[1].op != nodeText {
		return "", false
	}
	return n.args[1].text, true
}

// isThis reports whether an expression is this, which no loop around it has taken as the name
// of its variable: what is in loops is not looked at.
func (n *node) isThis() bool { return n.op == nodeVariable && n.name == varThis }
