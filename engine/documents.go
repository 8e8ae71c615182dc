package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

// Documents say which documents an overlay, or one of its changes, is for. What is not
// said does not matter; the zero Documents are all.
type Documents struct {
	Syntax model.Syntax
	Root   string // the qualified name of the document element
	// Seller and Buyer are identifiers, of which the party has one.
	Seller, Buyer []Identifier
	// Where is a context as rules have it, which selects something.
	Where string
	// Except are standards that the document is not asked to follow by name.
	Except []string
}

func (f *ruleFile) documents(n *yaml.Node) (d Documents) {
	before := len(f.errors)
	f.mapping(n, "documents", func(key string, value *yaml.Node) bool {
		switch key {
		case "syntax":
			d.Syntax = f.syntax(value)
		case "root":
			if d.Root = f.scalar(value); !isRoot(d.Root) {
				f.fail(value, "%q is not a document element: use one of %s", d.Root, strings.Join(rootNames(), ", "))
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
	if d.IsEmpty() && len(f.errors) == before {
		f.fail(n, "documents says nothing: name some by syntax, root, seller, buyer, where or except, or remove the key for all documents")
	}
	return d
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
	Days     Days     // that decide
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

// String says which documents these are, on one line; "" for all.
func (d *Documents) String() string {
	var parts []string
	for _, p := range []struct{ name, value string }{
		{"", string(d.Syntax)}, {"", d.Root}, {"seller ", textOf(d.Seller)}, {"buyer ", textOf(d.Buyer)}, {"where ", d.Where},
		{"not asked to follow ", strings.Join(d.Except, ", ")},
	} {
		if p.value != "" {
			parts = append(parts, p.name+p.value)
		}
	}
	return strings.Join(parts, "; ")
}

// IsEmpty reports whether they are all documents.
func (d *Documents) IsEmpty() bool {
	return d.Syntax == "" && d.Root == "" && d.Where == "" && len(d.Seller)+len(d.Buyer)+len(d.Except) == 0
}
