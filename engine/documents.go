package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

// Documents say which documents an overlay, or one of its changes, is for. What is not
// said does not matter; the zero Documents are all.
type Documents struct {
	Syntax model.Syntax
	Root   string // the qualified name of the document element
	// Seller and Buyer are identifiers, of which the party has one: of its VAT or tax
	// registration, register entry, electronic address, or any other.
	Seller, Buyer []string
	// Where is a context as rules have it, which selects something.
	Where string
	// Except are standards that the document is not asked to follow by name.
	Except []string
}

func (f *ruleFile) documents(n *yaml.Node) (d Documents) {
	f.mapping(n, "documents", func(key string, value *yaml.Node) bool {
		switch key {
		case "syntax":
			d.Syntax = f.syntax(value)
		case "root":
			if d.Root = f.scalar(value); !isRoot(d.Root) {
				f.fail(value, "%q is no document element: use one of %s", d.Root, strings.Join(rootNames(), ", "))
			}
		case "seller":
			d.Seller = f.identifiers(value)
		case "buyer":
			d.Buyer = f.identifiers(value)
		case "where":
			d.Where = f.scalar(value)
			if _, err := newRuleGroup(d.Where); err != nil {
				f.errors = append(f.errors, ErrorAt(f.name, value, err))
			}
		case "except":
			d.Except = f.texts(value)
		default:
			return false
		}
		return true
	})
	return d
}

// identifiers reads identifiers of a party.
func (f *ruleFile) identifiers(n *yaml.Node) []string {
	list := f.texts(n)
	for i := range list {
		if list[i] = xpath.NormalizeSpace(list[i]); list[i] == "" {
			f.fail(n, "an identifier of a party is empty")
		}
	}
	return list
}

func rootNames() (names []string) {
	for _, s := range syntax.Current() {
		for _, root := range s.Roots {
			names = append(names, root.Element)
		}
	}
	return names
}

func isRoot(name string) bool { return slices.Contains(rootNames(), name) }

// A Judged is a document with what overlays ask about its validation.
type Judged struct {
	Document *model.Document
	Profile  *Profile
	Rulesets []string // "family/version" or "family"
	Standard string   // that the document is asked to follow by name; "" for none
	Day      Day      // that decides
}

// have says why a document is not one of these; "" if it is.
func (d *Documents) have(ctx context.Context, l *Library, j *Judged) (reason string, err error) {
	doc := j.Document
	switch {
	case d.Syntax != "" && d.Syntax != doc.Syntax:
		return fmt.Sprintf("it is for documents in %s", d.Syntax.Label()), nil
	case d.Root != "" && (doc.Source == nil || d.Root != documentElement(doc)):
		return fmt.Sprintf("it is for documents with the root element %s", d.Root), nil
	case j.Standard != "" && slices.Contains(d.Except, j.Standard):
		return fmt.Sprintf("it is not for documents that are asked to follow %s by name", j.Standard), nil
	case d.Seller != nil && !anyOf(d.Seller, sellerIdentifiers(doc.Invoice)):
		return "it is for invoices of other sellers", nil
	case d.Buyer != nil && !anyOf(d.Buyer, buyerIdentifiers(doc.Invoice)):
		return "it is for invoices to other buyers", nil
	case d.Where != "":
		selected, err := l.Evaluate(ctx, doc, d.Where, "true")
		if err != nil || len(selected) > 0 {
			return "", err
		}
		return "it is for documents in which " + d.Where + " selects something", nil
	}
	return "", nil
}

func anyOf(wanted []string, have []model.Text) bool {
	return slices.ContainsFunc(have, func(t model.Text) bool {
		return t.Present && slices.Contains(wanted, xpath.NormalizeSpace(t.Raw))
	})
}

// sellerIdentifiers are BT-29, BT-30, BT-31, BT-32 and BT-34.
func sellerIdentifiers(inv *model.Invoice) (all []model.Text) {
	s := inv.Seller
	if s == nil {
		return nil
	}
	all = append(all, s.VatIdentifier, s.TaxRegistrationIdentifier)
	for i := range s.Identifiers {
		all = append(all, s.Identifiers[i].Identifier)
	}
	if s.LegalRegistration != nil {
		all = append(all, s.LegalRegistration.Identifier)
	}
	if s.ElectronicAddress != nil {
		all = append(all, s.ElectronicAddress.Identifier)
	}
	return all
}

// buyerIdentifiers are BT-46, BT-47, BT-48 and BT-49.
func buyerIdentifiers(inv *model.Invoice) (all []model.Text) {
	b := inv.Buyer
	if b == nil {
		return nil
	}
	all = append(all, b.VatIdentifier, b.TaxRegistrationIdentifier)
	if b.Identifier != nil {
		all = append(all, b.Identifier.Identifier)
	}
	if b.LegalRegistration != nil {
		all = append(all, b.LegalRegistration.Identifier)
	}
	if b.ElectronicAddress != nil {
		all = append(all, b.ElectronicAddress.Identifier)
	}
	return all
}

// String says which documents these are, on one line; "" for all.
func (d *Documents) String() string {
	var parts []string
	for _, p := range []struct{ name, value string }{
		{"", string(d.Syntax)}, {"", d.Root}, {"seller ", strings.Join(d.Seller, ", ")}, {"buyer ", strings.Join(d.Buyer, ", ")}, {"where ", d.Where},
		{"not asked to follow ", strings.Join(d.Except, ", ")},
	} {
		if p.value != "" {
			parts = append(parts, p.name+p.value)
		}
	}
	return strings.Join(parts, "; ")
}
