package engine

import (
	"fmt"
	"strings"
)

// The grammar of contexts, a subset of XPath 1.0. antchfx/xpath, which runs what
// has no shorter way, accepts much that it then misreads (`for`, `some`, `eq`,
// trailing text), so everything is parsed here first.
//
//	Context    = Path { "|" Path }
//	Path       = [ "/" | "//" ] Step { ("/" | "//") Step }
//	Step       = ( Name | prefix ":*" | "*" | "." | ".." | "@" Name ) { "[" Or "]" }
//	Or         = And { "or" And }
//	And        = Comparison { "and" Comparison }
//	Comparison = Operand [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) Operand ]
//	Operand    = "(" Or ")" | Literal | Number | Function "(" [ Or { "," Or } ] ")" | Path

// An xpath is a parsed context or path.
type xpath struct {
	text  string
	paths []xpathPath
}

type xpathPath struct {
	text     string
	absolute bool
	steps    []xpathStep
}

type xpathStep struct {
	descendant bool   // reached by // rather than /
	name       string // "cbc:ID", "lines", "*", "." or ".."
	attribute  bool
	predicates []xpathExpr
	column     int // in the text, from 1
}

// An xpathExpr is a predicate or a part of one.
type xpathExpr struct {
	op     string // "or", "and", a comparison, "literal", "number", "call" or "path"
	name   string // of the function
	value  string // of a literal or number
	args   []xpathExpr
	path   xpathPath
	column int
}

// xpathFunctions may be called, with so many arguments.
var xpathFunctions = map[string][2]int{
	"not": {1, 1}, "normalize-space": {0, 1}, "string-length": {0, 1}, "count": {1, 1}, "starts-with": {2, 2},
	"ends-with": {2, 2}, "contains": {2, 2}, "name": {0, 0}, "upper-case": {1, 1}, "number": {0, 1}, "string": {0, 1}, "true": {0, 0}, "false": {0, 0},
}

// An xpathError is a mistake in a context; column counts from 1.
type xpathError struct {
	column  int
	message string
}

func (e *xpathError) Error() string { return e.message }

// parseXPath parses a context, which must be absolute, or a path relative to a node.
func parseXPath(text string, absolute bool) (x *xpath, err error) {
	p := &xpathParser{text: text}
	defer func() {
		if r := recover(); r != nil {
			failure, ok := r.(*xpathError)
			if !ok {
				panic(r)
			}
			x, err = nil, failure
		}
	}()
	x = &xpath{text: text}
	for {
		path := p.path()
		if absolute && !path.absolute {
			p.fail(path.steps[0].column, "a context begins with / at the root of the invoice or document")
		}
		x.paths = append(x.paths, path)
		if !p.accept("|") {
			break
		}
	}
	if p.space(); p.pos < len(p.text) {
		p.fail(p.pos+1, "unexpected %q: contexts are XPath 1.0 paths, decisions belong into the CEL assertion", rest(p.text[p.pos:]))
	}
	return x, nil
}

type xpathParser struct {
	text string
	pos  int
}

func (p *xpathParser) fail(column int, format string, args ...any) {
	panic(&xpathError{column: column, message: fmt.Sprintf(format, args...)})
}

func rest(s string) string {
	if len(s) > 20 {
		return s[:20] + "..."
	}
	return s
}

func (p *xpathParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *xpathParser) peek(token string) bool {
	p.space()
	return strings.HasPrefix(p.text[p.pos:], token)
}

func (p *xpathParser) accept(token string) bool {
	if !p.peek(token) {
		return false
	}
	p.pos += len(token)
	return true
}

func (p *xpathParser) expect(token string) {
	if !p.accept(token) {
		p.fail(p.pos+1, "expected %q, found %q", token, rest(p.text[p.pos:]))
	}
}

// keyword accepts "and" and "or", which must not be the start of a name.
func (p *xpathParser) keyword(word string) bool {
	if !p.peek(word) {
		return false
	}
	if end := p.pos + len(word); end < len(p.text) && isNameByte(p.text[end]) {
		return false
	}
	p.pos += len(word)
	return true
}

func (p *xpathParser) path() xpathPath {
	start := p.pos
	path := p.steps()
	path.text = p.text[start:p.pos]
	return path
}

func (p *xpathParser) steps() xpathPath {
	var path xpathPath
	descendant := false
	switch {
	case p.accept("//"):
		path.absolute, descendant = true, true
	case p.accept("/"):
		path.absolute = true
	}
	for {
		step := p.step()
		step.descendant = descendant
		path.steps = append(path.steps, step)
		switch {
		case step.attribute:
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

func (p *xpathParser) step() xpathStep {
	p.space()
	step := xpathStep{column: p.pos + 1}
	switch {
	case p.accept(".."):
		step.name = ".."
	case p.accept("."):
		step.name = "."
	case p.accept("*"):
		step.name = "*"
	default:
		step.attribute = p.accept("@")
		step.name = p.name()
	}
	for p.accept("[") {
		step.predicates = append(step.predicates, p.or())
		p.expect("]")
	}
	return step
}

func (p *xpathParser) name() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && (isNameByte(p.text[p.pos]) || p.text[p.pos] == ':') {
		p.pos++
	}
	if p.pos > start && p.text[p.pos-1] == ':' && p.peek("*") { // prefix:*
		p.pos++
	}
	name := p.text[start:p.pos]
	if name == "" || !isNameStart(name[0]) {
		p.fail(start+1, "expected a name, found %q", rest(p.text[start:]))
	}
	if strings.Contains(name, "::") {
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

func (p *xpathParser) or() xpathExpr {
	left := p.and()
	for p.keyword("or") {
		left = xpathExpr{op: "or", args: []xpathExpr{left, p.and()}, column: left.column}
	}
	return left
}

func (p *xpathParser) and() xpathExpr {
	left := p.comparison()
	for p.keyword("and") {
		left = xpathExpr{op: "and", args: []xpathExpr{left, p.comparison()}, column: left.column}
	}
	return left
}

func (p *xpathParser) comparison() xpathExpr {
	left := p.operand()
	for _, op := range []string{"!=", "<=", ">=", "=", "<", ">"} {
		if p.accept(op) {
			return xpathExpr{op: op, args: []xpathExpr{left, p.operand()}, column: left.column}
		}
	}
	return left
}

func (p *xpathParser) operand() xpathExpr {
	p.space()
	column := p.pos + 1
	if p.pos == len(p.text) {
		p.fail(column, "the context ends inside a predicate")
	}
	switch c := p.text[p.pos]; {
	case c == '(':
		p.pos++
		inner := p.or()
		p.expect(")")
		return inner
	case c == '\'' || c == '"':
		return xpathExpr{op: "literal", value: p.literal(c), column: column}
	case c >= '0' && c <= '9':
		return xpathExpr{op: "number", value: p.number(), column: column}
	}
	if name, ok := p.functionName(); ok {
		return p.call(name, column)
	}
	return xpathExpr{op: "path", path: p.path(), column: column}
}

func (p *xpathParser) literal(quote byte) string {
	start := p.pos + 1
	end := strings.IndexByte(p.text[start:], quote)
	if end < 0 {
		p.fail(p.pos+1, "the text %s has no closing quote", rest(p.text[p.pos:]))
	}
	p.pos = start + end + 1
	return p.text[start : start+end]
}

func (p *xpathParser) number() string {
	start := p.pos
	for p.pos < len(p.text) && (p.text[p.pos] >= '0' && p.text[p.pos] <= '9' || p.text[p.pos] == '.') {
		p.pos++
	}
	return p.text[start:p.pos]
}

func (p *xpathParser) functionName() (string, bool) {
	end := p.pos
	for end < len(p.text) && isNameByte(p.text[end]) {
		end++
	}
	if end == p.pos || end == len(p.text) || p.text[end] != '(' {
		return "", false
	}
	return p.text[p.pos:end], true
}

func (p *xpathParser) call(name string, column int) xpathExpr {
	arity, known := xpathFunctions[name]
	if !known {
		p.fail(column, "unknown function %s; decisions belong into the CEL assertion", name)
	}
	p.pos += len(name) + 1
	e := xpathExpr{op: "call", name: name, column: column}
	for !p.accept(")") {
		if len(e.args) > 0 {
			p.expect(",")
		}
		e.args = append(e.args, p.or())
	}
	if len(e.args) < arity[0] || len(e.args) > arity[1] {
		p.fail(column, "%s takes %d to %d arguments", name, arity[0], arity[1])
	}
	return e
}
