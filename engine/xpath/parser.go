package xpath

import (
	"einvoice/model/quote"
	"fmt"
	"strings"
)

// maxDepth bounds how deep parentheses, predicates and arguments nest.
const maxDepth = 50

// functions may be called, with so many arguments at least and at most.
var functions = map[string][2]int{
	"not": {1, 1}, "normalize-space": {0, 1}, "string-length": {0, 1}, "count": {1, 1}, "starts-with": {2, 2},
	"ends-with": {2, 2}, "contains": {2, 2}, "name": {0, 0}, "upper-case": {1, 1}, "number": {0, 1}, "string": {0, 1}, "true": {0, 0}, "false": {0, 0},
}

// A parser reads an expression. The first mistake stays in err, and from then
// on there is no text left to read.
type parser struct {
	text  string
	pos   int
	depth int
	err   *Error
}

// Parse reads the context of a rule: absolute location paths, joined by |.
func Parse(text string) (*Union, error) { return parse(text, true) }

// ParseRelative reads location paths that may begin at a node.
func ParseRelative(text string) (*Union, error) { return parse(text, false) }

func parse(text string, absolute bool) (*Union, error) {
	p := &parser{text: text}
	u := p.union(absolute)
	if p.space(); p.pos < len(p.text) {
		p.fail(p.pos+1, "unexpected %q: contexts are XPath 1.0 paths, decisions belong into the CEL assertion", p.rest())
	}
	if p.err != nil {
		return nil, p.err
	}
	return u, nil
}

func (p *parser) union(absolute bool) *Union {
	u := &Union{Text: p.text}
	for {
		path := p.path()
		if absolute && !path.Absolute {
			p.fail(path.Steps[0].Column, "a context begins with / at the root of the invoice or document")
		}
		u.Paths = append(u.Paths, path)
		if !p.accept("|") {
			return u
		}
	}
}

func (p *parser) fail(column int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Column: column, Message: fmt.Sprintf(format, args...)}
	}
	p.pos = len(p.text)
}

// rest is what follows, for a message.
func (p *parser) rest() string { return quote.Shorten(p.text[p.pos:], 20) }

func (p *parser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *parser) peek(token string) bool {
	p.space()
	return strings.HasPrefix(p.text[p.pos:], token)
}

func (p *parser) accept(token string) bool {
	if !p.peek(token) {
		return false
	}
	p.pos += len(token)
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.fail(p.pos+1, "expected %q, found %q", token, p.rest())
	}
}

// keyword accepts "and" and "or", which must not be the start of a name.
func (p *parser) keyword(word string) bool {
	if !p.peek(word) {
		return false
	}
	if end := p.pos + len(word); end < len(p.text) && isNameByte(p.text[end]) {
		return false
	}
	p.pos += len(word)
	return true
}

func (p *parser) path() LocationPath {
	start := p.pos
	path := p.steps()
	path.Text = p.text[start:p.pos]
	return path
}

func (p *parser) steps() LocationPath {
	var path LocationPath
	descendant := false
	switch {
	case p.accept("//"):
		path.Absolute, descendant = true, true
	case p.accept("/"):
		path.Absolute = true
	}
	for {
		step := p.step()
		step.Descendant = descendant
		path.Steps = append(path.Steps, step)
		switch {
		case step.Axis == Attribute:
			return path
		case p.accept("//"):
			descendant = true
		case p.accept("/"):
			descendant = false
		default:
			return path
		}
	}
}

func (p *parser) step() Step {
	p.space()
	step := Step{Column: p.pos + 1}
	switch {
	case p.accept(".."):
		step.Axis, step.Name = Parent, ".."
	case p.accept("."):
		step.Axis, step.Name = Self, "."
	case p.accept("*"):
		step.Name = "*"
	case p.accept("@"):
		step.Axis, step.Name = Attribute, p.name()
	default:
		step.Name = p.name()
	}
	for p.accept("[") {
		step.Predicates = append(step.Predicates, p.or())
		p.expect("]")
	}
	return step
}

func (p *parser) name() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && (isNameByte(p.text[p.pos]) || p.text[p.pos] == ':') {
		p.pos++
	}
	if p.pos > start && p.text[p.pos-1] == ':' && p.peek("*") { // prefix:*
		p.pos++
	}
	name := p.text[start:p.pos]
	switch {
	case name == "" || !isNameStart(name[0]):
		p.pos = start
		p.fail(start+1, "expected a name, found %q", p.rest())
	case strings.Contains(name, "::"):
		p.fail(start+1, "axes such as %q are not supported, only /, //, .., . and @", name)
	}
	return name
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isNameByte(c byte) bool {
	return isNameStart(c) || c >= '0' && c <= '9' || c == '-' || c == '.'
}

func (p *parser) or() Expr {
	left := p.and()
	for p.keyword("or") {
		left = Expr{Op: Or, Args: []Expr{left, p.and()}, Column: left.Column}
	}
	return left
}

func (p *parser) and() Expr {
	left := p.comparison()
	for p.keyword("and") {
		left = Expr{Op: And, Args: []Expr{left, p.comparison()}, Column: left.Column}
	}
	return left
}

func (p *parser) comparison() Expr {
	left := p.operand()
	for _, op := range []Op{NotEqual, LessOrEqual, GreaterOrEqual, Equal, Less, Greater} {
		if p.accept(string(op)) {
			return Expr{Op: op, Args: []Expr{left, p.operand()}, Column: left.Column}
		}
	}
	return left
}

// operand reads what operators join. Everything that nests passes here.
func (p *parser) operand() Expr {
	p.space()
	column := p.pos + 1
	if p.depth++; p.depth > maxDepth {
		p.fail(column, "more than %d levels of parentheses and predicates", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.pos == len(p.text) {
		p.fail(column, "the context ends inside a predicate")
		return Expr{}
	}
	switch c := p.text[p.pos]; {
	case c == '(':
		p.pos++
		inner := p.or()
		p.expect(")")
		return inner
	case c == '\'' || c == '"':
		return Expr{Op: Literal, Value: p.literal(c), Column: column}
	case c >= '0' && c <= '9':
		return Expr{Op: Number, Value: p.number(), Column: column}
	}
	if name, ok := p.functionName(); ok {
		return p.call(name, column)
	}
	return Expr{Op: Path, Path: p.path(), Column: column}
}

func (p *parser) literal(quote byte) string {
	start := p.pos + 1
	length := strings.IndexByte(p.text[start:], quote)
	if length < 0 {
		p.fail(p.pos+1, "the text %s has no closing quote", p.rest())
		return ""
	}
	p.pos = start + length + 1
	return p.text[start : start+length]
}

func (p *parser) number() string {
	start := p.pos
	for p.pos < len(p.text) && (p.text[p.pos] >= '0' && p.text[p.pos] <= '9' || p.text[p.pos] == '.') {
		p.pos++
	}
	return p.text[start:p.pos]
}

func (p *parser) functionName() (string, bool) {
	end := p.pos
	for end < len(p.text) && isNameByte(p.text[end]) {
		end++
	}
	if end == p.pos || end == len(p.text) || p.text[end] != '(' {
		return "", false
	}
	return p.text[p.pos:end], true
}

func (p *parser) call(name string, column int) Expr {
	arity, known := functions[name]
	if !known {
		p.fail(column, "unknown function %s; decisions belong into the CEL assertion", name)
		return Expr{}
	}
	p.pos += len(name) + 1
	e := Expr{Op: Call, Name: name, Column: column}
	for p.err == nil && !p.accept(")") {
		if len(e.Args) > 0 {
			p.expect(",")
		}
		e.Args = append(e.Args, p.or())
	}
	if len(e.Args) < arity[0] || len(e.Args) > arity[1] {
		p.fail(column, "%s takes %d to %d arguments", name, arity[0], arity[1])
	}
	return e
}
