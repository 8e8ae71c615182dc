package xpath

// A Need is what must be around a node, or anywhere in its document, so that something can
// be: that a predicate holds there, or that a rule is violated there. Where a document
// does not have it, that cannot be; where it has, nothing is known. It looks at names and
// at texts that are compared with literals, so that a document answers the needs of all
// rules at once (fact.go). nil is the need of what can be anywhere.
type Need struct {
	op      needOp
	args    []*Need
	path    *LocationPath
	literal string // of needPath: what a node there says, without white space around it; "" for anything
	name    string
}

type needOp uint8

const (
	needNever    needOp = iota + 1 // it can be nowhere
	needAll                        // all of args
	needAny                        // one of args
	needPath                       // the path leads to something
	needNamed                      // the node has the name
	needNotNamed                   // it has another
	needInside                     // it is inside an element of the name
	needOutside                    // it is inside none
	needEmpty                      // something in the document says nothing
)

// Never is the need of what cannot be.
var Never = &Need{op: needNever}

// AllOf is the need of what needs all of these.
func AllOf(needs ...*Need) *Need {
	var args []*Need
	for _, n := range needs {
		switch {
		case n == nil:
		case n.op == needNever:
			return Never
		default:
			args = append(args, n)
		}
	}
	switch len(args) {
	case 0:
		return nil
	case 1:
		return args[0]
	}
	return &Need{op: needAll, args: args}
}

// AnyOf is the need of what needs one of these.
func AnyOf(needs ...*Need) *Need {
	var args []*Need
	for _, n := range needs {
		switch {
		case n == nil:
			return nil
		case n.op != needNever:
			args = append(args, n)
		}
	}
	switch len(args) {
	case 0:
		return Never
	case 1:
		return args[0]
	}
	return &Need{op: needAny, args: args}
}

// Leads is the need that a path leads to something.
func Leads(path string) *Need {
	u, err := ParseRelative(path)
	if err != nil || len(u.Paths) != 1 {
		return nil
	}
	return &Need{op: needPath, path: &u.Paths[0]}
}

// Named is the need that the node has a name, or that it has another.
func Named(name string, has bool) *Need {
	if has {
		return &Need{op: needNamed, name: name}
	}
	return &Need{op: needNotNamed, name: name}
}

// Inside is the need that the node is inside an element of a name, or inside none.
func Inside(name string, is bool) *Need {
	if is {
		return &Need{op: needInside, name: name}
	}
	return &Need{op: needOutside, name: name}
}

// needOfAll is the need of predicates that all must hold.
func needOfAll(predicates []Expr) *Need {
	needs := make([]*Need, len(predicates))
	for i := range predicates {
		needs[i] = predicates[i].need()
	}
	return AllOf(needs...)
}

// need is what an expression needs to be true as a predicate.
func (x *Expr) need() *Need {
	switch x.Op {
	case Path, Joined:
		return x.leads("")
	case And:
		return AllOf(needsOf(x.Args)...)
	case Or:
		return AnyOf(needsOf(x.Args)...)
	case Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual:
		return x.needOfComparison()
	case Call:
		if x.Name == "boolean" {
			return x.Args[0].need()
		}
	}
	return nil
}

// needOfComparison is the need of a comparison, which is false where a side is a path that
// leads nowhere; but not where the other side is true or false.
func (x *Expr) needOfComparison() *Need {
	if x.Args[0].kind() == kindBoolean || x.Args[1].kind() == kindBoolean {
		return nil
	}
	if x.Op == Equal {
		for i := range x.Args {
			if literal := &x.Args[1-i]; literal.Op == Literal {
				return x.Args[i].says(literal.Value)
			}
		}
	}
	return AllOf(x.Args[0].compared(), x.Args[1].compared())
}

func needsOf(args []Expr) []*Need {
	needs := make([]*Need, len(args))
	for i := range args {
		needs[i] = args[i].need()
	}
	return needs
}

// leads is the need that paths lead to something that says so.
func (x *Expr) leads(literal string) *Need {
	if x.Op == Path {
		return &Need{op: needPath, path: &x.Path, literal: NormalizeSpace(literal)}
	}
	needs := make([]*Need, len(x.Args))
	for i := range x.Args {
		needs[i] = x.Args[i].leads(literal)
	}
	return AnyOf(needs...)
}

// compared is what one side of a comparison needs so that there is anything to compare.
func (x *Expr) compared() *Need {
	if x.Op == Path || x.Op == Joined {
		return x.leads("")
	}
	return nil
}

// says is what an expression needs to be equal to a text.
func (x *Expr) says(literal string) *Need {
	switch {
	case literal == "" && x.Op == Call && len(x.Args) == 0 && (x.Name == "normalize-space" || x.Name == "string"):
		return &Need{op: needEmpty}
	case literal == "":
		return x.compared()
	case x.Op == Path || x.Op == Joined:
		return x.leads(literal)
	case x.Op == Call && len(x.Args) == 0 && (x.Name == "normalize-space" || x.Name == "string"):
		return &Need{op: needPath, path: itself, literal: NormalizeSpace(literal)}
	case x.Op != Call || len(x.Args) != 1 || x.kind() != kindText || x.Args[0].kind() != kindNodes:
		return nil
	case x.Name == "normalize-space" || x.Name == "string":
		return x.Args[0].leads(literal)
	case x.Name == "upper-case":
		return x.Args[0].leads("") // of nothing, the text is empty
	}
	return nil
}

// itself is the path of the node alone.
var itself = &LocationPath{Steps: []Step{{Axis: Self, Name: anyNode}}}
