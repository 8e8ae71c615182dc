// Package syntax is the list of the XML syntaxes that invoices are written in. The list
// is in syntaxes.yaml; all other code loops over it.
//
//	for _, s := range syntax.Current() {
//		fmt.Println(s.ID, s.Label, s.Roots[0].Element)
//	}
package syntax

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"einvoice/model/embedded"
)

//go:embed syntaxes.yaml
var list []byte

// A Syntax is one XML vocabulary for invoices.
type Syntax struct {
	ID         string            `yaml:"id"`    // in requests, rules and reports: ubl
	Label      string            `yaml:"label"` // in messages: UBL
	Name       string            `yaml:"name"`  // with the version: UBL 2.1
	Hybrid     bool              `yaml:"hybrid"`
	Legacy     bool              `yaml:"legacy"`
	Roots      []Root            `yaml:"roots"`
	Namespaces map[string]string `yaml:"namespaces"` // by conventional prefix
	// NamespacePrefix is what the namespaces of all documents of the syntax begin with, so
	// that a message can name a document other than an invoice; empty if they have nothing
	// in common.
	NamespacePrefix string `yaml:"namespacePrefix"`
	// Successors are what to ask a sender for instead of a legacy syntax.
	Successors string `yaml:"successors"`
}

// A Root is the root element of an invoice or a credit note.
type Root struct {
	Element    string `yaml:"element"` // with its conventional prefix
	Schema     string `yaml:"schema"`  // in rulesets/schemas; empty if there is none
	CreditNote bool   `yaml:"creditNote"`
}

var all = sync.OnceValue(func() []*Syntax {
	var file struct {
		Syntaxes []*Syntax `yaml:"syntaxes"`
	}
	if err := embedded.Decode("model/syntax/syntaxes.yaml", list, &file); err != nil {
		panic(fmt.Sprintf("syntaxes.yaml: %v", err)) // the file is part of the program, and a test reads it
	}
	return file.Syntaxes
})

// Current are the syntaxes that rules apply to, in the order in which they are listed.
func Current() []*Syntax {
	return slices.DeleteFunc(slices.Clone(all()), func(s *Syntax) bool { return s.Legacy })
}

// Legacy are the syntaxes that are only read.
func Legacy() []*Syntax {
	return slices.DeleteFunc(slices.Clone(all()), func(s *Syntax) bool { return !s.Legacy })
}

// Named finds a syntax by its id; nil if there is none.
func Named(id string) *Syntax {
	if i := slices.IndexFunc(all(), func(s *Syntax) bool { return s.ID == id }); i >= 0 {
		return all()[i]
	}
	return nil
}

// OfRoot finds the syntax with a root element, which is given with its conventional
// prefix; nil if there is none.
func OfRoot(element string) (*Syntax, *Root) {
	for _, s := range all() {
		for i := range s.Roots {
			if s.Roots[i].Element == element {
				return s, &s.Roots[i]
			}
		}
	}
	return nil, nil
}

// Namespaces are the namespaces of all syntaxes by their conventional prefixes.
func Namespaces() map[string]string {
	out := map[string]string{}
	for _, s := range all() {
		for prefix, uri := range s.Namespaces {
			out[prefix] = uri
		}
	}
	return out
}

// Label is the name of a syntax in messages. It is the id if there is no such syntax.
func Label(id string) string {
	if s := Named(id); s != nil {
		return s.Label
	}
	return id
}

// Root is the name of the root element of an invoice or of a credit note.
func (s *Syntax) Root(creditNote bool) string {
	for _, r := range s.Roots {
		if r.CreditNote == creditNote {
			return r.Element
		}
	}
	return s.Roots[0].Element
}
