package xpath

// The grammar of contexts, a subset of XPath 1.0. antchfx/xpath, which evaluates
// what has no shorter way, accepts much that it then misreads (`for`, `some`,
// `eq`, trailing text), so everything is parsed here first.
//
//	Union        = LocationPath { "|" LocationPath }
//	LocationPath = [ "/" | "//" ] Step { ("/" | "//") Step }
//	Step         = ( Name | prefix ":*" | "*" | "." | ".." | "@" Name ) { "[" Or "]" }
//	Or           = And { "or" And }
//	And          = Comparison { "and" Comparison }
//	Comparison   = Operand [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) Operand ]
//	Operand      = "(" Or ")" | Literal | Number | Function "(" [ Or { "," Or } ] ")" | LocationPath

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
	Name       string // the node test, as written: "cbc:ID", "lines", "*", "ram:*"; "." and ".." of those steps
	Predicates []Expr
	Column     int // in the text, from 1
}

// An Axis is the direction of a step.
type Axis uint8

// The axes.
const (
	Child     Axis = iota
	Self           // .
	Parent         // ..
	Attribute      // @
)

// An Expr is a predicate or a part of one.
type Expr struct {
	Op     Op
	Name   string // of the function
	Value  string // of a literal or number
	Args   []Expr
	Path   LocationPath
	Column int
}

// An Op is what an expression does with its arguments.
type Op string

// The operations.
const (
	Or             Op = "or"
	And            Op = "and"
	Equal          Op = "="
	NotEqual       Op = "!="
	Less           Op = "<"
	LessOrEqual    Op = "<="
	Greater        Op = ">"
	GreaterOrEqual Op = ">="
	Literal        Op = "literal"
	Number         Op = "number"
	Call           Op = "call"
	Path           Op = "path"
)

// An Error is a mistake in an expression; Column counts characters from 1.
type Error struct {
	Column  int
	Message string
}

func (e *Error) Error() string { return e.Message }
