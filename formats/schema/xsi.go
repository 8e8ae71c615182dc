package schema

import (
	"strings"

	"einvoice/model/source"
)

// xsi are the attributes that every element may have, independent of its type.
var xsi = source.Intern(
	source.QName{URI: source.Prefixes["xsi"], Local: "type"},
	source.QName{URI: source.Prefixes["xsi"], Local: "nil"},
	source.QName{URI: source.Prefixes["xsi"], Local: "schemaLocation"},
	source.QName{URI: source.Prefixes["xsi"], Local: "noNamespaceSchemaLocation"},
)

var xsiType, xsiNil = xsi[0], xsi[1]

func isXSI(name source.Name) bool {
	return name == xsi[0] || name == xsi[1] || name == xsi[2] || name == xsi[3]
}

// effectiveType is the type of an element: the declared one, or the one that xsi:type
// names if that is derived from the declared one.
func (c *checker) effectiveType(n source.Node, t *xsdType, declared *elementDecl) *xsdType {
	e := &c.tree.Elements[n]
	for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
		switch c.name(c.tree.Attributes[a].Name) {
		case xsiType:
			named := c.namedType(n)
			switch {
			case named == nil:
				c.failType(a, "is not known", cvcTypeUnknown, t)
			case !named.derives(t):
				c.failType(a, "is not derived from "+t.name, cvcTypeNotDerived, t)
			default:
				t = named
			}
		case xsiNil:
			if declared != nil { // no element of these schemas is nillable
				c.failNil(a, n)
			}
		}
	}
	return t
}

// namedType is the type that the xsi:type of an element names; nil if there is none or
// it is unknown.
func (c *checker) namedType(n source.Node) *xsdType {
	a, ok := c.tree.Attr(n, xsiType)
	if !ok {
		return nil
	}
	prefix, local, ok := strings.Cut(trim(c.tree.Attributes[a].Value), ":")
	if !ok {
		prefix, local = "", prefix
	}
	uri, ok := c.tree.NamespaceAt(n, prefix)
	if !ok {
		return nil
	}
	return c.schema.typeNamed(source.QName{URI: uri, Local: local})
}
