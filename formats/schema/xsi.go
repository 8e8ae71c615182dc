package schema

import (
	"strings"

	"einvoice/model/source"
)

// The attributes that may stand on every element, whatever its type.
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

// effective is the type of an element: the declared one, or one derived from it
// that xsi:type names.
func (c *checker) effective(n source.Node, t *typ, declared *element) *typ {
	e := &c.tree.Elements[n]
	for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
		switch c.name(c.tree.Attributes[a].Name) {
		case xsiType:
			named := c.xsiType(n)
			switch {
			case named == nil:
				c.failType(a, "is not known", t)
			case !named.derives(t):
				c.failType(a, "is not derived from "+t.name, t)
			default:
				t = named
			}
		case xsiNil:
			if declared != nil { // no element of these schemas may be nil
				c.failNil(a, n)
			}
		}
	}
	return t
}

// xsiType is the type that an element names itself, nil if it names none that
// is known.
func (c *checker) xsiType(n source.Node) *typ {
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
