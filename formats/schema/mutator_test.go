package schema_test

import (
	"encoding/xml"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A node is an element or a text of a document that is to be changed.
type node struct {
	name     string // as written; empty for a text
	text     string
	raw      string // if not empty, what is written instead of the node
	attrs    []attr
	children []*node
}

type attr struct{ name, value string }

// readNode reads the root element of a document.
func readNode(tb testing.TB, doc string) *node {
	tb.Helper()
	decoder := xml.NewDecoder(strings.NewReader(doc))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	raw := func(n xml.Name) string { return strings.TrimPrefix(n.Space+":"+n.Local, ":") }
	stack := []*node{{}}
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			for _, c := range stack[0].children {
				if c.name != "" {
					return c
				}
			}
		}
		if err != nil {
			tb.Fatal(err)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: raw(token.Name)}
			for _, a := range token.Attr {
				n.attrs = append(n.attrs, attr{raw(a.Name), a.Value})
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.children = append(top.children, &node{text: string(token)})
		}
	}
}

func (n *node) write(b *strings.Builder) {
	if n.raw != "" {
		b.WriteString(n.raw)
		return
	}
	if n.name == "" {
		_ = xml.EscapeText(b, []byte(n.text)) // a Builder does not fail
		return
	}
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		b.WriteString(" " + a.name + "=\"")
		_ = xml.EscapeText(b, []byte(a.value))
		b.WriteString("\"")
	}
	b.WriteString(">")
	for _, c := range n.children {
		c.write(b)
	}
	b.WriteString("</" + n.name + ">")
}

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) clone() *node {
	c := *n
	c.attrs = slices.Clone(n.attrs)
	c.children = make([]*node, len(n.children))
	for i, child := range n.children {
		c.children[i] = child.clone()
	}
	return &c
}

// elements are n and all elements inside it.
func (n *node) elements() []*node {
	out := []*node{n}
	for _, c := range n.children {
		if c.name != "" {
			out = append(out, c.elements()...)
		}
	}
	return out
}

// inner are the indices of the child elements of n.
func (n *node) inner() []int {
	var out []int
	for i, c := range n.children {
		if c.name != "" {
			out = append(out, i)
		}
	}
	return out
}

func (n *node) isLeaf() bool { return len(n.inner()) == 0 }

// A mutator changes documents at random.
type mutator struct {
	*rand.Rand
	names []string // of elements in the documents
	attrs []string
	parts []*node // elements to put in somewhere
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// values are valid, invalid and borderline values of numbers, dates, codes and other
// types. Values on which libxml2 and jacoelho/xsd differ are left out; see TestValues.
var values = []string{
	"", " ", "1", "-1.50", "+0", ".5", "5.", ".", "1e3", "1,50", "NaN", " 12 ", "0x1F", "1 2", "--1", "999999999999999999", "007",
	"true", "false", "TRUE", "0", "yes", " true\n",
	"2024-02-29", "2023-02-29", "2024-02-30", "2024-13-01", "2024-02-29Z", "2024-02-29+14:00", "2024-02-29+14:01", "24-02-29", "20240229", "2024-02-29T00:00:00", "12024-01-01", "0000-01-01",
	"12:00:00", "24:00:00", "24:00:01", "12:00", "12:00:00.5Z", "12:00:60", "2024-02-29T24:00:00", "2024-02-29T12:00:00.123-05:00", "2024-02-29 12:00:00",
	"AAAA", "AA==", "AAA=", "AB==", "AA", "A A\nA=", "AAAA=", "_-_-", "QUJD",
	"http://example.org/a?b#c", "urn:a:b", "a b", "%", "%41", "#a#b", ":a", "1:a", "[", "mailto:a@b", "ä", "//h/p",
	"de", "de-AT", "de_AT", "de-", "abcdefghi", "x", "a-b1", "1a",
	"ID", "a:b", "EUR", "abcd", "text\twith\ttabs", " x  y ", "<&>'\"", "6", "5", "10", "3",
}

var attributes = []attr{
	{"xsi:nil", "true"}, {"xsi:nil", "false"}, {"xsi:schemaLocation", "urn:a a.xsd"}, {"xsi:noNamespaceSchemaLocation", "a.xsd"},
	{"xsi:type", "xs:string"}, {"xsi:type", "xs:decimal"}, {"xsi:type", "xs:anyType"}, {"xsi:type", "xs:token"}, {"xsi:type", "nowhere"},
	{"xsi:type", "udt:IDType"}, {"xsi:type", "udt:AmountType"}, {"xsi:type", "cbc:IDType"}, {"xsi:type", "cac:PartyType"}, {"xsi:type", "cbc:NameType"},
	{"xsi:other", "1"}, {"xml:lang", "de"}, {"xml:space", "preserve"}, {"unknown", "1"}, {"xsi:type", " xs:date "},
	{"currencyID", "EUR"}, {"unitCode", "C62"}, {"schemeID", "0088"}, {"format", "102"}, {"mimeCode", "application/pdf"}, {"languageID", "de"}, {"listAgencyID", "6"}, {"listAgencyID", "7"}, {"listID", " 1001 "},
	{"Id", "x1"}, {"Id", "x1"}, {"Algorithm", "urn:a"}, {"URI", "#x"}, {"Target", "#y"},
}

// foreign are elements that no schema has, or that only wildcards allow.
var foreign = []string{
	`<my:any xmlns:my="urn:my"/>`,
	`<my:any xmlns:my="urn:my" a="1" xml:lang="de"><my:b>x<my:c/></my:b></my:any>`,
	`<none xmlns=""/>`,
	`<my:a xmlns:my="urn:my"><cbc:IssueDate xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">2024-01-01</cbc:IssueDate></my:a>`,
	`<my:a xmlns:my="urn:my"><cbc:IssueDate xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">soon</cbc:IssueDate></my:a>`,
	`<my:a xmlns:my="urn:my" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="xs:date">2024-01-01</my:a>`,
	`<my:a xmlns:my="urn:my" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="xs:int">x</my:a>`,
	`<ext:UBLExtensions xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><ext:UBLExtension><ext:ExtensionContent><a xmlns="urn:x">1</a></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`,
	`<ext:UBLExtension xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><ext:ExtensionContent><none xmlns=""/></ext:ExtensionContent></ext:UBLExtension>`,
	`<ds:KeyName xmlns:ds="http://www.w3.org/2000/09/xmldsig#">k</ds:KeyName>`,
}

// mutate changes a document in one place.
func (m *mutator) mutate(root *node) {
	all := root.elements()
	n := pick(m.Rand, all)
	inner := n.inner()
	switch m.IntN(20) {
	case 0, 1: // remove
		if len(inner) > 0 {
			i := pick(m.Rand, inner)
			n.children = slices.Delete(n.children, i, i+1)
		}
	case 2, 3: // repeat
		if len(inner) > 0 {
			i := pick(m.Rand, inner)
			n.children = slices.Insert(n.children, i, n.children[i].clone())
		}
	case 4, 5: // swap
		if len(inner) > 1 {
			i, j := pick(m.Rand, inner), pick(m.Rand, inner)
			n.children[i], n.children[j] = n.children[j], n.children[i]
		}
	case 6: // rename
		n.name = pick(m.Rand, m.names)
	case 7: // move, or copy from another document
		n.children = slices.Insert(n.children, m.IntN(len(n.children)+1), pick(m.Rand, m.parts).clone())
	case 8: // something foreign
		n.children = slices.Insert(n.children, m.IntN(len(n.children)+1), &node{raw: pick(m.Rand, foreign)})
	case 9: // text between elements
		n.children = slices.Insert(n.children, m.IntN(len(n.children)+1), &node{text: pick(m.Rand, []string{"x", " ", "\n\t", "0"})})
	case 10: // empty it
		n.children = nil
	case 11, 12, 13, 14: // another value
		for range 10 {
			if n.isLeaf() {
				break
			}
			n = pick(m.Rand, all)
		}
		n.children = []*node{{text: pick(m.Rand, values)}}
	case 15: // without an attribute
		for range 20 {
			if len(n.attrs) > 0 && n != root {
				i := m.IntN(len(n.attrs))
				n.attrs = slices.Delete(n.attrs, i, i+1)
				break
			}
			n = pick(m.Rand, all)
		}
	case 16, 17: // another attribute
		a := pick(m.Rand, attributes)
		if m.IntN(3) == 0 {
			a = attr{pick(m.Rand, m.attrs), pick(m.Rand, values)}
		}
		if !slices.ContainsFunc(n.attrs, func(b attr) bool { return b.name == a.name }) {
			n.attrs = append(n.attrs, a)
		}
	case 18: // another value of an attribute
		for range 20 {
			if len(n.attrs) > 0 && n != root {
				n.attrs[m.IntN(len(n.attrs))].value = pick(m.Rand, values)
				break
			}
			n = pick(m.Rand, all)
		}
	case 19: // swap neighbours
		if len(inner) > 1 {
			k := m.IntN(len(inner) - 1)
			n.children[inner[k]], n.children[inner[k+1]] = n.children[inner[k+1]], n.children[inner[k]]
		}
	}
}

// finished writes a mutated document, with declarations of all namespaces that its
// parts may use.
func finished(root *node) string {
	root = root.clone()
	for prefix, uri := range map[string]string{
		"xsi": "http://www.w3.org/2001/XMLSchema-instance", "xs": "http://www.w3.org/2001/XMLSchema",
		"cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
		"cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
		"ext": "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2",
		"udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
		"ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
		"rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
		"qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
	} {
		if !slices.ContainsFunc(root.attrs, func(a attr) bool { return a.name == "xmlns:"+prefix }) {
			root.attrs = append(root.attrs, attr{"xmlns:" + prefix, uri})
		}
	}
	slices.SortFunc(root.attrs, func(a, b attr) int { return strings.Compare(a.name, b.name) })
	return root.String()
}
