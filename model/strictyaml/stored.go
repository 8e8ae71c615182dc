package strictyaml

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Reading YAML takes ten times as long as reading its nodes as they are stored here: each
// with its kind, style, tag, value, place and the nodes inside it.

// storedMagic begins stored nodes; its number changes with their form.
const storedMagic = "einvoice nodes 2\n"

// tagLater is the tag of a scalar whose text is stored nodes, see Later.
const tagLater = "!later"

// Store writes a document as Stored reads it. Values for which later is true, nil for
// none, are written so that Stored does not read them before Later is called. It is false
// for a document with anchors, which are not stored.
func Store(doc *yaml.Node, later func(key string) bool) ([]byte, bool) {
	if hasAnchors(doc) {
		return nil, false
	}
	if later != nil {
		doc = putOff(doc, later)
	}
	return store(doc), true
}

func store(doc *yaml.Node) []byte {
	b := binary.AppendUvarint([]byte(storedMagic), uint64(count(doc)))
	return appendNode(b, doc, 0)
}

// putOff is a node with the values that are to be read later as scalars of tagLater.
func putOff(n *yaml.Node, later func(key string) bool) *yaml.Node {
	c := *n
	c.Content = slices.Clone(n.Content)
	for i, inside := range c.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && later(c.Content[i-1].Value) {
			c.Content[i] = &yaml.Node{Kind: yaml.ScalarNode, Tag: tagLater, Value: string(store(inside)), Line: inside.Line, Column: inside.Column}
			continue
		}
		c.Content[i] = putOff(inside, later)
	}
	return &c
}

// Later reads a value that Store put off; it is false for any other node, one
// of a file that has such a tag itself included.
func Later(n *yaml.Node) (read func() (*yaml.Node, error), is bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != tagLater || n.Style != 0 || !strings.HasPrefix(n.Value, storedMagic) {
		return nil, false
	}
	return func() (*yaml.Node, error) { return Stored(n.Value) }, true
}

func hasAnchors(n *yaml.Node) bool {
	if n.Anchor != "" || n.Alias != nil {
		return true
	}
	for _, inside := range n.Content {
		if hasAnchors(inside) {
			return true
		}
	}
	return false
}

func count(n *yaml.Node) int {
	sum := 1
	for _, inside := range n.Content {
		sum += count(inside)
	}
	return sum
}

// appendNode writes a node; its line is counted from that of the node around it.
func appendNode(b []byte, n *yaml.Node, line int) []byte {
	for _, number := range []uint64{uint64(n.Kind), uint64(n.Style), uint64(n.Line - line), uint64(n.Column), uint64(len(n.Content))} {
		b = binary.AppendUvarint(b, number)
	}
	for _, text := range []string{n.Tag, n.Value} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	for _, inside := range n.Content {
		b = appendNode(b, inside, n.Line)
	}
	return b
}

var errStored = errors.New("the stored nodes are damaged")

// Stored reads a document that Store wrote. Comments are not kept.
// Texts of the nodes share the memory of data.
func Stored(data string) (*yaml.Node, error) {
	r := storedReader{rest: data}
	if !r.cut(storedMagic) {
		return nil, errStored
	}
	all := r.number()
	if all == 0 || all > len(r.rest) {
		return nil, errStored
	}
	r.nodes, r.inside = make([]yaml.Node, all), make([]*yaml.Node, all-1)
	doc := r.node(0)
	if r.damaged || r.rest != "" || len(r.nodes) > 0 {
		return nil, errStored
	}
	return doc, nil
}

// A storedReader decodes nodes; their texts share its memory.
type storedReader struct {
	rest    string
	nodes   []yaml.Node  // still to be used
	inside  []*yaml.Node // still to be used
	damaged bool
}

func (r *storedReader) cut(prefix string) bool {
	if len(r.rest) < len(prefix) || r.rest[:len(prefix)] != prefix {
		return false
	}
	r.rest = r.rest[len(prefix):]
	return true
}

// number is a number of at most 28 bits.
func (r *storedReader) number() int {
	n := 0
	for i := 0; i < len(r.rest) && i < 4; i++ {
		c := r.rest[i]
		n |= int(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.damaged, r.rest = true, ""
	return 0
}

func (r *storedReader) text() string {
	n := r.number()
	if n > len(r.rest) {
		r.damaged, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *storedReader) node(line int) *yaml.Node {
	if len(r.nodes) == 0 {
		r.damaged = true
		return nil
	}
	n := &r.nodes[0]
	r.nodes = r.nodes[1:]
	n.Kind, n.Style, n.Line, n.Column = yaml.Kind(r.number()), yaml.Style(r.number()), line+r.number(), r.number()
	inside := r.number()
	n.Tag, n.Value = r.text(), r.text()
	if inside > len(r.inside) {
		r.damaged = true
		return nil
	}
	n.Content, r.inside = r.inside[:inside:inside], r.inside[inside:]
	for i := range n.Content {
		if n.Content[i] = r.node(n.Line); r.damaged {
			return nil
		}
	}
	return n
}
