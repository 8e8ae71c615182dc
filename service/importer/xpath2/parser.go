package xpath2

import (
	"fmt"
	"strings"
)

const (
	longest = 200_000 // bytes of an expression
	deepest = 200     // nested parentheses and predicates
)

// Parse reads an expression, or the pattern of a template, which is one of paths.
func Parse(text string) (n *Node, err error) {
	if len(text) > longest {
		return nil, &Error{1, fmt.Sprintf("the expression has more than %d bytes", longest)}
	}
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: all}
	defer func() {
		if r := recover(); r != nil {
			mistake, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			n, err = nil, mistake
		}
	}()
	n = p.expression()
	if !p.is(end, "") {
		p.fail("unexpected %s", p.at().text)
	}
	return n, nil
}

type parser struct {
	tokens []token
	next   int
	depth  int
}

func (p *parser) at() token { return p.tokens[p.next] }

func (p *parser) after(i int) token { return p.tokens[min(p.next+i, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.at()
	if t.kind != end {
		p.next++
	}
	return t
}

func (p *parser) is(k kind, text string) bool {
	t := p.at()
	return t.kind == k && (text == "" || t.text == text)
}

func (p *parser) accept(k kind, text string) bool {
	if p.is(k, text) {
		p.next++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(symbol, text) && !p.accept(name, text) {
		found := p.at().text
		if p.at().kind == end {
			found = "the end"
		}
		p.fail("expected %s, found %s", text, found)
	}
}

func (p *parser) fail(format string, args ...any) {
	panic(&Error{p.at().column, fmt.Sprintf(format, args...)})
}

func (p *parser) node(op Op, args ...*Node) *Node {
	return &Node{Op: op, Args: args, Column: args[0].Column}
}

// expression is what commas join.
func (p *parser) expression() *Node {
	n := p.single()
	if !p.is(symbol, ",") {
		return n
	}
	n = p.node(Sequence, n)
	for p.accept(symbol, ",") {
		n.Args = append(n.Args, p.single())
	}
	return n
}

func (p *parser) single() *Node {
	if p.depth++; p.depth > deepest {
		p.fail("more than %d levels of parentheses", deepest)
	}
	defer func() { p.depth-- }()
	if t := p.at(); t.kind == name && p.after(1).kind == variable && (t.text == "some" || t.text == "every" || t.text == "for") {
		p.take()
		return p.loop(Op(t.text), t.column)
	}
	if t := p.at(); t.kind == name && t.text == "if" && p.after(1).text == "(" && p.after(1).kind == symbol {
		p.take()
		p.expect("(")
		n := &Node{Op: If, Column: t.column, Args: []*Node{p.expression()}}
		p.expect(")")
		p.expect("then")
		n.Args = append(n.Args, p.single())
		p.expect("else")
		n.Args = append(n.Args, p.single())
		return n
	}
	return p.or()
}

// loop reads the variables of a loop; several are loops in each other.
func (p *parser) loop(op Op, column int) *Node {
	n := &Node{Op: op, Column: column, Name: p.take().text}
	p.expect("in")
	n.Args = []*Node{p.single()}
	if p.accept(symbol, ",") {
		if !p.is(variable, "") {
			p.fail("expected a variable")
		}
		n.Args = append(n.Args, p.loop(op, p.at().column))
		return n
	}
	if op == For {
		p.expect("return")
	} else {
		p.expect("satisfies")
	}
	n.Args = append(n.Args, p.single())
	return n
}

func (p *parser) or() *Node {
	n := p.and()
	for p.accept(name, "or") {
		n = p.node(Or, n, p.and())
	}
	return n
}

func (p *parser) and() *Node {
	n := p.comparison()
	for p.accept(name, "and") {
		n = p.node(And, n, p.comparison())
	}
	return n
}

var comparisons = map[string]bool{"=": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}
var valueComparisons = map[string]bool{"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true}

func (p *parser) comparison() *Node {
	n := p.toRange()
	t := p.at()
	switch {
	case t.kind == symbol && comparisons[t.text], t.kind == name && valueComparisons[t.text]:
		p.take()
		n = p.node(Compare, n, p.toRange())
		n.Name = t.text
	case t.kind == name && t.text == "is", t.kind == symbol && (t.text == "<<" || t.text == ">>"):
		p.fail("nodes are compared by %s, which is not read", t.text)
	}
	return n
}

func (p *parser) toRange() *Node {
	n := p.additive()
	if p.accept(name, "to") {
		n = p.node(Range, n, p.additive())
	}
	return n
}

func (p *parser) additive() *Node {
	n := p.multiplicative()
	for p.is(symbol, "+") || p.is(symbol, "-") {
		op := p.take().text
		n = p.node(Arithmetic, n, p.multiplicative())
		n.Name = op
	}
	return n
}

func (p *parser) multiplicative() *Node {
	n := p.union()
	for p.is(symbol, "*") || p.is(name, "div") || p.is(name, "idiv") || p.is(name, "mod") {
		op := p.take().text
		n = p.node(Arithmetic, n, p.union())
		n.Name = op
	}
	return n
}

func (p *parser) union() *Node {
	n := p.cast()
	for p.is(symbol, "|") || p.is(name, "union") {
		p.take()
		if right := p.cast(); n.Op == Union {
			n.Args = append(n.Args, right)
		} else {
			n = p.node(Union, n, right)
		}
	}
	if p.is(name, "intersect") || p.is(name, "except") {
		p.fail("%s is not read", p.at().text)
	}
	return n
}

func (p *parser) cast() *Node {
	n := p.unary()
	for {
		t := p.at()
		if t.kind != name || p.after(1).kind != name {
			return n
		}
		op := Castable
		switch t.text + " " + p.after(1).text {
		case "castable as":
		case "cast as":
			op = Cast
		case "instance of", "treat as":
			p.fail("%s is not read", t.text)
		default:
			return n
		}
		p.take()
		p.take()
		n = p.node(op, n)
		n.Name = p.take().text
		p.accept(symbol, "?")
	}
}

func (p *parser) unary() *Node {
	t := p.at()
	if p.is(symbol, "-") || p.is(symbol, "+") {
		if p.depth++; p.depth > deepest {
			p.fail("more than %d signs and levels of parentheses", deepest)
		}
		defer func() { p.depth-- }()
	}
	if p.accept(symbol, "-") {
		return &Node{Op: Negative, Column: t.column, Args: []*Node{p.unary()}}
	}
	if p.accept(symbol, "+") {
		return p.unary()
	}
	return p.path()
}

func (p *parser) path() *Node {
	n := &Node{Op: Path, Column: p.at().column}
	descendant := false
	switch {
	case p.accept(symbol, "//"):
		n.Root, descendant = true, true
	case p.accept(symbol, "/"):
		n.Root = true
		if !p.atStep() {
			return n
		}
	}
	for {
		s := p.step()
		s.Descendant = descendant
		n.Steps = append(n.Steps, s)
		switch {
		case p.accept(symbol, "//"):
			descendant = true
		case p.accept(symbol, "/"):
			descendant = false
		default:
			return simplify(n)
		}
	}
}

// simplify is a path of one expression without predicates as that expression.
func simplify(n *Node) *Node {
	if len(n.Steps) == 1 && !n.Root && n.Steps[0].Expr != nil && len(n.Steps[0].Predicates) == 0 {
		return n.Steps[0].Expr
	}
	return n
}

func (p *parser) atStep() bool {
	t := p.at()
	return t.kind == name || t.kind == literal || t.kind == number || t.kind == variable ||
		t.kind == symbol && strings.Contains(" . .. @ * ( ", " "+t.text+" ")
}

var axes = map[string]bool{
	"child": true, "self": true, "parent": true, "attribute": true, "descendant": true, "descendant-or-self": true,
	"ancestor": true, "ancestor-or-self": true, "following": true, "following-sibling": true, "preceding": true, "preceding-sibling": true,
}

// kindTests are tests of the kind of a node, which look like functions.
var kindTests = map[string]bool{"node": true, "text": true, "element": true, "attribute": true, "comment": true, "processing-instruction": true, "document-node": true}

func (p *parser) step() *Step {
	t := p.at()
	s := &Step{Axis: "child", Column: t.column}
	switch {
	case p.accept(symbol, ".."):
		s.Axis, s.Test = "parent", "node()"
	case p.accept(symbol, "."):
		s.Axis, s.Test = "self", "node()"
	case p.accept(symbol, "@"):
		s.Axis = "attribute"
		s.Test = p.test()
	case t.kind == name && p.after(1).kind == symbol && p.after(1).text == "::":
		if !axes[t.text] {
			p.fail("unknown axis %s", t.text)
		}
		p.take()
		p.take()
		s.Axis = t.text
		s.Test = p.test()
	case t.kind == name && p.after(1).kind == symbol && p.after(1).text == "(" && !kindTests[t.text], t.kind != name && !p.is(symbol, "*"):
		s.Axis, s.Expr = "", p.primary()
	default:
		s.Test = p.test()
	}
	for p.accept(symbol, "[") {
		s.Predicates = append(s.Predicates, p.expression())
		p.expect("]")
	}
	return s
}

func (p *parser) test() string {
	t := p.take()
	switch {
	case t.kind == symbol && t.text == "*":
		return "*"
	case t.kind != name:
		p.next--
		p.fail("expected a name, found %s", t.text)
	case p.is(symbol, "(") && kindTests[t.text]:
		p.take()
		if !p.is(symbol, ")") {
			p.fail("%s() with an argument is not read", t.text)
		}
		p.take()
		return t.text + "()"
	}
	return t.text
}

func (p *parser) primary() *Node {
	t := p.take()
	n := &Node{Column: t.column, Text: t.text}
	switch {
	case t.kind == literal:
		n.Op = Text
	case t.kind == number:
		n.Op = Number
	case t.kind == variable:
		n.Op, n.Name, n.Text = Variable, t.text, ""
	case t.kind == symbol && t.text == "(":
		if p.accept(symbol, ")") {
			return &Node{Op: Sequence, Column: t.column}
		}
		n = p.expression()
		p.expect(")")
	case t.kind == name:
		n.Op, n.Name, n.Text = Call, strings.TrimPrefix(t.text, "fn:"), ""
		p.expect("(")
		for !p.accept(symbol, ")") {
			if len(n.Args) > 0 {
				p.expect(",")
			}
			n.Args = append(n.Args, p.single())
		}
	case t.kind == end:
		p.fail("the expression ends too early")
	default:
		p.next--
		p.fail("unexpected %s", t.text)
	}
	return n
}
