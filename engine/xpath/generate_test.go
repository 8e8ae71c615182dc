package xpath_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"einvoice/model"
)

// A generator makes documents and expressions of the grammar that rules may use,
// over a small vocabulary, so that expressions often select something.
type generator struct {
	*rand.Rand
	names      []string // of elements, groups and terms
	attributes []string
	within     *model.Type // the type of the group that a path begins at, over the model
}

func newGenerator(seed uint64) *generator {
	return &generator{
		Rand:       rand.New(rand.NewPCG(seed, 1)),
		names:      []string{"cac:A", "cac:B", "cbc:C", "cbc:D"},
		attributes: []string{"x", "y"},
	}
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) name() string { return g.pick(g.names...) }

// values are texts whose conversions differ. "+1" and "1e1" are not among them:
// antchfx/xpath takes them for numbers, which XPath 1.0 does not.
var values = []string{"", "0", "1", "2", "10", "1.50", "-1", ".5", "2.", " 2 ", "a", "b", "A b", " a  b ", "true", "é", "ß", "NaN"}

func (g *generator) value() string { return g.pick(values...) }

// document writes a document without white space between tags, which source
// trees do not keep.
func (g *generator) document() string {
	var b strings.Builder
	b.WriteString(`<cac:A xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`)
	g.content(&b, 4)
	b.WriteString("</cac:A>")
	return b.String()
}

func (g *generator) content(b *strings.Builder, depth int) {
	if depth == 0 || g.IntN(4) == 0 {
		b.WriteString(g.value())
		return
	}
	for range g.IntN(4) {
		name := g.name()
		fmt.Fprintf(b, "<%s", name)
		for _, a := range g.attributes {
			if g.IntN(3) == 0 {
				fmt.Fprintf(b, ` %s="%s"`, a, g.value())
			}
		}
		b.WriteString(">")
		g.content(b, depth-1)
		fmt.Fprintf(b, "</%s>", name)
	}
}

// nodeTest is a name, or a wildcard now and then.
func (g *generator) nodeTest() string {
	switch g.IntN(8) {
	case 0:
		return "*"
	case 1:
		return g.pick("cac:*", "cbc:*")
	}
	return g.name()
}

// context is the context of a rule: paths down from the root.
func (g *generator) context() string {
	paths := []string{g.down()}
	for g.IntN(4) == 0 {
		paths = append(paths, g.down())
	}
	return strings.Join(paths, " | ")
}

func (g *generator) down() string {
	var b strings.Builder
	if g.IntN(2) == 0 {
		b.WriteString("/" + g.pick("cac:A", "*", "cac:*") + g.predicates(2))
	} else {
		b.WriteString("//" + g.nodeTest() + g.predicates(2))
	}
	for range g.IntN(3) {
		b.WriteString(g.pick("/", "/", "//") + g.nodeTest() + g.predicates(2))
	}
	return b.String()
}

func (g *generator) predicates(depth int) string {
	var b strings.Builder
	for g.IntN(3) == 0 && depth > 0 {
		b.WriteString("[" + g.predicate(depth-1) + "]")
	}
	return b.String()
}

func (g *generator) predicate(depth int) string {
	switch g.IntN(6) {
	case 0:
		return g.position()
	case 1:
		return g.path(depth)
	case 2:
		return g.pick(g.text(depth), g.number(depth))
	}
	return g.condition(depth)
}

// position is a predicate about the position.
func (g *generator) position() string {
	return g.pick("1", "2", "last()", "position() = 2", "position() < 3", "position() = last()", "position() != last()", "not(position() = 1)")
}

func (g *generator) condition(depth int) string {
	if depth <= 0 {
		return g.path(0)
	}
	switch g.IntN(8) {
	case 0:
		return g.condition(depth-1) + " and " + g.condition(depth-1)
	case 1:
		return "(" + g.condition(depth-1) + " or " + g.condition(depth-1) + ")"
	case 2:
		return "not(" + g.pick(g.condition(depth-1), g.path(depth-1)) + ")"
	case 3:
		return g.path(depth-1) + " " + g.pick("=", "!=") + " " + g.literal()
	case 4:
		return g.path(depth-1) + " " + g.operator() + " " + g.path(depth-1)
	}
	switch g.IntN(4) {
	case 0:
		return g.pick("starts-with", "contains") + "(" + g.any(depth-1) + ", " + g.any(depth-1) + ")"
	case 1:
		return "boolean(" + g.any(depth-1) + ")"
	}
	for {
		a, b := g.any(depth-1), g.any(depth-1)
		if constant(a) != constant(b) || !constant(a) { // refused: a path compared with true()
			return a + " " + g.operator() + " " + b
		}
	}
}

func constant(s string) bool { return s == "true()" || s == "false()" }

func (g *generator) operator() string { return g.pick("=", "!=", "<", "<=", ">", ">=") }

func (g *generator) literal() string { return "'" + g.value() + "'" }

// any is an expression of any kind.
func (g *generator) any(depth int) string {
	switch g.IntN(5) {
	case 0:
		return g.literal()
	case 1:
		return g.number(depth)
	case 2:
		return g.text(depth)
	case 3:
		return "boolean(" + g.path(depth) + ")"
	}
	return g.path(depth)
}

func (g *generator) number(depth int) string {
	if depth <= 0 {
		return g.pick("0", "1", "2", "1.5", ".5", "-1", "10")
	}
	switch g.IntN(5) {
	case 0:
		return "count(" + g.path(depth-1) + ")"
	case 1:
		return "sum(" + g.path(depth-1) + ")"
	case 2:
		return "string-length(" + g.any(depth-1) + ")"
	case 3:
		return g.pick("floor", "ceiling", "round") + "(" + g.any(depth-1) + ")"
	}
	return g.pick("number(", "-number(") + g.any(depth-1) + ")"
}

func (g *generator) text(depth int) string {
	if depth <= 0 {
		return g.pick("string()", "normalize-space()", "local-name()", g.literal())
	}
	a, b := g.any(depth-1), g.any(depth-1)
	switch g.IntN(7) {
	case 0:
		return "normalize-space(" + a + ")"
	case 1:
		return "concat(" + a + ", " + b + ")"
	case 2:
		return g.pick("substring-before(", "substring-after(") + a + ", " + b + ")"
	case 3:
		return "substring(" + a + ", " + g.number(depth-1) + g.pick("", ", "+g.number(0)) + ")"
	case 4:
		return "translate(" + a + ", " + b + ", " + g.literal() + ")"
	case 5:
		return "local-name(" + g.path(depth-1) + ")"
	}
	return "string(" + a + ")"
}

// path is a path from a node, or now and then from the root or of several.
func (g *generator) path(depth int) string {
	if g.within != nil {
		return g.modelPath(depth)
	}
	switch g.IntN(14) {
	case 0:
		return "."
	case 1:
		return ".."
	case 2:
		return "@" + g.pick("x", "y", "*")
	case 3:
		return g.down()
	case 4:
		if depth > 0 {
			return "(" + g.path(depth-1) + " | " + g.path(depth-1) + ")"
		}
	}
	var b strings.Builder
	b.WriteString(g.pick("", "", "", "", ".//", "../", "../../", "self::", "parent::", "ancestor::", "following-sibling::", "preceding-sibling::") + g.nodeTest() + g.predicates(depth))
	for range g.IntN(3) {
		b.WriteString(g.pick("/", "/", "//", "/../", "/parent::", "/self::", "/ancestor::", "/following-sibling::", "/preceding-sibling::") + g.nodeTest() + g.predicates(depth))
	}
	if g.IntN(5) == 0 {
		b.WriteString(g.pick("/@x", "//@x", "/@*", "/..", "/."))
	}
	return b.String()
}
