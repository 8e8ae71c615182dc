package schema

import (
	"strings"

	"einvoice/model/source"
)

// The constraints of XML Schema, in the codes of Xerces.
const (
	cvcRoot             = "cvc-elt.1.a"
	cvcUnexpected       = "cvc-complex-type.2.4.a" // something else was expected
	cvcIncomplete       = "cvc-complex-type.2.4.b"
	cvcUndeclared       = "cvc-complex-type.2.4.c"
	cvcNoMore           = "cvc-complex-type.2.4.d" // nothing was expected
	cvcEmpty            = "cvc-complex-type.2.1"
	cvcSimpleContent    = "cvc-complex-type.2.2"
	cvcElementOnly      = "cvc-complex-type.2.3"
	cvcAttributeUnknown = "cvc-complex-type.3.2.2"
	cvcAttributeMissing = "cvc-complex-type.4"
	cvcAttributeValue   = "cvc-attribute.3"
	cvcAttributeFixed   = "cvc-attribute.4"
	cvcSimpleValue      = "cvc-type.3.1.3"
	cvcAbstract         = "cvc-type.2"
	cvcTypeUnknown      = "cvc-elt.4.2"
	cvcTypeNotDerived   = "cvc-elt.4.3"
	cvcNil              = "cvc-elt.3.1"
	cvcID               = "cvc-id.2"
	cvcDatatype         = "cvc-datatype-valid.1.2.1"
	cvcEnumeration      = "cvc-enumeration-valid"
	cvcMinLength        = "cvc-minLength-valid"
	cvcMaxLength        = "cvc-maxLength-valid"
)

// isSimple reports whether a type of text is a simple type. Complex types are those of the
// published schemas that have a name of their own and neither length nor values.
func (t *xsdType) isSimple() bool {
	return strings.HasPrefix(t.name, "xs:") || t.text != nil && (t.text.maxLength > 0 || t.text.values != nil)
}

// valueConstraints are those that a value violates: of its type, and of the attribute or,
// if of is its type, the element.
func valueConstraints(value string, s *simpleType, of *xsdType) []string {
	owner := cvcAttributeValue
	switch {
	case of != nil && of.isSimple():
		owner = cvcSimpleValue
	case of != nil:
		owner = cvcSimpleContent
	}
	return []string{s.violated(value), owner}
}

// violated is the constraint of the type that a value violates.
func (s *simpleType) violated(value string) string {
	plain := simpleType{builtin: s.builtin}
	if !plain.accepts(value) {
		return cvcDatatype
	}
	if s.maxLength > 0 {
		n := len([]rune(s.normalize(value)))
		switch {
		case n < s.minLength:
			return cvcMinLength
		case n > s.maxLength:
			return cvcMaxLength
		}
	}
	return cvcEnumeration
}

// contentConstraint is the constraint of a child that is not allowed in a state: the same
// for all faults in the content of one parent, which is wrong from the first on.
func (c *checker) contentConstraint(parent source.Node, constraint string) []string {
	if c.content == nil {
		c.content = map[source.Node]string{}
	}
	if first, known := c.content[parent]; known {
		constraint = first
	}
	c.content[parent] = constraint
	return []string{constraint}
}
