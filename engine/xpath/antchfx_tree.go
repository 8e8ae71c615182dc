package xpath

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// An xmlTree is a document as antchfx/xpath walks it: with comments and texts as nodes,
// which a source tree does not have. Its elements and attributes are those of the source
// tree, in the same order. The tree of antchfx/xmlquery would do, and is not used because
// its package keeps the tables of all encodings of Asia in the program for browsers.
type xmlTree struct {
	root  *xmlNode
	refs  map[*xmlNode]source.Node // of the elements
	order map[*xmlNode]int         // of all nodes, in the document
}

// An xmlNode is the document, an element, a text or a comment. Elements and attributes have
// their conventional prefixes, as everywhere else.
type xmlNode struct {
	kind                    antchfx.NodeType
	prefix, name, namespace string // of an element
	attrs                   []xmlAttr
	text                    string // of a text or comment

	parent, first, last, previous, next *xmlNode
}

type xmlAttr struct{ prefix, name, namespace, value string }

// parseXMLTree parses the text of a source tree.
func parseXMLTree(t *source.Tree) (*xmlTree, error) {
	root, err := xmlNodes(t.Data)
	if err != nil {
		return nil, fmt.Errorf("parsing for XPath: %w", err)
	}
	x := &xmlTree{root: root, refs: map[*xmlNode]source.Node{}, order: map[*xmlNode]int{}}
	x.number(root)
	if len(x.refs) != len(t.Elements)-1 {
		return nil, fmt.Errorf("parsing for XPath: %d elements of %d", len(x.refs), len(t.Elements)-1)
	}
	return x, nil
}

// xmlNodes reads what XPath calls nodes of a document: no declarations, texts joined and
// without white space between tags, and no attributes that declare namespaces.
func xmlNodes(data string) (*xmlNode, error) {
	decoder := xml.NewDecoder(strings.NewReader(data))
	// The data is UTF-8, whatever encoding the document declares.
	decoder.CharsetReader = func(_ string, data io.Reader) (io.Reader, error) { return data, nil }
	root := &xmlNode{kind: antchfx.RootNode}
	var text []byte // that the next token may go on with, as sections of character data do
	for at := root; ; {
		token, err := decoder.Token()
		if _, goesOn := token.(xml.CharData); !goesOn && len(text) > 0 {
			at.add(&xmlNode{kind: antchfx.TextNode, text: string(text)})
			text = text[:0]
		}
		if errors.Is(err, io.EOF) {
			root.dropBlanks()
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			at = at.add(&xmlNode{
				kind: antchfx.ElementNode, prefix: conventionalPrefix(token.Name.Space), name: token.Name.Local, namespace: token.Name.Space, attrs: attributesIn(token.Attr),
			})
		case xml.EndElement:
			at.dropBlanks()
			at = at.parent
		case xml.CharData:
			text = append(text, token...)
		case xml.Comment:
			at.add(&xmlNode{kind: antchfx.CommentNode, text: string(token)})
		}
	}
}

func attributesIn(all []xml.Attr) (attrs []xmlAttr) {
	for _, a := range all {
		if a.Name.Space != "xmlns" && (a.Name.Space != "" || a.Name.Local != "xmlns") {
			attrs = append(attrs, xmlAttr{conventionalPrefix(a.Name.Space), a.Name.Local, a.Name.Space, a.Value})
		}
	}
	return attrs
}

// add adds a node behind the last one.
func (n *xmlNode) add(child *xmlNode) *xmlNode {
	child.parent, child.previous = n, n.last
	if n.last == nil {
		n.first = child
	} else {
		n.last.next = child
	}
	n.last = child
	return child
}

// dropBlanks drops texts of white space, where there are elements beside them.
func (n *xmlNode) dropBlanks() {
	elements := n.kind == antchfx.RootNode
	for c := n.first; c != nil; c = c.next {
		elements = elements || c.kind == antchfx.ElementNode
	}
	children := n.first
	n.first, n.last = nil, nil
	for c := children; c != nil; {
		next := c.next
		if c.next = nil; !elements || c.kind != antchfx.TextNode || strings.Trim(c.text, white) != "" {
			n.add(c)
		}
		c = next
	}
}

// number numbers the elements and all nodes.
func (x *xmlTree) number(n *xmlNode) {
	x.order[n] = len(x.order)
	if n.kind == antchfx.ElementNode {
		x.refs[n] = source.Node(len(x.refs) + 1)
	}
	for c := n.first; c != nil; c = c.next {
		x.number(c)
	}
}

func conventionalPrefix(uri string) string {
	for prefix, known := range source.Prefixes {
		if known == uri {
			return prefix
		}
	}
	return ""
}
