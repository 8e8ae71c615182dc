package xpath2

// A Node is a parsed expression.
type Node struct {
	Op     Op
	Name   string // of a function, a variable or a type; the operator of a comparison or sum
	Text   string // of a literal
	Args   []*Node
	Steps  []*Step // of a path
	Root   bool    // the path begins at the root of the document
	Column int     // in the expression, from 1
}

// An Op is what a node does with its arguments.
type Op string

// The operations.
const (
	Text       Op = "text"     // a literal
	Number     Op = "number"   // a literal
	Variable   Op = "variable" // $Name
	Sequence   Op = "sequence" // Args joined by commas; none is the empty sequence
	Or         Op = "or"
	And        Op = "and"
	Compare    Op = "compare" // general (= <) and value comparisons (eq lt), told apart by Name
	Arithmetic Op = "arithmetic"
	Negative   Op = "negative"
	Range      Op = "range"
	Union      Op = "union"
	Path       Op = "path"
	Call       Op = "call"
	If         Op = "if"       // condition, then, else
	Some       Op = "some"     // Name in Args[0] satisfies Args[1]
	Every      Op = "every"    // the same
	For        Op = "for"      // Name in Args[0] return Args[1]
	Castable   Op = "castable" // Args[0] as Name
	Cast       Op = "cast"     // Args[0] as Name
)

// A Step leads from nodes to others, or evaluates an expression at each.
type Step struct {
	Descendant bool // reached by // rather than /
	Axis       string
	Test       string // a name, "*", "ram:*", "node()" or "text()"
	Expr       *Node  // in place of axis and test: a function or parentheses
	Predicates []*Node
	Column     int
}

// IsSelf reports whether a step is "." without anything else.
func (s *Step) IsSelf() bool {
	return s.Expr == nil && s.Axis == "self" && s.Test == "node()" && len(s.Predicates) == 0
}

// An Error is a mistake in an expression, or what this parser does not read.
type Error struct {
	Column  int
	Message string
}

func (e *Error) Error() string { return e.Message }

// Walk calls visit for a node and all inside it, until visit is false for one: what is
// inside that is left out.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, a := range n.Args {
		a.Walk(visit)
	}
	for _, s := range n.Steps {
		s.Expr.Walk(visit)
		for _, p := range s.Predicates {
			p.Walk(visit)
		}
	}
}
