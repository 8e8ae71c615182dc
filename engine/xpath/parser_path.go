package xpath

import "strings"

func (p *parser) locationPath() LocationPath {
	start := p.token.start
	var path LocationPath
	switch {
	case p.accept(tokenOperator, "//"):
		path.Absolute = true
		path.Steps = p.steps(true)
	case p.accept(tokenOperator, "/"):
		path.Absolute = true
		if p.atStep() {
			path.Steps = p.steps(false)
		}
	default:
		path.Steps = p.steps(false)
	}
	path.Text = p.since(start)
	return path
}

// atStep reports whether a step can begin at the next token.
func (p *parser) atStep() bool {
	switch p.token.kind {
	case tokenName, tokenAxis:
		return true
	case tokenFunction:
		return nodeTypes[p.token.text]
	case tokenSymbol:
		return p.token.text == "." || p.token.text == ".." || p.token.text == "@"
	}
	return false
}

func (p *parser) steps(afterDouble bool) []Step {
	var steps []Step
	for {
		step := p.step()
		step.Descendant = afterDouble
		steps = append(steps, step)
		switch {
		case p.accept(tokenOperator, "//"):
			afterDouble = true
		case p.accept(tokenOperator, "/"):
			afterDouble = false
		default:
			return steps
		}
	}
}

func (p *parser) step() Step {
	step := Step{Axis: Child, Name: anyNode, Column: p.token.column}
	switch {
	case p.accept(tokenSymbol, ".."):
		step.Axis = Parent
		p.refusePredicate("..", "parent::*")
		return step
	case p.accept(tokenSymbol, "."):
		step.Axis = Self
		p.refusePredicate(".", "self::*")
		return step
	case p.accept(tokenSymbol, "@"):
		step.Axis = Attribute
	case p.token.kind == tokenAxis:
		step.Axis = p.axis()
	}
	step.Name = p.nodeTest()
	step.Predicates = p.predicates()
	return step
}

// refusePredicate refuses a predicate after "." or "..", which XPath 2.0 has.
func (p *parser) refusePredicate(after, instead string) {
	if p.at(tokenSymbol, "[") {
		p.fail(p.token.column, "%s has no predicate in XPath 1.0: write %s[...]", after, instead)
	}
}

func (p *parser) axis() Axis {
	name := p.advance()
	p.accept(tokenSymbol, "::")
	for _, known := range axes {
		if name.text == string(known) {
			return known
		}
	}
	p.fail(name.column, "unknown axis %s", name.text)
	return ""
}

func (p *parser) predicates() []Expr {
	var out []Expr
	for p.accept(tokenSymbol, "[") {
		out = append(out, p.or())
		p.expect("]")
	}
	return out
}

// nodeTypes are the node tests that look like functions.
var nodeTypes = map[string]bool{"node": true, "text": true, "comment": true, "processing-instruction": true}

func (p *parser) nodeTest() string {
	switch {
	case p.token.kind == tokenFunction && nodeTypes[p.token.text]:
		start := p.advance().start
		p.expect("(")
		if p.token.kind == tokenLiteral && strings.HasPrefix(p.lexer.text[start:], "processing-instruction") {
			p.advance()
		}
		p.expect(")")
		return strings.Join(strings.Fields(p.since(start)), "")
	case p.token.kind == tokenName:
		return p.advance().text
	case p.token.kind == tokenEnd:
		p.fail(p.token.column, "expected a name, and the expression ends")
	case p.token.kind == tokenFunction:
		p.fail(p.token.column, "a function as a step is XPath 2.0: for a/string() write string(a)")
	default:
		p.fail(p.token.column, "expected a name, found %s%s", excerpt(p.lexer.text[p.token.start:]), inXPath(p.lexer.text[p.token.start:]))
	}
	return ""
}

// inXPath says what an operator of other languages is in XPath; "" for anything else.
func inXPath(text string) string {
	switch {
	case strings.HasPrefix(text, "="):
		return ": for equal write a = b"
	case strings.HasPrefix(text, "&"):
		return ": for both write a and b"
	case strings.HasPrefix(text, "|"):
		return ": for either write a or b"
	}
	return ""
}
