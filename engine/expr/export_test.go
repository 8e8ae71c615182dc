package expr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
)

// Len is how many expressions there are.
func (s *Store) Len() int { return s.count() }

// Differences are the stored expressions that are not what checking gives.
func (s *Store) Differences() (different []string) {
	for i := range s.count() {
		key, _ := s.entry(i)
		name, text, _ := strings.Cut(key, "\n")
		this := This{typ: types.NewObjectType(name)}
		if name == elementType.TypeName() {
			this = Element()
		}
		want, err := check(text, this)
		got, ok := s.lookUp(storeHash(key), key)
		if err != nil || !ok || describe(got) != describe(want) {
			different = append(different, fmt.Sprintf("%s: %v %v\n%s\n%s", text, err, ok, describe(got), describe(want)))
		}
	}
	return different
}

// Has reports whether an expression is stored.
func (s *Store) Has(text string, this This) bool {
	key := storeKey(text, this)
	_, ok := s.lookUp(storeHash(key), key)
	return ok
}

// describe writes a tree without positions, which a store leaves out.
func describe(n *node) string {
	if n == nil {
		return "nothing"
	}
	out := fmt.Sprintf("(%d %q %q %s", n.op, n.name, n.text, storedType(n.typ))
	for _, arg := range n.args {
		out += " " + describe(arg)
	}
	return out + ")"
}

// Remains is an activation without the memory that it uses again, and whether any of
// that memory has a value.
func (act *Activation) Remains() (rest Activation, values bool) {
	for _, x := range act.scratch.lists {
		values = values || hasValue(x.groups) || hasValue(x.texts) || hasValue(x.decimals) || hasValue(x.integers) || hasValue(x.elements)
	}
	rest = *act
	rest.scratch = scratch{}
	return rest, values
}

func hasValue[T any](s []T) bool {
	var none T
	return slices.ContainsFunc(s[:cap(s)], func(v T) bool { return !reflect.DeepEqual(v, none) })
}

// Sorted counts the lists that the activation has sorted by a key.
func (act *Activation) Sorted() (n int) {
	for _, state := range act.keyed {
		if state.sorted {
			n++
		}
	}
	return n
}

// KeepFrom sets from how many steps on a value is kept, until restore is called.
func KeepFrom(steps int64) (restore func()) {
	before := onceFrom
	onceFrom = steps
	return func() { onceFrom = before }
}

// Kept counts the values that the activation keeps.
func (act *Activation) Kept() int { return len(act.constants) }
