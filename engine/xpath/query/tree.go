package query

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// A tree is a document in the nodes of XPath, in document order from its root on: with
// comments and texts, which a source tree does not have.
type tree struct {
	nodes   []node
	ofModel bool
}

// instruction is the kind of processing instructions, which antchfx/xpath has none for.
const instruction antchfx.NodeType = 100

// A node is the root, an element, an attribute, a text, a comment or a processing instruction. Links are indexes in
// the tree; 0, the root, stands for none.
type node struct {
	kind  antchfx.NodeType
	name  source.QName
	value string     // of a text, comment or attribute
	ref   source.Ref // where it is written: the element, or that around a text or comment
	index int32      // in a list of the model, from 1
	end   int32      // the first node that is not inside

	parent, attribute, child, last, next, previous int32
}

func newTree() *tree { return &tree{nodes: []node{{kind: antchfx.RootNode}}} }

func (t *tree) isAttribute(n int32) bool { return t.nodes[n].kind == antchfx.AttributeNode }

// add adds a node to one that has not ended.
func (t *tree) add(parent int32, n node) int32 {
	at := int32(len(t.nodes))
	first, last := &t.nodes[parent].child, &t.nodes[parent].last
	if n.kind == antchfx.AttributeNode {
		first = &t.nodes[parent].attribute
	}
	if *first == 0 {
		*first = at
	} else {
		n.previous = *last
		t.nodes[*last].next = at
	}
	n.parent, n.end, *last = parent, at+1, at
	t.nodes = append(t.nodes, n)
	return at
}

// treeOfModel is the model as XML: groups and terms are elements named by their fields.
func treeOfModel(root *xpath.Root, top model.Object) *tree {
	t := newTree()
	t.ofModel = true
	t.group(0, root.Name, 0, top)
	t.nodes[0].end = int32(len(t.nodes))
	return t
}

func (t *tree) group(parent int32, name string, index int32, o model.Object) {
	at := t.add(parent, node{kind: antchfx.ElementNode, name: source.QName{Local: name}, ref: o.Ref(), index: index})
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; {
		case !o.Has(f):
		case f.Kind == model.KindGroup:
			t.group(at, f.Name, 0, o.Group(f))
		case f.Kind == model.KindList:
			list := o.List(f)
			for j := range list.Len() {
				t.group(at, f.Name, int32(j+1), list.At(j))
			}
		default:
			term := t.add(at, node{kind: antchfx.ElementNode, name: source.QName{Local: f.Name}, ref: o.RefOf(f)})
			t.add(term, node{kind: antchfx.TextNode, value: o.Raw(f), ref: o.RefOf(f)})
			t.nodes[term].end++
		}
	}
	t.nodes[at].end = int32(len(t.nodes))
}

// treeOfDocument parses the text of a source tree, whose elements and attributes are in the
// same order.
func treeOfDocument(of *source.Tree) (*tree, error) {
	decoder := xml.NewDecoder(strings.NewReader(of.Data))
	// The data is UTF-8, whatever encoding the document declares.
	decoder.CharsetReader = func(_ string, data io.Reader) (io.Reader, error) { return data, nil }
	t := newTree()
	elements := source.Node(0)
	var text []byte // that the next token may go on with, as sections of character data do
	for at := int32(0); ; {
		token, err := decoder.Token()
		if _, goesOn := token.(xml.CharData); !goesOn && len(text) > 0 {
			t.add(at, node{kind: antchfx.TextNode, value: string(text), ref: t.nodes[at].ref})
			text = text[:0]
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements++
			at = t.add(at, node{kind: antchfx.ElementNode, name: source.QName{URI: token.Name.Space, Local: token.Name.Local}, ref: elements.Ref()})
			t.attributes(at, token.Attr, of.Elements[min(int(elements), len(of.Elements)-1)].FirstAttr)
		case xml.EndElement:
			t.finish(at)
			at = t.nodes[at].parent
		case xml.CharData:
			text = append(text, token...)
		case xml.Comment:
			t.add(at, node{kind: antchfx.CommentNode, value: string(token), ref: t.nodes[at].ref})
		case xml.ProcInst:
			if token.Target != "xml" { // the declaration is none
				t.add(at, node{kind: instruction, name: source.QName{Local: token.Target}, value: string(token.Inst), ref: t.nodes[at].ref})
			}
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("parsing for XPath: %w", err)
		case int(elements) != len(of.Elements)-1:
			return nil, fmt.Errorf("parsing for XPath: %d elements of %d", elements, len(of.Elements)-1)
		default:
			t.finish(0)
			return t, nil
		}
	}
}

// attributes adds those of an element, without declarations of namespaces.
func (t *tree) attributes(of int32, all []xml.Attr, first source.Attr) {
	for _, a := range all {
		if a.Name.Space != "xmlns" && (a.Name.Space != "" || a.Name.Local != "xmlns") {
			name := source.QName{URI: a.Name.Space, Local: a.Name.Local}
			t.add(of, node{kind: antchfx.AttributeNode, name: name, value: a.Value, ref: first.Ref()})
			first++
		}
	}
}

// finish ends a node, and takes out texts of white space beside elements.
func (t *tree) finish(n int32) {
	of := &t.nodes[n]
	of.end = int32(len(t.nodes))
	elements := n == 0
	for c := of.child; c != 0; c = t.nodes[c].next {
		elements = elements || t.nodes[c].kind == antchfx.ElementNode
	}
	for c := of.child; c != 0; c = t.nodes[c].next {
		if blank := &t.nodes[c]; elements && blank.kind == antchfx.TextNode && strings.Trim(blank.value, " \t\r\n") == "" {
			blank.value = ""
			if blank.next != 0 {
				t.nodes[blank.next].previous = blank.previous
			}
			if blank.previous != 0 {
				t.nodes[blank.previous].next = blank.next
			} else {
				of.child = blank.next
			}
		}
	}
}

// text is XPath's string-value of a node.
func (t *tree) text(e *xpath.Evaluation, n int32) string {
	if of := &t.nodes[n]; of.kind != antchfx.ElementNode && of.kind != antchfx.RootNode {
		return e.Read(of.value)
	}
	var all strings.Builder
	for i := n; i < t.nodes[n].end && e.Budget.Step(); i++ {
		if t.nodes[i].kind == antchfx.TextNode {
			all.WriteString(e.Read(t.nodes[i].value))
		}
	}
	return all.String()
}
