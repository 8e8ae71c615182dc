package source

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"einvoice/model/syntax"
)

// A Name is a qualified XML name as a small integer, so that two names compare
// in one instruction. The same name has the same number in every document,
// unless no rule, binding or schema ever mentioned it: then it is Unknown and
// only its tree can spell it.
type Name int32

const (
	// NoName is the zero Name; no element has it.
	NoName Name = 0
	// firstUnknown starts the numbers that only mean something within one tree.
	firstUnknown Name = 1 << 24
)

// Unknown gives the place of an unknown name in its tree's Tree.Unknown.
func (n Name) Unknown() (i int, ok bool) { return int(n - firstUnknown), n >= firstUnknown }

// Known reports whether a rule, binding or schema has interned the name.
func (n Name) Known() bool { return n > NoName && n < firstUnknown }

// Prefixes are the conventional prefixes of the standards' namespaces. Every
// place that writes a qualified name (rules, bindings, findings) uses these,
// whatever prefixes a document declares.
var Prefixes = func() map[string]string {
	all := syntax.Namespaces()
	all["xsi"] = "http://www.w3.org/2001/XMLSchema-instance"
	all["xml"] = "http://www.w3.org/XML/1998/namespace"
	return all
}()

var prefixOf = func() map[string]string {
	m := make(map[string]string, len(Prefixes))
	for prefix, uri := range Prefixes {
		m[uri] = prefix
	}
	return m
}()

// A QName is a name spelled out.
type QName struct {
	URI   string
	Local string
}

// String spells the name with its conventional prefix ("cbc:ID"), or as
// Q{uri}local where the namespace has none.
func (q QName) String() string {
	if q.URI == "" {
		return q.Local
	}
	if prefix, ok := prefixOf[q.URI]; ok {
		return prefix + ":" + q.Local
	}
	return "Q{" + q.URI + "}" + q.Local
}

// The table of names only ever grows, while rules, bindings and schemas load.
// Readers take no lock: names below the published length never change.
var (
	byName  sync.Map // QName -> Name
	names   atomic.Pointer[[]QName]
	namesMu sync.Mutex
)

func init() { names.Store(&[]QName{{}}) } // NoName

// Lookup finds the number of a name; ok is false when nobody interned it.
func Lookup(q QName) (n Name, ok bool) {
	v, ok := byName.Load(q)
	if !ok {
		return NoName, false
	}
	return v.(Name), true
}

// Intern gives each name its number. Only rules, bindings and schemas intern
// names, never a document: a hostile one must not be able to grow the table.
func Intern(qnames ...QName) []Name {
	out := make([]Name, len(qnames))
	for i, q := range qnames {
		out[i] = intern(q)
	}
	return out
}

func intern(q QName) Name {
	if n, ok := Lookup(q); ok {
		return n
	}
	namesMu.Lock()
	defer namesMu.Unlock()
	if n, ok := Lookup(q); ok {
		return n
	}
	grown := append(*names.Load(), q)
	n := Name(len(grown) - 1)
	names.Store(&grown) // before anybody can find n
	byName.Store(q, n)
	return n
}

// QName spells a known name out; it is zero for any other.
func (n Name) QName() QName {
	known := *names.Load()
	if !n.Known() || int(n) >= len(known) {
		return QName{}
	}
	return known[n]
}

// String spells a known name with its conventional prefix.
func (n Name) String() string { return n.QName().String() }

// ParseQName reads "cbc:ID" or "ID" by the conventional prefixes.
func ParseQName(s string) (QName, error) {
	prefix, local, ok := strings.Cut(s, ":")
	if !ok {
		return QName{Local: s}, nil
	}
	uri, known := Prefixes[prefix]
	if !known {
		return QName{}, fmt.Errorf("unknown prefix %q in name %q", prefix, s)
	}
	return QName{URI: uri, Local: local}, nil
}
