package engine

import (
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// The kinds of identifiers of a party. KindAny is an identifier of which only the text is
// said, and any identifier of the party may have it.
const (
	KindAny        = ""
	KindVAT        = "vat"        // BT-31, BT-48
	KindTax        = "tax"        // BT-32
	KindLegal      = "legal"      // BT-30, BT-47
	KindEndpoint   = "endpoint"   // BT-34, BT-49
	KindIdentifier = "identifier" // BT-29, BT-46
	KindLeitweg    = "leitweg"    // BT-10 of the buyer, or an electronic address of scheme 0204
)

// identifierKinds are the keys of an identifier; those that are true take a scheme.
var identifierKinds = map[string]bool{KindVAT: false, KindTax: false, KindLegal: true, KindEndpoint: true, KindIdentifier: true, KindLeitweg: false}

const identifierKindNames = "vat, tax, legal, endpoint, identifier, leitweg"

// leitwegScheme is the scheme of an electronic address that is a Leitweg-ID.
const leitwegScheme = "0204"

// An Identifier is one that a party has to have.
type Identifier struct {
	Kind   string // one of the kinds
	Value  string
	Scheme string // "" for any
}

// String writes the identifier on one line.
func (i Identifier) String() string {
	switch {
	case i.Kind == KindAny:
		return i.Value
	case i.Scheme != "":
		return i.Kind + " " + i.Scheme + ":" + i.Value
	}
	return i.Kind + " " + i.Value
}

func textOf(all []Identifier) string {
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = all[i].String()
	}
	return strings.Join(texts, ", ")
}

// identifiers reads identifiers of a party: texts, or mappings that say of which kind each
// is. One mapping needs no list around it.
func (f *ruleFile) identifiers(n *yaml.Node) []Identifier {
	items := n.Content
	switch n.Kind {
	case yaml.MappingNode:
		items = []*yaml.Node{n}
	case yaml.SequenceNode:
	default:
		f.fail(n, "expected a list of identifiers, such as [{vat: DE123456789}]%s", asList(n))
		return nil
	}
	if len(items) == 0 {
		f.fail(n, "no identifier is named, so that no document would do: write one, such as [{vat: DE123456789}], or remove the key")
	}
	list := []Identifier{}
	for _, item := range items {
		if item.Kind == yaml.MappingNode {
			list = append(list, f.identifierOfKind(item)...)
			continue
		}
		list = append(list, f.identifier(item, KindAny))
	}
	return list
}

func (f *ruleFile) identifier(n *yaml.Node, kind string) Identifier {
	i := Identifier{Kind: kind, Value: xpath.NormalizeSpace(f.scalar(n))}
	if i.Value == "" && n.Kind == yaml.ScalarNode {
		f.fail(n, "an identifier of a party is empty")
	}
	return i
}

// identifierOfKind reads {vat: DE1}, {endpoint: 1, scheme: 0088} or {vat: [DE1, DE2]}.
func (f *ruleFile) identifierOfKind(n *yaml.Node) (list []Identifier) {
	scheme, before := "", len(f.errors)
	known := f.mapping(n, "an identifier of a party", func(key string, value *yaml.Node) bool {
		if key == "scheme" {
			scheme = f.scalar(value)
			return true
		}
		if _, is := identifierKinds[key]; !is {
			return false
		}
		values := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			values = value.Content
		}
		for _, one := range values {
			list = append(list, f.identifier(one, key))
		}
		return true
	})
	switch {
	case !known || len(f.errors) > before:
	case len(list) == 0:
		f.fail(n, "an identifier of a party needs one of %s", identifierKindNames)
	}
	for i := range list {
		if scheme == "" {
			continue
		}
		if !identifierKinds[list[i].Kind] && len(f.errors) == before {
			f.fail(n, "an identifier of kind %s has no scheme: remove it", list[i].Kind)
		}
		list[i].Scheme = scheme
	}
	return list
}

// A writtenIdentifier is one that an invoice has.
type writtenIdentifier struct {
	kind          string
	value, scheme model.Text
}

// is reports whether what is written is the identifier that is wanted.
func (i Identifier) is(w writtenIdentifier) bool {
	if !w.value.Present || xpath.NormalizeSpace(w.value.Raw) != i.Value {
		return false
	}
	scheme := xpath.NormalizeSpace(w.scheme.Raw)
	switch i.Kind {
	case KindAny:
		return w.kind != KindLeitweg // the buyer reference is not an identifier but where it is called one
	case KindLeitweg:
		return w.kind == KindLeitweg || w.kind == KindEndpoint && scheme == leitwegScheme
	}
	return i.Kind == w.kind && (i.Scheme == "" || i.Scheme == scheme)
}

func anyOf(wanted []Identifier, have []writtenIdentifier) bool {
	return slices.ContainsFunc(wanted, func(i Identifier) bool { return slices.ContainsFunc(have, i.is) })
}

// sellerIdentifiers are BT-29, BT-30, BT-31, BT-32 and BT-34.
func sellerIdentifiers(inv *model.Invoice) (all []writtenIdentifier) {
	s := inv.Seller
	if s == nil {
		return nil
	}
	all = append(all, writtenIdentifier{kind: KindVAT, value: s.VatIdentifier}, writtenIdentifier{kind: KindTax, value: s.TaxRegistrationIdentifier})
	for i := range s.Identifiers {
		all = append(all, writtenIdentifier{KindIdentifier, s.Identifiers[i].Identifier, s.Identifiers[i].SchemeID})
	}
	if r := s.LegalRegistration; r != nil {
		all = append(all, writtenIdentifier{KindLegal, r.Identifier, r.SchemeID})
	}
	if a := s.ElectronicAddress; a != nil {
		all = append(all, writtenIdentifier{KindEndpoint, a.Identifier, a.SchemeID})
	}
	return all
}

// buyerIdentifiers are BT-46, BT-47, BT-48 and BT-49, and BT-10 for a Leitweg-ID.
func buyerIdentifiers(inv *model.Invoice) (all []writtenIdentifier) {
	all = append(all, writtenIdentifier{kind: KindLeitweg, value: inv.BuyerReference})
	b := inv.Buyer
	if b == nil {
		return all
	}
	all = append(all, writtenIdentifier{kind: KindVAT, value: b.VatIdentifier}, writtenIdentifier{kind: KindTax, value: b.TaxRegistrationIdentifier})
	if b.Identifier != nil {
		all = append(all, writtenIdentifier{KindIdentifier, b.Identifier.Identifier, b.Identifier.SchemeID})
	}
	if r := b.LegalRegistration; r != nil {
		all = append(all, writtenIdentifier{KindLegal, r.Identifier, r.SchemeID})
	}
	if a := b.ElectronicAddress; a != nil {
		all = append(all, writtenIdentifier{KindEndpoint, a.Identifier, a.SchemeID})
	}
	return all
}

// PlainSeller is an identifier of the seller of which the kind is not said, so that a
// supplier may write it in any place.
func (d *Documents) PlainSeller() (value string, found bool) {
	i := slices.IndexFunc(d.Seller, func(id Identifier) bool { return id.Kind == KindAny })
	if i < 0 {
		return "", false
	}
	return d.Seller[i].Value, true
}
