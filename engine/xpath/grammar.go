package xpath

// All expressions are parsed by one grammar, that of XPath 1.0:
//
//	Expr           = And { "or" And }
//	And            = Equality { "and" Equality }
//	Equality       = Relational { ( "=" | "!=" ) Relational }
//	Relational     = Additive { ( "<" | "<=" | ">" | ">=" ) Additive }
//	Additive       = Multiplicative { ( "+" | "-" ) Multiplicative }
//	Multiplicative = Unary { ( "*" | "div" | "mod" ) Unary }
//	Unary          = { "-" } Union
//	Union          = Path { "|" Path }
//	Path           = LocationPath | Primary { Predicate } [ ( "/" | "//" ) RelativePath ]
//	Primary        = "$" Name | "(" Expr ")" | Literal | Number | Name "(" [ Expr { "," Expr } ] ")"
//	LocationPath   = RelativePath | "/" [ RelativePath ] | "//" RelativePath
//	RelativePath   = Step { ( "/" | "//" ) Step }
//	Step           = "." | ".." | [ Axis "::" | "@" ] NodeTest { Predicate }
//	NodeTest       = Name | "*" | Prefix ":*" | ( "node" | "text" | "comment" | "processing-instruction" ) "(" [ Literal ] ")"
//	Predicate      = "[" Expr "]"
//
// Rules may use a part of it (offered.go says which, and what to write instead
// of the rest):
//
//	context   = "/" or "//", then steps down to elements or groups, each with predicates, joined by "|"
//	path      = the same from a node: "..", ".", "parent::", "self::", "ancestor::" and siblings as well, and attributes
//	predicate = "or", "and", comparisons, unary minus, "|", literals, numbers, calls of functions, paths
//
// Nothing else is an expression: what follows one, or is XPath 2.0, is a mistake.

// A Union is a parsed expression: location paths that select nodes together.
type Union struct {
	Text  string
	Paths []LocationPath
}

// A LocationPath is a parsed path.
type LocationPath struct {
	Text     string
	Absolute bool // it begins at the root
	Steps    []Step
}

// A Step leads from nodes to others.
type Step struct {
	Descendant bool // reached by // rather than /
	Axis       Axis
	Name       string // the node test, as written: "cbc:ID", "lines", "*", "ram:*", "node()"
	Predicates []Expr
	Column     int // in the text, from 1
}

// An Axis is the direction of a step.
type Axis string

// The axes that rules may use; "." and ".." are Self and Parent of any node. Those to
// ancestors and siblings are for the source document alone.
const (
	Child            Axis = "child"
	Self             Axis = "self"
	Parent           Axis = "parent"
	Attribute        Axis = "attribute"
	Ancestor         Axis = "ancestor"
	FollowingSibling Axis = "following-sibling"
	PrecedingSibling Axis = "preceding-sibling"
)

// leadsAround reports whether an axis leads to several elements around a node.
func (a Axis) leadsAround() bool {
	return a == Ancestor || a == FollowingSibling || a == PrecedingSibling
}

// The other axes of XPath 1.0.
const (
	descendant       Axis = "descendant"
	descendantOrSelf Axis = "descendant-or-self"
	ancestorOrSelf   Axis = "ancestor-or-self"
	following        Axis = "following"
	preceding        Axis = "preceding"
	namespace        Axis = "namespace"
)

var axes = []Axis{
	Child, Self, Parent, Attribute, descendant, descendantOrSelf, Ancestor, ancestorOrSelf,
	following, FollowingSibling, preceding, PrecedingSibling, namespace,
}

// anyNode is the node test of "." and "..".
const anyNode = "node()"

// isAnyNode reports whether a step is "." or "..", or these written out.
func (s *Step) isAnyNode() bool { return s.Name == anyNode && len(s.Predicates) == 0 }

// An Expr is an expression: a predicate, or a part of one.
type Expr struct {
	Op     Op
	Name   string // of the function or variable
	Value  string // of a literal or number
	Args   []Expr // of a filter, what is filtered and its predicates
	Path   LocationPath
	Column int
}

// An Op is what an expression does with its arguments.
type Op string

// The operations that rules may use.
const (
	Or             Op = "or"
	And            Op = "and"
	Equal          Op = "="
	NotEqual       Op = "!="
	Less           Op = "<"
	LessOrEqual    Op = "<="
	Greater        Op = ">"
	GreaterOrEqual Op = ">="
	Negative       Op = "negative"
	Joined         Op = "|"
	Literal        Op = "literal"
	Number         Op = "number"
	Call           Op = "call"
	Path           Op = "path"
)

// The other operations of XPath 1.0.
const (
	add      Op = "+"
	subtract Op = "-"
	multiply Op = "*"
	divide   Op = "div"
	modulo   Op = "mod"
	variable Op = "variable"
	filter   Op = "filter" // of what Args[0] gives; Path goes on from there
)

// A kind is the type of a value; XPath 1.0 has these four, and an expression
// always gives the same.
type kind uint8

const (
	kindNodes kind = iota + 1
	kindBoolean
	kindNumber
	kindText
)

// kind is the type of what the expression gives.
func (x *Expr) kind() kind {
	switch x.Op {
	case Path, Joined, filter:
		return kindNodes
	case Literal:
		return kindText
	case Number, Negative, add, subtract, multiply, divide, modulo:
		return kindNumber
	case Call:
		return functions[x.Name].result
	}
	return kindBoolean
}

// An Error is a mistake in an expression; Column counts characters from 1.
type Error struct {
	Column  int
	Message string
}

func (e *Error) Error() string { return e.Message }
