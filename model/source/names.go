package source

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
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
var Prefixes = map[string]string{
	"ubl":      "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
	"cn":       "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2",
	"cac":      "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
	"cbc":      "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
	"ext":      "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2",
	"rsm":      "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
	"ram":      "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
	"udt":      "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
	"qdt":      "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
	"sig":      "urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2",
	"sac":      "urn:oasis:names:specification:ubl:schema:xsd:SignatureAggregateComponents-2",
	"sbc":      "urn:oasis:names:specification:ubl:schema:xsd:SignatureBasicComponents-2",
	"ds":       "http://www.w3.org/2000/09/xmldsig#",
	"xades":    "http://uri.etsi.org/01903/v1.3.2#",
	"xades141": "http://uri.etsi.org/01903/v1.4.1#",
	"xsi":      "http://www.w3.org/2001/XMLSchema-instance",
	"xml":      "http://www.w3.org/XML/1998/namespace",
}

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

// nameTable is replaced as a whole when a name is added, so that readers need
// no lock: names are added while rules load, and looked up for every document.
type nameTable struct {
	byName map[QName]Name
	names  []QName
}

var (
	table   atomic.Pointer[nameTable]
	tableMu sync.Mutex
)

func init() { table.Store(&nameTable{byName: map[QName]Name{}, names: make([]QName, 1)}) }

// Lookup finds the number of a name; ok is false when nobody interned it.
func Lookup(q QName) (n Name, ok bool) {
	n, ok = table.Load().byName[q]
	return n, ok
}

// Intern gives a name its number. Only rules, bindings and schemas intern
// names, never a document: a hostile one must not be able to grow the table.
func Intern(names ...QName) []Name {
	tableMu.Lock()
	defer tableMu.Unlock()
	old := table.Load()
	out := make([]Name, len(names))
	var next *nameTable
	for i, q := range names {
		t := old
		if next != nil {
			t = next
		}
		n, ok := t.byName[q]
		if !ok {
			if next == nil {
				next = old.clone()
			}
			n = Name(len(next.names))
			next.names = append(next.names, q)
			next.byName[q] = n
		}
		out[i] = n
	}
	if next != nil {
		table.Store(next)
	}
	return out
}

func (t *nameTable) clone() *nameTable {
	c := &nameTable{byName: make(map[QName]Name, len(t.byName)+64), names: append([]QName(nil), t.names...)}
	for q, n := range t.byName {
		c.byName[q] = n
	}
	return c
}

// QName spells a known name out; it is zero for any other.
func (n Name) QName() QName {
	t := table.Load()
	if !n.Known() || int(n) >= len(t.names) {
		return QName{}
	}
	return t.names[n]
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
