package strictyaml

import (
	"encoding/binary"
	"errors"

	"gopkg.in/yaml.v3"
)

// Reading YAML takes ten times as long as reading its nodes as they are stored here: each
// with its kind, style, tag, value, place and the nodes inside it.

// storedMagic begins stored nodes; its number changes with their form.
const storedMagic = "einvoice nodes 1\n"

// Store writes a document as Stored reads it. It is false for one with anchors, which
// are not stored.
func Store(doc *yaml.Node) ([]byte, bool) {
	if hasAnchors(doc) {
		return nil, false
	}
	b := binary.AppendUvarint([]byte(storedMagic), uint64(count(doc)))
	return appendNode(b, doc, 0), true
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
func Stored(data []byte) (*yaml.Node, error) {
	r := storedReader{rest: string(data)}
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
