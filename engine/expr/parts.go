package expr

import (
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
)

// A Part is an expression, as CEL text, with the expressions that it is made of whose
// values explain its own. Literals, and what is inside a loop, are not parts; what a loop
// selects or adds up is, as a list. [x].all(name, ...) is not a loop, but how an expression
// gives a value a name: its parts are those of the expression that uses the name.
type Part struct {
	Text string
	// Whole is the part with the names that it uses, to be evaluated: the first that
	// compiles, as the type of the part decides.
	Whole []string
	Parts []Part
}

// trackingEnv parses with the macros as they were written, to write parts as text.
var trackingEnv = sync.OnceValues(func() (*cel.Env, error) {
	base, err := baseEnv()
	if err != nil {
		return nil, err
	}
	return base.Extend(cel.EnableMacroCallTracking())
})

// PartsOf takes an expression apart. A mistake in it is an *Error.
func PartsOf(text string) (Part, error) {
	env, err := trackingEnv()
	if err != nil {
		return Part{}, err
	}
	parsed, issues := env.Parse(text)
	if err := issues.Err(); err != nil {
		first := issues.Errors()[0]
		return Part{}, &Error{Line: first.Location.Line(), Column: first.Location.Column() + 1, Message: inWords(first.Message, Element(), nil)}
	}
	s := splitter{info: parsed.NativeRep().SourceInfo()}
	whole := s.part(parsed.NativeRep().Expr())
	whole.Text, whole.Whole = text, []string{text}
	return whole, s.err
}

type splitter struct {
	info  *ast.SourceInfo
	named []namedValue // the outermost first
	err   error
}

// A namedValue is a list of one element, and the name that the element has.
type namedValue struct{ list, name string }

// whole puts a part into what gives the names in it their values: as a condition, and as
// a value of any other type.
func (s *splitter) whole(text string) []string {
	if len(s.named) == 0 {
		return []string{text}
	}
	condition, value := text, text
	for _, n := range slices.Backward(s.named) {
		condition = n.list + ".all(" + n.name + ", " + condition + ")"
		value = n.list + ".map(" + n.name + ", " + value + ")[0]"
	}
	return []string{condition, value}
}

func (s *splitter) text(e ast.Expr) string {
	text, err := parser.Unparse(e, s.info)
	if err != nil && s.err == nil {
		s.err = err
	}
	return text
}

// part is an expression with its parts.
func (s *splitter) part(e ast.Expr) Part {
	text := s.text(e)
	p := Part{Text: text, Whole: s.whole(text)}
	if macro, ok := s.info.GetMacroCall(e.ID()); ok {
		p.Parts = s.partsOfMacro(macro.AsCall())
		return p
	}
	if e.Kind() == ast.SelectKind && isCall(e.AsSelect().Operand(), lookupName) { // the key that is looked up
		if args := e.AsSelect().Operand().AsCall().Args(); len(args) == 2 {
			p.add(s, args[1])
		}
		return p
	}
	if e.Kind() != ast.CallKind { // a literal, a name, a term or a list
		return p
	}
	call := e.AsCall()
	if call.IsMemberFunction() {
		p.add(s, call.Target())
	}
	for _, arg := range call.Args() {
		p.add(s, arg)
	}
	return p
}

// add adds a part, unless its value is the same everywhere.
func (p *Part) add(s *splitter, e ast.Expr) {
	switch e.Kind() {
	case ast.LiteralKind, ast.IdentKind:
		return
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			p.add(s, element)
		}
		return
	}
	p.Parts = append(p.Parts, s.part(e))
}

// partsOfMacro are, of has, none; of a loop, what it goes through and what decides.
func (s *splitter) partsOfMacro(call ast.CallExpr) []Part {
	if !call.IsMemberFunction() {
		return nil
	}
	if named, ok := s.namedBy(call); ok {
		p := Part{}
		p.add(s, call.Target())
		s.named = append(s.named, named)
		p.add(s, call.Args()[1])
		s.named = s.named[:len(s.named)-1]
		return p.Parts
	}
	list := s.text(call.Target())
	var arguments []string
	for _, arg := range call.Args() {
		arguments = append(arguments, s.text(arg))
	}
	deciding := func(macro, of string) []Part {
		text := list + "." + macro + "(" + arguments[0] + ", " + of + ")"
		return []Part{{Text: text, Whole: s.whole(text)}}
	}
	switch name := call.FunctionName(); {
	case name == operators.All && len(arguments) == 2:
		return deciding("filter", "!("+arguments[1]+")")
	case (name == operators.Exists || name == operators.ExistsOne) && len(arguments) == 2:
		return deciding("filter", arguments[1])
	case name == "sum" && len(arguments) == 2:
		return deciding("map", arguments[1])
	case name == "sum" && len(arguments) == 3:
		list += ".filter(" + arguments[0] + ", " + arguments[1] + ")"
		return deciding("map", arguments[2])
	}
	return nil
}

// namedBy reports whether a loop goes through a list that is written with one element, to
// give that a name.
func (s *splitter) namedBy(call ast.CallExpr) (namedValue, bool) {
	if call.FunctionName() != operators.All || len(call.Args()) != 2 || call.Target().Kind() != ast.ListKind || call.Target().AsList().Size() != 1 {
		return namedValue{}, false
	}
	return namedValue{list: s.text(call.Target()), name: s.text(call.Args()[0])}, true
}
