package schema

import (
	"fmt"
	"slices"

	"einvoice/model/quote"
	"einvoice/model/source"
)

// failElements reports child elements where none are allowed.
func (c *checker) failElements(n source.Node, f *definition) {
	child := n + 1
	what, constraint := "nothing", cvcEmpty
	if f.text != nil {
		what, constraint = f.text.wanted(), cvcSimpleContent
	}
	c.fail(Fault{
		Rule: RuleContent, Constraints: []string{constraint}, Ref: child.Ref(), Parent: n, Name: c.spell(child), Expected: []string{what},
		Message: fmt.Sprintf("%s holds the element %s; expected %s.", c.spell(n), c.spell(child), what),
	})
}

// failText reports text where only elements are allowed, or no content at all.
func (c *checker) failText(n source.Node, f *definition) {
	what, constraint := "only elements", cvcElementOnly
	if f.content == nil {
		what, constraint = "nothing, not even white space", cvcEmpty
	}
	text := c.tree.Text(n)
	if trimmed := trim(text); trimmed != "" {
		text = trimmed
	}
	c.fail(Fault{
		Rule: RuleContent, Constraints: []string{constraint}, Ref: n.Ref(), Parent: n, Name: c.spell(n), Expected: []string{what},
		Message: fmt.Sprintf("%s holds the text %s; expected %s.", c.spell(n), quote.Value(text), what),
	})
}

// failValue reports a value of an attribute or, if of is its type, of an element.
func (c *checker) failValue(r source.Ref, n source.Node, value string, s *simpleType, of *xsdType) {
	name := c.spell(n)
	if r < 0 {
		name = c.spellAttr(r.Attribute())
	}
	c.fail(Fault{
		Rule: RuleValue, Constraints: valueConstraints(value, s, of), Ref: r, Parent: n, Name: name, Expected: []string{s.wanted()},
		Message: fmt.Sprintf("%s is %s; expected %s.", name, quote.Value(value), s.wanted()),
	})
}

func (c *checker) failFixed(a source.Attr, fixed string) {
	c.fail(Fault{
		Rule: RuleValue, Constraints: []string{cvcAttributeFixed}, Ref: a.Ref(), Parent: c.tree.Attributes[a].Owner, Name: c.spellAttr(a), Expected: []string{fixed},
		Message: fmt.Sprintf("%s is %s; expected %q, or no such attribute.", c.spellAttr(a), quote.Value(c.tree.Attributes[a].Value), fixed),
	})
}

func (c *checker) failID(r source.Ref, n source.Node, id string) {
	c.fail(Fault{
		Rule: RuleID, Constraints: []string{cvcID}, Ref: r, Parent: n, Name: c.spell(n),
		Message: fmt.Sprintf("The identifier %s occurs twice; expected a different one on each element.", quote.Value(id)),
	})
}

// failAttribute reports an attribute that is not allowed.
func (c *checker) failAttribute(a source.Attr, f *definition) {
	var expected []string
	for _, d := range f.attrs {
		expected = append(expected, "@"+d.name.String())
	}
	n := c.tree.Attributes[a].Owner
	c.fail(Fault{
		Rule: RuleAttribute, Constraints: []string{cvcAttributeUnknown}, Ref: a.Ref(), Parent: n, Name: c.spellAttr(a), Expected: expected,
		Message: fmt.Sprintf("%s is not expected on %s; expected %s.", c.spellAttr(a), c.spell(n), anyOf(expected)),
	})
}

// failAttributes reports attributes that are missing.
func (c *checker) failAttributes(n source.Node, f *definition) {
	for _, d := range f.attrs {
		if !d.required || slices.ContainsFunc(c.tree.AttrsOf(n), func(a source.Attribute) bool { return c.name(a.Name) == d.name }) {
			continue
		}
		name := "@" + d.name.String()
		c.fail(Fault{
			Rule: RuleAttribute, Constraints: []string{cvcAttributeMissing}, Ref: n.Ref(), Parent: n, Name: name, Expected: []string{name},
			Message: fmt.Sprintf("%s is missing on %s.", name, c.spell(n)),
		})
	}
}

func (c *checker) failType(a source.Attr, why, constraint string, declared *xsdType) {
	c.fail(Fault{
		Rule: RuleType, Constraints: []string{constraint}, Ref: a.Ref(), Parent: c.tree.Attributes[a].Owner, Name: c.spellAttr(a), Expected: []string{declared.name},
		Message: fmt.Sprintf("The type %s %s; expected %s or none.", quote.Value(c.tree.Attributes[a].Value), why, declared.name),
	})
}

func (c *checker) failAbstract(n source.Node, t *xsdType) {
	c.fail(Fault{
		Rule: RuleType, Constraints: []string{cvcAbstract}, Ref: n.Ref(), Parent: n, Name: c.spell(n),
		Message: fmt.Sprintf("%s has the abstract type %s; expected one derived from it.", c.spell(n), t.name),
	})
}

func (c *checker) failNil(a source.Attr, n source.Node) {
	c.fail(Fault{
		Rule: RuleNil, Constraints: []string{cvcNil}, Ref: a.Ref(), Parent: n, Name: c.spellAttr(a),
		Message: fmt.Sprintf("%s can not be nil; expected a value and no %s.", c.spell(n), c.spellAttr(a)),
	})
}
