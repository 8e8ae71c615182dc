package schema

import (
	"fmt"
	"slices"

	"einvoice/model/source"
)

// The functions that report faults run only if a document is wrong, so they need not
// be fast.

func (c *checker) fail(f Fault) { c.faults = append(c.faults, f) }

// spell is the name of an element for messages.
func (c *checker) spell(n source.Node) string { return c.tree.Spell(c.tree.Name(n)) }

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
		Rule: RuleRoot, Constraints: []string{cvcRoot}, Ref: root.Ref(), Name: c.spell(root), Expected: expected,
		Message: fmt.Sprintf("The root element is %s; expected %s.", c.spell(root), anyOf(expected)),
	})
}

// failChild reports an element that is not allowed where it is. It returns the
// position in the content model by which the element is checked nevertheless, or -1
// if there is none.
func (c *checker) failChild(f *openElement, n source.Node, name source.Name) int {
	m := f.content
	at := -1
	if m.plain() {
		// The element is allowed later: what should come before it is missing.
		if at = slices.Index(m.names[min(f.state, len(m.names)):], name); at >= 0 {
			at += f.state
			c.failSkipped(f, n, at)
			f.state = at + 1
			return at
		}
	}
	fault := Fault{Ref: n.Ref(), Parent: f.node, Name: c.spell(n), Expected: m.expected(f.state)}
	constraint := cvcUnexpected
	if len(fault.Expected) == 0 {
		constraint = cvcNoMore
	}
	fault.Constraints = c.contentConstraint(f.node, constraint)
	at = slices.Index(m.names, name)
	switch {
	case at < 0 || !m.plain():
		fault.Rule = RuleUnexpected
		fault.Message = fmt.Sprintf("%s is not expected here in %s; expected %s.", fault.Name, c.spell(f.node), m.expectedText(f.state))
	case c.count(f.node, n) >= m.maxOccurs(at):
		fault.Rule = RuleRepeated
		fault.Message = fmt.Sprintf("%s occurs more than %s in %s; expected %s.", fault.Name, times(m.maxOccurs(at)), c.spell(f.node), m.expectedText(f.state))
	default:
		fault.Rule = RuleOrder
		fault.Message = fmt.Sprintf("%s must come before %s in %s.", fault.Name, c.spell(c.follower(f, n, at)), c.spell(f.node))
	}
	c.fail(fault)
	return at
}

// failSkipped reports the elements that are required between the state and a position
// and are missing. Those that come later are not missing.
func (c *checker) failSkipped(f *openElement, n source.Node, at int) {
	m := f.content
	for state := f.state; ; {
		s := m.states[state]
		if s.final || int(s.to) > at {
			return
		}
		wanted := int(s.to) - 1 // the required position that ends the range
		// An element that comes later is reported there, as out of order.
		if slices.Contains(m.names[at:], m.names[wanted]) || !c.comesLater(n, m.names[wanted]) {
			name := m.label(wanted)
			c.fail(Fault{
				Rule: RuleMissing, Constraints: c.contentConstraint(f.node, cvcUnexpected), Ref: n.Ref(), Parent: f.node, Name: name, Expected: m.expected(state),
				Message: fmt.Sprintf("%s is missing in %s, before %s.", name, c.spell(f.node), c.spell(n)),
			})
		}
		state = wanted + 1
	}
}

// failIncomplete reports an element whose content ends too early.
func (c *checker) failIncomplete(n source.Node, m *contentModel, state int) {
	for {
		s := m.states[state]
		expected := m.expected(state)
		name := anyOf(expected)
		if m.plain() {
			name = m.label(int(s.to) - 1) // the required position that ends the range
		}
		c.fail(Fault{
			Rule: RuleMissing, Constraints: c.contentConstraint(n, cvcIncomplete), Ref: n.Ref(), Parent: n, Name: name, Expected: expected,
			Message: fmt.Sprintf("%s is missing in %s.", name, c.spell(n)),
		})
		if state = int(s.to); !m.plain() || m.states[state].final {
			return
		}
	}
}

// comesLater reports whether a sibling after n has a name.
func (c *checker) comesLater(n source.Node, name source.Name) bool {
	for n = c.tree.NextSibling(n); n != 0; n = c.tree.NextSibling(n) {
		if c.name(c.tree.Name(n)) == name {
			return true
		}
	}
	return false
}

// count is how many siblings before n have its name.
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

// follower is the first child that must come after the position of n.
func (c *checker) follower(f *openElement, n source.Node, at int) source.Node {
	for child := range c.tree.Children(f.node) {
		if i := slices.Index(f.content.names, c.name(c.tree.Name(child))); i > at {
			return child
		}
	}
	return n
}

func (c *checker) failUndeclared(f *openElement, n source.Node) {
	c.fail(Fault{
		Rule: RuleUnexpected, Constraints: []string{cvcUndeclared}, Ref: n.Ref(), Parent: f.node, Name: c.spell(n),
		Message: fmt.Sprintf("%s is not known; %s holds only elements of the schema.", c.spell(n), c.spell(f.node)),
	})
}
