package xpath

import (
	"fmt"
	"io"
	"strings"

	"einvoice/model/source"

	"github.com/antchfx/xmlquery"
)

// An xmlTree is a document as antchfx/xmlquery parses it: with comments and texts
// as nodes, which a source tree does not have. Its elements and attributes are
// those of the source tree, in the same order.
type xmlTree struct {
	root  *xmlquery.Node
	refs  map[*xmlquery.Node]source.Node // of the elements
	order map[*xmlquery.Node]int         // of all nodes, in the document
}

// parseXMLTree parses the text of a source tree.
func parseXMLTree(t *source.Tree) (*xmlTree, error) {
	root, err := xmlquery.ParseWithOptions(strings.NewReader(t.Data), xmlquery.ParserOptions{
		// The data is UTF-8, whatever encoding the document declares.
		Decoder: &xmlquery.DecoderOptions{Strict: true, CharsetReader: func(_ string, data io.Reader) (io.Reader, error) { return data, nil }},
	})
	if err != nil {
		return nil, fmt.Errorf("parsing for XPath: %w", err)
	}
	x := &xmlTree{root: root, refs: map[*xmlquery.Node]source.Node{}, order: map[*xmlquery.Node]int{}}
	x.tidy(root)
	if len(x.refs) != len(t.Elements)-1 {
		return nil, fmt.Errorf("parsing for XPath: %d elements of %d", len(x.refs), len(t.Elements)-1)
	}
	return x, nil
}

// tidy numbers the elements, and leaves of all other nodes what XPath calls
// nodes: no declarations, texts joined and without white space between tags, and
// no attributes that declare namespaces. Elements get their conventional
// prefixes, as everywhere else.
func (x *xmlTree) tidy(parent *xmlquery.Node) {
	var text *xmlquery.Node // the one that the next may go on with
	elements := hasElements(parent)
	x.order[parent] = len(x.order)
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		before := text
		text = nil
		switch n.Type {
		case xmlquery.ElementNode:
			x.refs[n] = source.Node(len(x.refs) + 1)
			tidyNames(n)
			x.tidy(n)
		case xmlquery.CommentNode:
			x.order[n] = len(x.order)
		case xmlquery.TextNode, xmlquery.CharDataNode:
			n.Type = xmlquery.TextNode
			switch text = before; {
			case elements && strings.Trim(n.Data, white) == "":
				xmlquery.RemoveFromTree(n)
			case text != nil:
				text.Data += n.Data
				xmlquery.RemoveFromTree(n)
			default:
				text = n
				x.order[n] = len(x.order)
			}
		default:
			xmlquery.RemoveFromTree(n)
		}
		n = next
	}
}

func hasElements(n *xmlquery.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == xmlquery.ElementNode {
			return true
		}
	}
	return n.Type == xmlquery.DocumentNode
}

func tidyNames(n *xmlquery.Node) {
	n.Prefix = conventionalPrefix(n.NamespaceURI)
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		a.Name.Space = conventionalPrefix(a.NamespaceURI)
		kept = append(kept, a)
	}
	n.Attr = kept
}

func conventionalPrefix(uri string) string {
	for prefix, known := range source.Prefixes {
		if known == uri {
			return prefix
		}
	}
	return ""
}
