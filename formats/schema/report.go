package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"einvoice/formats/xmlparse"
	"einvoice/model/source"
)

// Everything here runs only where a document is wrong.

func (c *checker) fail(f Fault) { c.faults = append(c.faults, f) }

// spell is the name of an element as messages have it.
func (c *checker) spell(n source.Node) string { return c.tree.NameOf(c.tree.Name(n)).String() }

func (c *checker) spellAttr(a source.Attr) string {
	return "@" + c.tree.NameOf(c.tree.Attributes[a].Name).String()
}

func (c *checker) failRoot(root source.Node) {
	var expected []string
	for _, e := range c.schema.globals {
		if e != nil {
			expected = append(expected, e.name.String())
		}
	}
	c.fail(Fault{
		Rule: RuleRoot, Ref: root.Ref(), Name: c.spell(root), Expected: expected,
		Message: fmt.Sprintf("The root element is %s; expected %s.", c.spell(root), anyOf(expected)),
	})
}

// failChild reports an element that may not stand where it does. It gives the
// position in the model that the element is checked by all the same, or -1 if
// there is none.
func (c *checker) failChild(f *frame, n source.Node, name source.Name) int {
	m := f.facts.model
	at := -1
	if m.plain() {
		// An element that would be allowed further on: what is between is missing.
		if at = slices.Index(m.names[min(f.state, len(m.names)):], name); at >= 0 {
			at += f.state
			c.failSkipped(f, n, at)
			f.state = at + 1
			return at
		}
	}
	fault := Fault{Ref: n.Ref(), Parent: f.node, Name: c.spell(n), Expected: m.expected(f.state)}
	at = slices.Index(m.names, name)
	switch {
	case at < 0 || !m.plain():
		fault.Rule = RuleUnexpected
		fault.Message = fmt.Sprintf("%s is not expected here in %s; expected %s.", fault.Name, c.spell(f.node), m.orEnd(f.state))
	case c.count(f.node, n) >= m.most(at):
		fault.Rule = RuleRepeated
		fault.Message = fmt.Sprintf("%s occurs more than %s in %s; expected %s.", fault.Name, times(m.most(at)), c.spell(f.node), m.orEnd(f.state))
	default:
		fault.Rule = RuleOrder
		fault.Message = fmt.Sprintf("%s must stand before %s in %s.", fault.Name, c.spell(c.follower(f, n, at)), c.spell(f.node))
	}
	c.fail(fault)
	return at
}

// failSkipped reports the elements that are required between the state and a
// position, if they are missing and do not just stand further down.
func (c *checker) failSkipped(f *frame, n source.Node, at int) {
	m := f.facts.model
	for state := f.state; ; {
		s := m.states[state]
		if s.final || int(s.to) > at {
			return
		}
		wanted := int(s.to) - 1 // the required one that ends the span
		// What does stand further down is reported there, as out of order.
		if slices.Contains(m.names[at:], m.names[wanted]) || !c.comesLater(n, m.names[wanted]) {
			name := m.label(wanted)
			c.fail(Fault{
				Rule: RuleMissing, Ref: n.Ref(), Parent: f.node, Name: name, Expected: m.expected(state),
				Message: fmt.Sprintf("%s is missing in %s, before %s.", name, c.spell(f.node), c.spell(n)),
			})
		}
		state = wanted + 1
	}
}

// failIncomplete reports an element that ends before all is there.
func (c *checker) failIncomplete(n source.Node, m *model, state int) {
	for {
		s := m.states[state]
		expected := m.expected(state)
		name := anyOf(expected)
		if m.plain() {
			name = m.label(int(s.to) - 1) // the required one that ends the span
		}
		c.fail(Fault{
			Rule: RuleMissing, Ref: n.Ref(), Parent: n, Name: name, Expected: expected,
			Message: fmt.Sprintf("%s is missing in %s.", name, c.spell(n)),
		})
		if state = int(s.to); !m.plain() || m.states[state].final {
			return
		}
	}
}

// comesLater reports whether a sibling behind n has a name.
func (c *checker) comesLater(n source.Node, name source.Name) bool {
	for n = c.tree.NextSibling(n); n != 0; n = c.tree.NextSibling(n) {
		if c.name(c.tree.Name(n)) == name {
			return true
		}
	}
	return false
}

// count gives how many elements of n's name precede it in its parent.
func (c *checker) count(parent, n source.Node) int {
	count := 0
	for child := range c.tree.Children(parent) {
		if child == n {
			break
		}
		if c.tree.Name(child) == c.tree.Name(n) {
			count++
		}
	}
	return count
}

// follower is the first child that must come behind the position of n.
func (c *checker) follower(f *frame, n source.Node, at int) source.Node {
	for child := range c.tree.Children(f.node) {
		if i := slices.Index(f.facts.model.names, c.name(c.tree.Name(child))); i > at {
			return child
		}
	}
	return n
}

func (c *checker) failUndeclared(f *frame, n source.Node) {
	c.fail(Fault{
		Rule: RuleUnexpected, Ref: n.Ref(), Parent: f.node, Name: c.spell(n),
		Message: fmt.Sprintf("%s is not known; %s holds only elements of the schema.", c.spell(n), c.spell(f.node)),
	})
}

// failElements reports child elements where none may be.
func (c *checker) failElements(n source.Node, f *facts) {
	child := n + 1
	what := "nothing"
	if f.text != nil {
		what = f.text.wanted()
	}
	c.fail(Fault{
		Rule: RuleContent, Ref: child.Ref(), Parent: n, Name: c.spell(child), Expected: []string{what},
		Message: fmt.Sprintf("%s holds the element %s; expected %s.", c.spell(n), c.spell(child), what),
	})
}

// failText reports text where only elements may be, or nothing.
func (c *checker) failText(n source.Node, f *facts) {
	what := "only elements"
	if f.model == nil {
		what = "nothing, not even white space"
	}
	text := c.tree.Text(n)
	if trimmed := trim(text); trimmed != "" {
		text = trimmed
	}
	c.fail(Fault{
		Rule: RuleContent, Ref: n.Ref(), Parent: n, Name: c.spell(n), Expected: []string{what},
		Message: fmt.Sprintf("%s holds the text %s; expected %s.", c.spell(n), xmlparse.Quote(text), what),
	})
}

func (c *checker) failValue(r source.Ref, n source.Node, value string, s *simple) {
	name := c.spell(n)
	if r < 0 {
		name = c.spellAttr(source.Attr(-1 - r))
	}
	c.fail(Fault{
		Rule: RuleValue, Ref: r, Parent: n, Name: name, Expected: []string{s.wanted()},
		Message: fmt.Sprintf("%s is %s; expected %s.", name, xmlparse.Quote(value), s.wanted()),
	})
}

func (c *checker) failFixed(a source.Attr, fixed string) {
	c.fail(Fault{
		Rule: RuleValue, Ref: a.Ref(), Parent: c.tree.Attributes[a].Owner, Name: c.spellAttr(a), Expected: []string{fixed},
		Message: fmt.Sprintf("%s is %s; expected %q, or no such attribute.", c.spellAttr(a), xmlparse.Quote(c.tree.Attributes[a].Value), fixed),
	})
}

func (c *checker) failID(r source.Ref, n source.Node, id string) {
	c.fail(Fault{
		Rule: RuleID, Ref: r, Parent: n, Name: c.spell(n),
		Message: fmt.Sprintf("The identifier %s occurs twice; expected a different one on each element.", xmlparse.Quote(id)),
	})
}

// failAttribute reports an attribute that may not stand where it does.
func (c *checker) failAttribute(a source.Attr, f *facts) {
	var expected []string
	for _, d := range f.attrs {
		expected = append(expected, "@"+d.name.String())
	}
	n := c.tree.Attributes[a].Owner
	c.fail(Fault{
		Rule: RuleAttribute, Ref: a.Ref(), Parent: n, Name: c.spellAttr(a), Expected: expected,
		Message: fmt.Sprintf("%s is not expected on %s; expected %s.", c.spellAttr(a), c.spell(n), anyOf(expected)),
	})
}

// failAttributes reports attributes that are missing.
func (c *checker) failAttributes(n source.Node, f *facts) {
	for _, d := range f.attrs {
		if !d.required || slices.ContainsFunc(c.tree.AttrsOf(n), func(a source.Attribute) bool { return c.name(a.Name) == d.name }) {
			continue
		}
		name := "@" + d.name.String()
		c.fail(Fault{
			Rule: RuleAttribute, Ref: n.Ref(), Parent: n, Name: name, Expected: []string{name},
			Message: fmt.Sprintf("%s is missing on %s.", name, c.spell(n)),
		})
	}
}

func (c *checker) failType(a source.Attr, why string, declared *typ) {
	c.fail(Fault{
		Rule: RuleType, Ref: a.Ref(), Parent: c.tree.Attributes[a].Owner, Name: c.spellAttr(a), Expected: []string{declared.name},
		Message: fmt.Sprintf("The type %s %s; expected %s or none.", xmlparse.Quote(c.tree.Attributes[a].Value), why, declared.name),
	})
}

func (c *checker) failAbstract(n source.Node, t *typ) {
	c.fail(Fault{
		Rule: RuleType, Ref: n.Ref(), Parent: n, Name: c.spell(n),
		Message: fmt.Sprintf("%s has the abstract type %s; expected one derived from it.", c.spell(n), t.name),
	})
}

func (c *checker) failNil(a source.Attr, n source.Node) {
	c.fail(Fault{
		Rule: RuleNil, Ref: a.Ref(), Parent: n, Name: c.spellAttr(a),
		Message: fmt.Sprintf("%s can not be nil; expected a value and no %s.", c.spell(n), c.spellAttr(a)),
	})
}

// label is what may stand at a position.
func (m *model) label(at int) string {
	switch {
	case m.elements[at] != nil:
		return m.elements[at].name.String()
	case m.wildcards[at].except != "":
		return "an element of another namespace"
	}
	return "any element"
}

// expected are the names of what may come next.
func (m *model) expected(state int) []string {
	var out []string
	s := m.states[state]
	for i := s.from; i < s.to; i++ {
		if name := m.label(m.position(i)); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// orEnd describes what may come next.
func (m *model) orEnd(state int) string {
	expected := m.expected(state)
	switch {
	case len(expected) == 0:
		return "no further element"
	case m.states[state].final:
		return anyOf(expected) + ", or no further element"
	}
	return anyOf(expected)
}

// most gives how often the element at a position of a plain model may occur.
func (m *model) most(at int) int {
	most := 0
	for i, name := range m.names {
		if name != m.names[at] {
			continue
		}
		if int(m.states[i+1].from) == i { // it may follow itself
			return math.MaxInt
		}
		most++
	}
	return most
}

// anyOf lists names for a message, the first of many.
func anyOf(names []string) string {
	const few = 8
	switch {
	case len(names) == 0:
		return "none"
	case len(names) == 1:
		return names[0]
	case len(names) > few:
		return fmt.Sprintf("one of %s, ... (%d more)", strings.Join(names[:few], ", "), len(names)-few)
	}
	return "one of " + strings.Join(names, ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// occurs writes a range as the data does.
func occurs(low, high int) string {
	if low == high {
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d..%d", low, high)
}
