package expr

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
)

// Parsing and checking an expression with cel-go takes some hundred
// microseconds, a validation of one document needs a hundred of them. Checked
// expressions may therefore be stored, keyed by their text and the type of this.
// What is not in the store, such as an edited rule, is checked when it is
// compiled.

// storeMagic begins a store; its number changes with the form of nodes.
const storeMagic = "einvoice expressions 2\n"

// A Store is checked expressions, encoded each by itself; nil is an empty one.
type Store map[string]string

func storeKey(text string, this This) string { return this.typ.TypeName() + "\n" + text }

// ReadStore indexes an encoded store. A damaged one is as good as none.
func ReadStore(data []byte) Store {
	text, ok := strings.CutPrefix(string(data), storeMagic)
	if !ok {
		return nil
	}
	r := storeReader{data: text}
	s := make(Store, min(r.count(), len(text)))
	for r.err == nil && r.data != "" {
		key := r.text()
		s[key] = r.text()
	}
	if r.err != nil {
		return nil
	}
	return s
}

// Add checks an expression and stores it.
func (s Store) Add(text string, this This) error {
	key := storeKey(text, this)
	if _, done := s[key]; done {
		return nil
	}
	n, err := check(text, this)
	if err == nil {
		s[key] = string(n.append(nil))
	}
	return err
}

// Encode writes the store as ReadStore reads it; equal stores in equal bytes.
func (s Store) Encode() []byte {
	out := binary.AppendUvarint([]byte(storeMagic), uint64(len(s)))
	for _, key := range slices.Sorted(maps.Keys(s)) {
		out = appendText(out, key)
		out = appendText(out, s[key])
	}
	return out
}

// lookUp finds a checked expression.
func (s Store) lookUp(text string, this This) (*node, bool) {
	encoded, ok := s[storeKey(text, this)]
	if !ok {
		return nil, false
	}
	r := storeReader{data: encoded}
	n := r.node()
	return n, r.err == nil && r.data == ""
}

// append encodes a tree: operation, name, text, type, operands.
func (n *node) append(b []byte) []byte {
	b = append(b, byte(n.op))
	b = appendText(b, n.name)
	b = appendText(b, n.text)
	b = appendText(b, storedType(n.typ))
	b = binary.AppendUvarint(b, uint64(len(n.args)))
	for _, arg := range n.args {
		b = arg.append(b)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A storeReader decodes what append wrote; texts share the store's memory.
type storeReader struct {
	data string
	err  error
}

var errStore = errors.New("the store of expressions is damaged")

func (r *storeReader) count() int {
	n, size := uint64(0), 0
	for shift := uint(0); size < len(r.data) && shift < 64; shift += 7 {
		c := r.data[size]
		size++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			r.data = r.data[size:]
			return int(min(n, 1<<31))
		}
	}
	r.err, r.data = errStore, ""
	return 0
}

func (r *storeReader) text() string {
	n := r.count()
	if n > len(r.data) {
		r.err, r.data = errStore, ""
		return ""
	}
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}

func (r *storeReader) node() *node {
	if r.data == "" {
		r.err = errStore
		return nil
	}
	n := &node{op: nodeOp(r.data[0])}
	r.data = r.data[1:]
	n.name, n.text = r.text(), r.text()
	typ := r.text()
	args := r.count()
	if n.typ, r.err = loadType(typ, r.err); args > len(r.data) {
		r.err = errStore
	}
	for range args {
		if r.err != nil {
			return nil
		}
		n.args = append(n.args, r.node())
	}
	return n
}

// storedType spells a type: lists as "[" and their element, others by name.
func storedType(t *types.Type) string {
	switch {
	case t == nil:
		return ""
	case t.Kind() == types.ListKind:
		return "[" + storedType(t.Parameters()[0])
	}
	return t.TypeName()
}

// plainTypes are the types that are no groups.
var plainTypes = []*types.Type{
	types.StringType, types.IntType, types.DoubleType, types.BoolType, types.DynType, decimalType, dateType, binaryType, elementType,
}

func loadType(s string, err error) (*types.Type, error) {
	if err != nil || s == "" {
		return nil, err
	}
	if elem, ok := strings.CutPrefix(s, "["); ok {
		t, err := loadType(elem, nil)
		if err != nil || t == nil {
			return nil, errStore
		}
		return types.NewListType(t), nil
	}
	if i := slices.IndexFunc(plainTypes, func(t *types.Type) bool { return t.TypeName() == s }); i >= 0 {
		return plainTypes[i], nil
	}
	if provider().byName[s] == nil {
		return nil, errStore
	}
	return types.NewObjectType(s), nil
}
