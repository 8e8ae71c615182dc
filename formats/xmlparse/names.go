package xmlparse

import (
	"hash/maphash"
	"strings"

	"einvoice/model/quote"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

// A nameTable resolves qualified names. Each name is resolved once for each set of
// namespace declarations in scope, and is then found by its spelling. Interned names stay
// for the next document, which most often has the same declarations and names.
type nameTable struct {
	current namespaceState
	// bindings are the declarations in scope, the innermost last.
	bindings []binding
	// scopes are the numbers of the sets of declarations that have occurred.
	scopes map[declaration]scopeID
	kept   int // how many of these are of earlier documents
	// table is a hash table with open addressing; its length is a power of two.
	table []nameEntry
	used  int // entries of the table
	added int // those of this document
	// follows has the entry that was last found where elements of two names were around and
	// before it (elementGuess), and attribute the one found for the last attribute. Both are
	// guesses, which are compared with what is written.
	follows   []int32
	attribute int32
	unknown   map[source.QName]source.Name
}

// A scopeID is the number of a set of namespace declarations; 0 is the empty set.
type scopeID int32

// A namespaceState is what an end tag restores.
type namespaceState struct {
	scope    scopeID
	bindings int32
}

type binding struct{ prefix, uri string }

// A declaration is a set of declarations: the set outside, with one more binding.
type declaration struct {
	outer scopeID
	binding
}

// A nameKind tells names of elements from those of attributes: an attribute without a
// prefix is in no namespace, even if there is a default namespace.
type nameKind int32

const (
	ofElement nameKind = iota
	ofAttribute
)

type nameEntry struct {
	raw  string
	key  int32 // the scope and the kind
	name source.Name
}

// seed makes hash collisions unpredictable for the author of a document.
var seed = maphash.MakeSeed()

const (
	smallTable = 1024
	// mostKept is how many names, and sets of declarations, stay for the next document: those
	// of several syntaxes, each by the declarations around it. largeTable has room for them.
	mostKept   = 1792
	largeTable = 4096
	// guesses is a power of two.
	guesses = 4096
)

func (n *nameTable) prepare() {
	if n.table == nil {
		n.table = make([]nameEntry, smallTable)
		n.follows = make([]int32, guesses)
		n.scopes = map[declaration]scopeID{}
		n.unknown = map[source.QName]source.Name{}
	}
}

// reset prepares for another document. Names that only this document has are not kept,
// nor are tables that grew for a large or hostile one; what is kept refers to nothing of
// its text.
func (n *nameTable) reset() {
	if len(n.table) > largeTable || len(n.scopes) > mostKept {
		*n = nameTable{}
		return
	}
	used := n.used
	if used > mostKept || len(n.scopes) > mostKept || len(n.unknown) > 0 {
		clear(n.table)
		clear(n.scopes)
		clear(n.unknown)
		used = 0
	}
	n.bindings = reuse.Emptied(n.bindings, mostWorking)
	n.current, n.attribute = namespaceState{}, 0
	n.kept, n.used, n.added = len(n.scopes), used, 0
}

// leave restores the scope around an element.
func (n *nameTable) leave(outer namespaceState) {
	n.bindings = n.bindings[:outer.bindings]
	n.current = outer
}

// lookup finds the namespace of a prefix.
func (n *nameTable) lookup(prefix string) (uri string, ok bool) {
	for i := len(n.bindings) - 1; i >= 0; i-- {
		if n.bindings[i].prefix == prefix {
			return n.bindings[i].uri, true
		}
	}
	return "", prefix == ""
}

// elementGuess is where the likely entry of an element's name is kept, by the entries of the
// element around it and of the element that ended before it: invoices repeat their order.
func (n *nameTable) elementGuess(around, before int32) *int32 {
	return &n.follows[(around*97+before)&(guesses-1)]
}

// spelling is how the name of a guess is spelled.
func (n *nameTable) spelling(guess int32) string { return n.table[guess].raw }

// guessed is the element's name if it means here what it meant then; otherwise source.NoName. The spelling of the
// guess, which the element has, is compared again: the names of attributes may have moved all entries since.
func (n *nameTable) guessed(spelling string, guess int32) source.Name {
	if r := &n.table[guess]; r.raw == spelling && r.key == int32(n.current.scope)<<1|int32(ofElement) {
		return r.name
	}
	return source.NoName
}

// name resolves a qualified name, and keeps its entry as the next guess. It is
// source.NoName after an error.
func (p *parser) name(raw string, at int, k nameKind, guess *int32) source.Name {
	n := &p.names
	key := int32(n.current.scope)<<1 | int32(k)
	if r := &n.table[*guess]; r.key == key && r.raw == raw {
		return r.name
	}
	hash := maphash.String(seed, raw) + uint64(key)
	slot := int(hash) & (len(n.table) - 1)
	for ; n.table[slot].name != source.NoName; slot = (slot + 1) & (len(n.table) - 1) {
		if r := &n.table[slot]; r.key == key && r.raw == raw {
			*guess = int32(slot)
			return r.name
		}
	}
	if len(raw) > p.limits.NameBytes {
		p.failLimit(at, "bytes in a name", p.limits.NameBytes)
		return source.NoName
	}
	name := p.resolve(raw, at, k)
	if name == source.NoName {
		return name
	}
	if n.added++; n.added > p.limits.Names {
		p.failLimit(at, "different names", p.limits.Names)
		return source.NoName
	}
	if name.Known() { // it may stay
		raw = strings.Clone(raw)
	}
	n.table[slot], *guess = nameEntry{raw: raw, key: key, name: name}, int32(slot)
	if n.used++; n.used > len(n.table)/2 {
		n.grow()
	}
	return name
}

func (n *nameTable) grow() {
	old := n.table
	n.table = make([]nameEntry, 2*len(old))
	for _, r := range old {
		if r.name == source.NoName {
			continue
		}
		slot := int(maphash.String(seed, r.raw)+uint64(r.key)) & (len(n.table) - 1)
		for n.table[slot].name != source.NoName {
			slot = (slot + 1) & (len(n.table) - 1)
		}
		n.table[slot] = r
	}
}

// resolve resolves a name that is not in the table yet.
func (p *parser) resolve(raw string, at int, k nameKind) source.Name {
	prefix, local, prefixed := strings.Cut(raw, ":")
	if !prefixed {
		prefix, local = "", raw
	}
	q, bound := source.QName{Local: local}, true
	switch {
	case prefix == "xml":
		q.URI = source.Prefixes["xml"]
	case prefixed || k == ofElement:
		q.URI, bound = p.names.lookup(prefix)
	}
	if bound { // an interned name with a declared prefix is valid
		if name, ok := source.Lookup(q); ok {
			return name
		}
	}
	if !IsNCName(local) || prefixed && !IsNCName(prefix) {
		p.fail(CodeSyntax, at, quote.Value(raw)+" is not a name", "begin names with a letter; use letters, digits, \".\", \"-\", \"_\" and at most one colon")
		return source.NoName
	}
	if !bound {
		p.fail(CodeNamespace, at, "prefix "+quote.Value(prefix)+" is not bound to a namespace", "declare it: xmlns:"+quote.Shorten(prefix, quote.Most)+"=\"...\"")
		return source.NoName
	}
	name, ok := p.names.unknown[q]
	if !ok {
		name = source.UnknownName(len(p.tree.Unknown))
		p.tree.Unknown = append(p.tree.Unknown, q)
		p.names.unknown[q] = name
	}
	return name
}

const xmlnsURI = "http://www.w3.org/2000/xmlns/"

// declare adds a namespace declaration to the scope.
func (p *parser) declare(prefix string, a attribute, owner source.Node) bool {
	n := &p.names
	isXML := a.value == source.Prefixes["xml"]
	message := ""
	switch {
	case a.raw != "xmlns" && !IsNCName(prefix):
		message = quote.Value(prefix) + " is not a prefix"
	case prefix == "xmlns" || a.value == xmlnsURI:
		message = "the prefix xmlns and its namespace can not be declared"
	case isXML != (prefix == "xml"):
		message = "the prefix xml and its namespace belong together"
	case prefix != "" && a.value == "":
		message = "prefix " + quote.Value(prefix) + " is bound to no namespace"
	}
	if message != "" {
		return p.fail(CodeNamespace, a.offset, message, "bind a prefix of your own choice to the namespace that is meant") >= 0
	}
	if uri, ok := n.lookup(prefix); isXML || ok && uri == a.value {
		return true
	}
	if len(a.value) > p.limits.NameBytes {
		return p.failLimit(a.offset, "bytes in the name of a namespace", p.limits.NameBytes) >= 0
	}
	if len(n.bindings) == p.limits.Namespaces {
		return p.failLimit(a.offset, "namespace declarations in scope", p.limits.Namespaces) >= 0
	}
	b := binding{prefix: prefix, uri: a.value}
	n.bindings = append(n.bindings, b)
	n.current.bindings = int32(len(n.bindings))
	d := declaration{outer: n.current.scope, binding: b}
	inner, ok := n.scopes[d]
	if !ok {
		if len(n.scopes)-n.kept == p.limits.Names {
			return p.failLimit(a.offset, "different sets of namespace declarations", p.limits.Names) >= 0
		}
		inner = scopeID(len(n.scopes) + 1)
		d.binding = binding{prefix: strings.Clone(prefix), uri: strings.Clone(a.value)} // it may stay
		n.scopes[d] = inner
	}
	n.current.scope = inner
	p.tree.Namespaces = append(p.tree.Namespaces, source.Namespace{Owner: owner, Prefix: prefix, URI: a.value})
	return true
}
