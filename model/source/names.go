package source

import (
	"fmt"
	"strings"
	"sync/atomic"

	"einvoice/model/quote"
	"einvoice/model/syntax"
)

// A Name is a qualified XML name as a small integer, so that comparing two names is
// fast. A name that a rule, binding or schema has interned has the same number in every
// document. Any other name is unknown: its number is only valid in its own tree.
type Name int32

const (
	// NoName is the zero Name; no element has it.
	NoName Name = 0
	// firstUnknown is the first of the numbers that are only valid in one tree.
	firstUnknown Name = 1 << 24
)

// Unknown returns the index of an unknown name in Tree.Unknown of its tree.
func (n Name) Unknown() (i int, ok bool) { return int(n - firstUnknown), n >= firstUnknown }

// Known reports whether the name is interned.
func (n Name) Known() bool { return n > NoName && n < firstUnknown }

// Prefixes are the conventional prefixes of the standards' namespaces. All qualified
// names in rules, bindings and findings use them, independent of the prefixes that a
// document declares.
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

// A QName is a qualified name: a namespace and a local name.
type QName struct {
	URI   string
	Local string
}

// String writes the name with its conventional prefix ("cbc:ID"), or as Q{uri}local if
// the namespace has none. Of very long names, which are in no standard, it shows the
// beginning.
func (q QName) String() string { return string(q.append(nil)) }

func (q QName) append(b []byte) []byte {
	if prefix, ok := prefixOf[q.URI]; ok {
		b = append(append(b, prefix...), ':')
	} else if q.URI != "" {
		b = append(append(append(b, "Q{"...), quote.Shorten(q.URI, quote.Most)...), '}')
	}
	return append(b, quote.Shorten(q.Local, quote.Most)...)
}

// Count is how many names are interned. It never is less than it was.
func Count() int { return len(*names.Load()) }

// QName is the qualified name of an interned name; it is zero for others.
func (n Name) QName() QName {
	known := *names.Load()
	if !n.Known() || int(n) >= len(known) {
		return QName{}
	}
	return known[n]
}

// String writes an interned name with its conventional prefix. What was written once is kept.
func (n Name) String() string {
	if !n.Known() {
		return n.QName().String()
	}
	kept := spelled.Load()
	if kept == nil || int(n) >= len(*kept) {
		larger := make([]atomic.Pointer[string], Count()) // what the smaller one kept is written again
		kept = &larger
		if int(n) >= len(larger) {
			return n.QName().String()
		}
		spelled.Store(kept)
	}
	if text := (*kept)[n].Load(); text != nil {
		return *text
	}
	text := n.QName().String()
	(*kept)[n].Store(&text)
	return text
}

// spelled are interned names as String writes them, by number; nil before the first.
var spelled atomic.Pointer[[]atomic.Pointer[string]]

// Spell writes any name in this tree as QName.String does.
func (t *Tree) Spell(n Name) string {
	if n >= firstUnknown {
		return t.NameOf(n).String()
	}
	return n.String()
}

// ParseQName reads "cbc:ID" or "ID", with conventional prefixes.
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
