package xpath

import (
	"fmt"

	"einvoice/model/numeral"
	"einvoice/model/quote"
)

const (
	// maxDepth bounds how deep parentheses, predicates and arguments nest.
	maxDepth = 50
	// maxLength bounds an expression, in bytes.
	maxLength = 100_000
)

// parse reads a whole expression of XPath 1.0.
func parse(text string) (Expr, error) {
	if len(text) > maxLength {
		return Expr{}, &Error{Column: 1, Message: fmt.Sprintf("an expression has at most %d bytes", maxLength)}
	}
	p := &parser{lexer: newLexer(text)}
	p.advance()
	x := p.or()
	if p.token.kind != tokenEnd {
		p.failUnexpected()
	}
	if p.err != nil {
		return Expr{}, p.err
	}
	return x, nil
}

// A parser reads an expression. The first mistake stays in err, and from then
// on there are no tokens left to read.
type parser struct {
	lexer lexer
	token token // the next one
	end   int   // of the last one
	depth int
	err   *Error
}

func (p *parser) advance() token {
	taken := p.token
	p.end = taken.end
	next, err := p.lexer.next()
	if err != nil {
		p.failWith(err)
	} else {
		p.token = next
	}
	return taken
}

// since is the text from a token on to the one that was read last.
func (p *parser) since(start int) string { return p.lexer.text[start:max(start, p.end)] }

func (p *parser) fail(column int, format string, args ...any) {
	p.failWith(&Error{Column: column, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) failWith(err *Error) {
	if p.err == nil {
		p.err = err
	}
	p.lexer.pos = len(p.lexer.text)
	p.token = token{start: len(p.lexer.text), end: len(p.lexer.text), column: p.token.column}
}

// newerOperators are operators of XPath 2.0, with what XPath 1.0 has for them.
var newerOperators = map[string]string{
	"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "union": "|",
}

// failUnexpected refuses the next token, where the expression could end.
func (p *parser) failUnexpected() {
	rest := excerpt(p.lexer.text[p.token.start:])
	if p.token.kind == tokenVariable {
		p.fail(p.token.column, "unexpected %s: XPath 1.0 has no for, some and every, and rules have no variables", rest)
	}
	if p.token.kind == tokenName || p.token.kind == tokenFunction {
		if operator, known := newerOperators[p.token.text]; known {
			p.fail(p.token.column, "unexpected %s: %s is XPath 2.0, write %s", rest, p.token.text, operator)
			return
		}
	}
	p.fail(p.token.column, "unexpected %s: XPath 1.0 ends an expression here; decisions belong into the CEL assertion", rest)
}

// excerpt shows a part of an expression in a message.
func excerpt(text string) string { return fmt.Sprintf("%q", quote.Shorten(text, 20)) }

func (p *parser) at(kind tokenKind, text string) bool {
	return p.token.kind == kind && p.token.text == text
}

func (p *parser) accept(kind tokenKind, text string) bool {
	if !p.at(kind, text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(symbol string) {
	switch {
	case p.accept(tokenSymbol, symbol):
	case p.token.kind == tokenEnd:
		p.fail(p.token.column, "expected %q, and the expression ends", symbol)
	default:
		p.fail(p.token.column, "expected %q, found %s", symbol, excerpt(p.lexer.text[p.token.start:]))
	}
}

// level says how much an operator between two operands binds, those of paths aside: 0.
func (op Op) level() int {
	switch op {
	case Or:
		return 1
	case And:
		return 2
	case Equal, NotEqual:
		return 3
	case Less, LessOrEqual, Greater, GreaterOrEqual:
		return 4
	case add, subtract:
		return 5
	case multiply, divide, modulo:
		return 6
	}
	return 0
}

func (p *parser) or() Expr { return p.binary(1) }

// binary reads operands and the operators of a level and of higher ones between them, which
// associate to the left.
func (p *parser) binary(least int) Expr {
	left := p.unary()
	for p.token.kind == tokenOperator {
		op := Op(p.token.text)
		level := op.level()
		if level < least {
			break
		}
		p.advance()
		left = Expr{Op: op, Args: []Expr{left, p.binary(level + 1)}, Column: left.Column}
	}
	return left
}

func (p *parser) unary() Expr {
	if !p.at(tokenOperator, string(subtract)) {
		return p.union()
	}
	column := p.advance().column
	defer p.nest(column)()
	return Expr{Op: Negative, Args: []Expr{p.unary()}, Column: column}
}

func (p *parser) union() Expr {
	x := p.path()
	for p.accept(tokenOperator, string(Joined)) {
		x = Expr{Op: Joined, Args: []Expr{x, p.path()}, Column: x.Column}
	}
	for joined := x; joined.Op == Joined; joined = joined.Args[0] {
		for _, arg := range joined.Args {
			if arg.kind() != kindNodes {
				p.fail(arg.Column, "| joins paths")
			}
		}
	}
	return x
}

// nest counts a level of nesting until what it returns is called.
func (p *parser) nest(column int) (leave func()) {
	if p.depth++; p.depth > maxDepth {
		p.fail(column, "more than %d levels of parentheses and predicates", maxDepth)
	}
	return func() { p.depth-- }
}

// path reads a location path, or something else with what filters it or leads
// on from it. Everything that nests passes here.
func (p *parser) path() Expr {
	column := p.token.column
	defer p.nest(column)()
	x, ok := p.primary()
	if !ok {
		return Expr{Op: Path, Path: p.locationPath(), Column: column}
	}
	if p.at(tokenSymbol, "[") || p.at(tokenOperator, "/") || p.at(tokenOperator, "//") {
		return p.filter(x, column)
	}
	return x
}

// filter reads the predicates and steps after x.
func (p *parser) filter(x Expr, column int) Expr {
	if x.kind() != kindNodes {
		p.fail(p.token.column, "only a path can have predicates and steps after it")
	}
	start := p.token.start
	out := Expr{Op: filter, Args: append([]Expr{x}, p.predicates()...), Column: column}
	switch {
	case p.accept(tokenOperator, "/"):
		out.Path.Steps = p.steps(false)
	case p.accept(tokenOperator, "//"):
		out.Path.Steps = p.steps(true)
	}
	out.Path.Text = p.since(start)
	return out
}

// primary reads an expression that is not a location path, if there is one.
func (p *parser) primary() (Expr, bool) {
	column := p.token.column
	switch {
	case p.token.kind == tokenLiteral:
		return Expr{Op: Literal, Value: p.advance().text, Column: column}, true
	case p.token.kind == tokenNumber:
		return Expr{Op: Number, Value: p.advance().text, Column: column}, true
	case p.token.kind == tokenVariable:
		return Expr{Op: variable, Name: p.advance().text, Column: column}, true
	case p.accept(tokenSymbol, "("):
		x := p.or()
		if p.at(tokenSymbol, ",") {
			p.fail(p.token.column, "a list of values is XPath 2.0: for a = ('b', 'c') write a = 'b' or a = 'c'")
		}
		p.expect(")")
		return x, true
	case p.token.kind == tokenFunction && !nodeTypes[p.token.text]:
		return p.call(), true
	}
	return Expr{}, false
}

func (p *parser) call() Expr {
	name := p.advance()
	x := Expr{Op: Call, Name: name.text, Column: name.column}
	signature, known := functions[name.text]
	if !known {
		p.failFunction(name)
		return x
	}
	p.expect("(")
	for p.err == nil && !p.accept(tokenSymbol, ")") {
		if len(x.Args) > 0 {
			p.expect(",")
		}
		x.Args = append(x.Args, p.or())
	}
	p.checkArguments(&x, signature)
	return x
}

func (p *parser) failFunction(name token) {
	if remedy := instead[name.text]; remedy != "" {
		p.fail(name.column, "unknown function %s: %s", name.text, remedy)
	} else {
		p.fail(name.column, "unknown function %s; decisions belong into the CEL assertion", name.text)
	}
}

func (p *parser) checkArguments(x *Expr, s signature) {
	switch n := len(x.Args); {
	case n >= s.least && n <= s.most:
	case s.most == 0:
		p.fail(x.Column, "%s takes no arguments", x.Name)
	case s.least == s.most:
		p.fail(x.Column, "%s takes %s", x.Name, numeral.Count(s.least, "argument"))
	default:
		p.fail(x.Column, "%s takes %d to %s", x.Name, s.least, numeral.Count(s.most, "argument"))
	}
	for i := range x.Args {
		if s.ofPath && x.Args[i].kind() != kindNodes {
			p.fail(x.Args[i].Column, "%s takes a path", x.Name)
		}
	}
}
