package xpath

import "einvoice/model/source"

// A focus is what an expression is evaluated for: XPath's context node, context
// position and context size. The latter two are right where a predicate asks for
// them, and otherwise 1.
type focus[N any] struct {
	node           N
	position, size int
}

// A visitor is shown a node of a node-set; false means that it has seen enough.
type visitor[N any] func(e *Evaluation, node N) bool

// A nodeSet is what a path leads to from a node.
type nodeSet[N any] struct {
	// each visits every node once, in document order. It reports whether the
	// visitor has seen all; false may also mean that the budget stopped it.
	each func(e *Evaluation, from N, visit visitor[N]) bool
	// first is the first node in document order.
	first func(e *Evaluation, from N) (N, bool)
}

// nodesOf is the node-set whose first node is not found faster than by visiting.
func nodesOf[N any](each func(*Evaluation, N, visitor[N]) bool) nodeSet[N] {
	return nodeSet[N]{each, func(e *Evaluation, from N) (found N, ok bool) {
		none := each(e, from, func(_ *Evaluation, n N) bool { found = n; return false })
		return found, !none && !e.Budget.Stopped()
	}}
}

// A dialect compiles expressions about one kind of nodes: groups and terms of the
// model, elements and attributes of the source document, or nothing but names.
type dialect[N any] struct {
	path   func(LocationPath) (nodeSet[N], error)
	joined func(*Expr) (nodeSet[N], error) // by |
	filter func(*Expr) (nodeSet[N], error) // nil for what rules may have
	text   func(*Evaluation, N) string     // XPath's string-value
	name   func(*Evaluation, N) source.QName
	shared *sharing[value[N]] // what says the same is compiled once; nil if it is not
}

type (
	booleanOf[N any] func(*Evaluation, focus[N]) bool
	numberOf[N any]  func(*Evaluation, focus[N]) number
	textOf[N any]    func(*Evaluation, focus[N]) string
)

// A value is a compiled expression. That of its four forms is set which the
// kind says.
type value[N any] struct {
	kind     kind
	nodes    nodeSet[N]
	boolean  booleanOf[N]
	number   numberOf[N]
	text     textOf[N]
	constant bool // a text or number that is always the same
}

func booleanValue[N any](f booleanOf[N]) value[N] { return value[N]{kind: kindBoolean, boolean: f} }
func numberValue[N any](f numberOf[N]) value[N]   { return value[N]{kind: kindNumber, number: f} }
func textValue[N any](f textOf[N]) value[N]       { return value[N]{kind: kindText, text: f} }

func constantNumber[N any](n number) value[N] {
	return value[N]{kind: kindNumber, number: func(*Evaluation, focus[N]) number { return n }, constant: true}
}

func constantText[N any](s string) value[N] {
	return value[N]{kind: kindText, text: func(*Evaluation, focus[N]) string { return s }, constant: true}
}

// asBoolean is XPath's boolean(): whether there is a node, a number other than 0
// and NaN, or a text that is not empty.
func (l *dialect[N]) asBoolean(v value[N]) booleanOf[N] {
	switch v.kind {
	case kindNodes:
		return func(e *Evaluation, f focus[N]) bool {
			_, ok := v.nodes.first(e, f.node)
			return ok
		}
	case kindNumber:
		return func(e *Evaluation, f focus[N]) bool { return v.number(e, f).boolean() }
	case kindText:
		return func(e *Evaluation, f focus[N]) bool { return v.text(e, f) != "" }
	}
	return v.boolean
}

// asText is XPath's string(): of a node-set, the string-value of the first node.
func (l *dialect[N]) asText(v value[N]) textOf[N] {
	switch v.kind {
	case kindNodes:
		return func(e *Evaluation, f focus[N]) string {
			if n, ok := v.nodes.first(e, f.node); ok {
				return l.text(e, n)
			}
			return ""
		}
	case kindNumber:
		return func(e *Evaluation, f focus[N]) string { return v.number(e, f).text() }
	case kindBoolean:
		return func(e *Evaluation, f focus[N]) string {
			if v.boolean(e, f) {
				return "true"
			}
			return "false"
		}
	}
	return v.text
}

// asNumber is XPath's number().
func (l *dialect[N]) asNumber(v value[N]) numberOf[N] {
	switch v.kind {
	case kindNumber:
		return v.number
	case kindBoolean:
		return func(e *Evaluation, f focus[N]) number {
			if v.boolean(e, f) {
				return integer(1)
			}
			return integer(0)
		}
	}
	text := l.asText(v)
	return func(e *Evaluation, f focus[N]) number { return toNumber(text(e, f)) }
}
