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
const storedMagic = "einvoice nodes 3\n"

// knownTags are the tags that most nodes have, each stored as its place from 1 on.
var knownTags = [...]string{"", "!!str", "!!map", "!!seq", "!!int", "!!bool", "!!float", "!!null"}

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
	w := storedWriter{data: binary.AppendUvarint([]byte(storedMagic), uint64(count(doc))), at: map[string]int{}}
	w.node(doc, 0)
	return w.data
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

// A storedWriter encodes nodes. A text that was written before is written as its place.
type storedWriter struct {
	data []byte
	at   map[string]int // where texts begin
}

// node writes a node; its line is counted from that of the node around it.
func (w *storedWriter) node(n *yaml.Node, line int) {
	w.numbers(int(n.Kind), int(n.Style), n.Line-line, n.Column, len(n.Content))
	if tag := slices.Index(knownTags[:], n.Tag); tag >= 0 {
		w.numbers(tag + 1)
	} else {
		w.numbers(0)
		w.text(n.Tag)
	}
	w.text(n.Value)
	for _, inside := range n.Content {
		w.node(inside, n.Line)
	}
}

func (w *storedWriter) numbers(all ...int) {
	for _, n := range all {
		w.data = binary.AppendUvarint(w.data, uint64(n)) //nolint:gosec // none is negative
	}
}

func (w *storedWriter) text(s string) {
	const short = 3 // bytes that take no more than their place
	if at, known := w.at[s]; known && len(s) > short {
		w.numbers(2*len(s)+1, at)
		return
	}
	w.numbers(2 * len(s))
	w.at[s] = len(w.data)
	w.data = append(w.data, s...)
}

var errStored = errors.New("the stored nodes are damaged")

// Stored reads a document that Store wrote. Comments are not kept.
// Texts of the nodes share the memory of data.
func Stored(data string) (*yaml.Node, error) {
	r := storedReader{data: data, rest: data}
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
	data    string
	rest    string       // of data, still to be read
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
	isBefore := n&1 == 1
	n /= 2
	if isBefore {
		at := r.number()
		if at > len(r.data) || n > len(r.data)-at {
			r.damaged, r.rest = true, ""
			return ""
		}
		return r.data[at : at+n]
	}
	if n > len(r.rest) {
		r.damaged, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *storedReader) tag() string {
	switch n := r.number(); {
	case n == 0:
		return r.text()
	case n <= len(knownTags):
		return knownTags[n-1]
	}
	r.damaged, r.rest = true, ""
	return ""
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
	n.Tag, n.Value = r.tag(), r.text()
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
