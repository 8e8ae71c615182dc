package xmlparse

import (
	"hash/maphash"
	"strings"

	"einvoice/model/source"
)

// names resolves names as they are written. Each is resolved once for each set
// of namespace declarations, and then found by its spelling.
type names struct {
	current inScope
	// bindings are the declarations in scope, innermost last.
	bindings []binding
	// scopes numbers the sets of declarations that have occurred.
	scopes map[declaration]scope
	// table is a hash table with open addressing; its length is a power of two.
	table   []resolved
	used    int
	unknown map[source.QName]source.Name
}

// A scope is a set of namespace declarations; zero is the empty one.
type scope int32

// inScope is what end tags restore.
type inScope struct {
	scope    scope
	bindings int
}

type binding struct{ prefix, uri string }

type declaration struct {
	outer scope
	binding
}

// A kind of name tells elements from attributes: an attribute without a prefix
// is in no namespace, whatever is declared.
type kind int32

const (
	ofElement kind = iota
	ofAttribute
)

type resolved struct {
	raw  string
	key  int32 // scope and kind
	name source.Name
}

// seed makes collisions unpredictable for who writes a document.
var seed = maphash.MakeSeed()

const smallTable = 512

func (n *names) prepare() {
	if n.table == nil {
		n.table = make([]resolved, smallTable)
		n.scopes = map[declaration]scope{}
		n.unknown = map[source.QName]source.Name{}
	}
}

func (n *names) release() {
	if len(n.table) > smallTable || len(n.scopes) > smallTable { // a large or strange document: begin anew
		*n = names{}
		return
	}
	clear(n.table)
	clear(n.scopes)
	clear(n.unknown)
	*n = names{bindings: emptied(n.bindings), scopes: n.scopes, table: n.table, unknown: n.unknown}
}

// leave ends the scope of an element.
func (n *names) leave(outer inScope) {
	n.bindings = n.bindings[:outer.bindings]
	n.current = outer
}

// lookup finds the namespace of a prefix.
func (n *names) lookup(prefix string) (uri string, ok bool) {
	for i := len(n.bindings) - 1; i >= 0; i-- {
		if n.bindings[i].prefix == prefix {
			return n.bindings[i].uri, true
		}
	}
	return "", prefix == ""
}

// name resolves a name; it is source.NoName after an error.
func (p *parser) name(raw string, at int, k kind) source.Name {
	n := &p.names
	key := int32(n.current.scope)<<1 | int32(k)
	hash := maphash.String(seed, raw) + uint64(key)
	slot := int(hash) & (len(n.table) - 1)
	for ; n.table[slot].name != source.NoName; slot = (slot + 1) & (len(n.table) - 1) {
		if r := &n.table[slot]; r.key == key && r.raw == raw {
			return r.name
		}
	}
	name := p.resolve(raw, at, k)
	if name == source.NoName {
		return name
	}
	if n.used++; n.used > p.limits.Names {
		p.failLimit(at, "different names", p.limits.Names)
		return source.NoName
	}
	n.table[slot] = resolved{raw: raw, key: key, name: name}
	if n.used > len(n.table)/2 {
		n.grow()
	}
	return name
}

func (n *names) grow() {
	old := n.table
	n.table = make([]resolved, 2*len(old))
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

// resolve reads a name that is new in its scope.
func (p *parser) resolve(raw string, at int, k kind) source.Name {
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
	if bound { // a name that the rules know, under a prefix that was declared, needs no further check
		if name, ok := source.Lookup(q); ok {
			return name
		}
	}
	if !IsNCName(local) || prefixed && !IsNCName(prefix) {
		p.fail(CodeSyntax, at, Quote(raw)+" is not a name", "begin names with a letter; use letters, digits, \".\", \"-\", \"_\" and at most one colon")
		return source.NoName
	}
	if !bound {
		p.fail(CodeNamespace, at, "prefix "+Quote(prefix)+" is not bound to a namespace", "declare it: xmlns:"+prefix+"=\"...\"")
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

// declare takes a namespace declaration into scope.
func (p *parser) declare(prefix string, a attribute, owner source.Node) bool {
	n := &p.names
	isXML := a.value == source.Prefixes["xml"]
	message := ""
	switch {
	case a.raw != "xmlns" && !IsNCName(prefix):
		message = Quote(prefix) + " is not a prefix"
	case prefix == "xmlns" || a.value == xmlnsURI:
		message = "the prefix xmlns and its namespace can not be declared"
	case isXML != (prefix == "xml"):
		message = "the prefix xml and its namespace belong together"
	case prefix != "" && a.value == "":
		message = "prefix " + Quote(prefix) + " is bound to no namespace"
	}
	if message != "" {
		return p.fail(CodeNamespace, a.offset, message, "bind a prefix of your own choice to the namespace that is meant") >= 0
	}
	if uri, ok := n.lookup(prefix); isXML || ok && uri == a.value {
		return true
	}
	if len(n.bindings) == p.limits.Namespaces {
		return p.failLimit(a.offset, "namespace declarations in scope", p.limits.Namespaces) >= 0
	}
	b := binding{prefix: prefix, uri: a.value}
	n.bindings = append(n.bindings, b)
	n.current.bindings = len(n.bindings)
	d := declaration{outer: n.current.scope, binding: b}
	inner, ok := n.scopes[d]
	if !ok {
		if len(n.scopes) == p.limits.Names {
			return p.failLimit(a.offset, "different sets of namespace declarations", p.limits.Names) >= 0
		}
		inner = scope(len(n.scopes) + 1)
		n.scopes[d] = inner
	}
	n.current.scope = inner
	p.tree.Namespaces = append(p.tree.Namespaces, source.Namespace{Owner: owner, Prefix: prefix, URI: a.value})
	return true
}
