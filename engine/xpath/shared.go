package xpath

import (
	"strconv"
	"sync"
	"sync/atomic"

	"einvoice/model/source"
)

// Rules ask the same of their elements again and again: is the scheme VAT, is there an
// identifier. What is compiled of that is shared by all that say the same, so that a document
// meets it in the processor's cache, and what an absolute path leads to is looked for once.

// mostShared is how many expressions are kept for others that may say the same. Rules come
// from strangers as well, and what they wrote once must not stay for good in any number.
const mostShared = 1 << 13

// A sharing keeps what was compiled, by what it says.
type sharing[T any] struct {
	known sync.Map // of string, T
	count atomic.Int32
}

// of compiles what a key stands for, unless it is there.
func (s *sharing[T]) of(key []byte, compile func() (T, error)) (T, error) {
	says := string(key)
	if known, ok := s.known.Load(says); ok {
		return known.(T), nil
	}
	made, err := compile()
	if err != nil || s.count.Load() >= mostShared {
		return made, err
	}
	known, there := s.known.LoadOrStore(says, made)
	if !there {
		s.count.Add(1)
	}
	return known.(T), nil
}

var (
	sharedPaths       sharing[*SourcePath]
	sharedValues      sharing[value[source.Ref]] // of expressions about the source document
	sharedComparisons sharing[*comparedPath]
)

// appendKey appends what a path says, which is the same for all paths that lead to the same.
func (path *LocationPath) appendKey(key []byte) []byte {
	if path.Absolute {
		key = append(key, '/')
	}
	for i := range path.Steps {
		step := &path.Steps[i]
		if step.Descendant {
			key = append(key, '/')
		}
		key = appendText(append(key, '/'), string(step.Axis))
		key = appendText(key, step.Name)
		for p := range step.Predicates {
			key = append(step.Predicates[p].appendKey(append(key, '[')), ']')
		}
	}
	return key
}

// appendKey appends what an expression says.
func (x *Expr) appendKey(key []byte) []byte {
	key = appendText(key, string(x.Op))
	switch x.Op {
	case Path, filter:
		key = x.Path.appendKey(key)
	case Literal, Number:
		key = appendText(key, x.Value)
	case Call, variable:
		key = appendText(key, x.Name)
	}
	key = append(key, '(')
	for i := range x.Args {
		key = append(x.Args[i].appendKey(key), ',')
	}
	return append(key, ')')
}

// appendText appends a text so that no other text can be read there.
func appendText(key []byte, text string) []byte {
	key = append(strconv.AppendInt(key, int64(len(text)), 10), ':')
	return append(key, text...)
}
