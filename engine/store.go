package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Parsing and checking an expression with cel-go takes some hundred
// microseconds, a validation of one document needs a hundred of them. A library
// may therefore hold a store of checked expressions, keyed by their text and the
// type of this. What is not in it, such as an edited rule, is checked as ever.

// StoreFile is the store within a library.
const StoreFile = "compiled/expressions.bin"

// storeMagic begins a store; its number changes with the form of nodes.
const storeMagic = "einvoice expressions 1\n"

func storeKey(text string, this *types.Type) string { return this.TypeName() + "\n" + text }

// stored finds a checked expression.
func (l *Library) stored(text string, this *types.Type) (*node, bool) {
	encoded, ok := l.store()[storeKey(text, this)]
	if !ok {
		return nil, false
	}
	r := storeReader{data: encoded}
	n := r.node()
	return n, r.err == nil && r.data == ""
}

// readStore indexes the store of a library; there may be none.
func readStore(fsys fs.FS) map[string]string {
	data, err := fs.ReadFile(fsys, StoreFile)
	text, ok := strings.CutPrefix(string(data), storeMagic)
	if err != nil || !ok {
		return nil
	}
	r := storeReader{data: text}
	index := make(map[string]string, r.count())
	for r.err == nil && r.data != "" {
		key := r.text()
		index[key] = r.text()
	}
	if r.err != nil {
		return nil
	}
	return index
}

// CompileExpressions checks every expression of every ruleset and returns them
// as a store.
func (l *Library) CompileExpressions() ([]byte, error) {
	families, err := l.Versions()
	if err != nil {
		return nil, err
	}
	encoded := map[string][]byte{}
	for family, versions := range families {
		for _, version := range versions {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				return nil, err
			}
			for _, r := range s.Rules {
				if err := storeRule(encoded, r); err != nil {
					return nil, fmt.Errorf("rule %s: %w", r.ID, err)
				}
			}
		}
	}
	out := binary.AppendUvarint([]byte(storeMagic), uint64(len(encoded)))
	for _, key := range slices.Sorted(maps.Keys(encoded)) {
		out = appendText(out, key)
		out = appendText(out, string(encoded[key]))
	}
	return out, nil
}

func storeRule(encoded map[string][]byte, r *Rule) error {
	if r.row != nil {
		return nil
	}
	for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
		form, ok := r.in(syntax)
		if !ok || form.context == "" {
			continue
		}
		g, err := compileContext(form.context)
		if err != nil {
			return err
		}
		for _, this := range g.thisTypes() {
			for _, text := range append(messageExpressions(form.message), form.assert) {
				key := storeKey(text, this)
				if _, done := encoded[key]; done {
					continue
				}
				n, err := checkCEL(text, this)
				if err != nil {
					return err
				}
				encoded[key] = n.append(nil)
			}
		}
	}
	return nil
}

// thisTypes are the types that this has in a context.
func (g *contextGroup) thisTypes() []*types.Type {
	if g.onSource() {
		return []*types.Type{elementType}
	}
	out := make([]*types.Type, len(g.selector.types))
	for i, t := range g.selector.types {
		out[i] = types.NewObjectType(t.Name)
	}
	return out
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
