package expr

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/google/cel-go/common/types"
)

// Parsing and checking an expression with cel-go takes some hundred
// microseconds, a validation of one document needs a hundred of them. Checked
// expressions may therefore be stored, keyed by their text and the type of this.
// What is not in the store, such as an edited rule, is checked when it is
// compiled.

// A store is storeMagic, the number of expressions, an index sorted by the hash of the key,
// and the expressions, key and tree. It is read where it is: a start of the program needs a
// few hundred of some thousand expressions.

// storeMagic begins a store; its number changes with its form and that of nodes.
const storeMagic = "einvoice expressions 3\n"

const (
	storeHead   = len(storeMagic) + 4
	indexedSize = 8 + 4 + 4 // hash, offset, length
)

// Checked are expressions to be stored, each encoded by itself.
type Checked map[string]string

func storeKey(text string, this This) string { return this.typ.TypeName() + "\n" + text }

func storeHash(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64()
}

// Add checks an expression.
func (c Checked) Add(text string, this This) error {
	if Looks(text) {
		return nil // it is checked against the tables of the library
	}
	key := storeKey(text, this)
	if _, done := c[key]; done {
		return nil
	}
	n, err := check(text, this)
	if err == nil {
		c[key] = string(n.append(nil))
	}
	return err
}

// Encode writes a store; equal expressions give equal bytes.
func (c Checked) Encode() []byte {
	keys := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(cmp.Compare(storeHash(a), storeHash(b)), cmp.Compare(a, b))
	})
	out := binary.BigEndian.AppendUint32([]byte(storeMagic), uint32(len(keys)))
	var entries []byte
	offset := storeHead + len(keys)*indexedSize
	for _, key := range keys {
		from := len(entries)
		entries = append(appendText(entries, key), c[key]...)
		out = binary.BigEndian.AppendUint64(out, storeHash(key))
		out = binary.BigEndian.AppendUint32(out, uint32(offset+from))
		out = binary.BigEndian.AppendUint32(out, uint32(len(entries)-from))
	}
	return append(out, entries...)
}

// A Store is checked expressions; nil is an empty one.
type Store struct {
	data  string
	index string
}

// OpenStore opens a store. A damaged one is as good as none.
func OpenStore(data string) *Store {
	if len(data) < storeHead || data[:len(storeMagic)] != storeMagic {
		return nil
	}
	size := indexedSize * int(binary.BigEndian.Uint32([]byte(data[len(storeMagic):storeHead])))
	if size == 0 || size > len(data)-storeHead {
		return nil
	}
	s := &Store{data, data[storeHead : storeHead+size]}
	if _, from, to := s.indexed(s.count() - 1); from > to || to != len(data) {
		return nil
	}
	return s
}

// count is how many expressions there are.
func (s *Store) count() int { return len(s.index) / indexedSize }

func (s *Store) indexed(i int) (hash uint64, from, to int) {
	at := []byte(s.index[i*indexedSize : (i+1)*indexedSize])
	from = int(binary.BigEndian.Uint32(at[8:]))
	return binary.BigEndian.Uint64(at), from, from + int(binary.BigEndian.Uint32(at[12:]))
}

// entry reads an expression with its key.
func (s *Store) entry(i int) (key, tree string) {
	_, from, to := s.indexed(i)
	if from > to || to > len(s.data) {
		return "", ""
	}
	r := storeReader{data: s.data[from:to]}
	key = r.text()
	return key, r.data
}

// checked is a checked expression, from the stores if it is there.
func (env *Environment) checked(text string, this This) (*node, error) {
	if env.options.Ended != nil {
		if err := env.options.Ended(); err != nil {
			return nil, err
		}
	}
	if n, ok := env.lookUp(text, this); ok {
		return n, nil
	}
	return checkOnce(text, this)
}

// lookUp finds a checked expression in the stores of an environment.
func (env *Environment) lookUp(text string, this This) (*node, bool) {
	key := storeKey(text, this)
	hash := storeHash(key)
	for s := range env.options.Stores {
		if n, ok := s.lookUp(hash, key); ok {
			return n, true
		}
	}
	return nil, false
}

func (s *Store) lookUp(hash uint64, key string) (*node, bool) {
	if s == nil {
		return nil, false
	}
	from := sort.Search(s.count(), func(i int) bool { have, _, _ := s.indexed(i); return have >= hash })
	for i := from; i < s.count(); i++ {
		if have, _, _ := s.indexed(i); have != hash {
			break
		}
		if have, tree := s.entry(i); have == key {
			r := storeReader{data: tree}
			n := r.node()
			return n, r.err == nil && r.data == ""
		}
	}
	return nil, false
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

// plainTypes are the types that are not groups.
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
