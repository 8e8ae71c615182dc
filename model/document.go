package model

import (
	"einvoice/model/source"
	"einvoice/model/syntax"
)

// A Syntax is the XML vocabulary a document is written in.
type Syntax string

const (
	// UBL is OASIS UBL 2.1, Invoice or CreditNote.
	UBL Syntax = "ubl"
	// CII is UN/CEFACT Cross Industry Invoice, D16B or D22B.
	CII Syntax = "cii"
	// ZUGFeRD1 is ZUGFeRD 1.0, older than EN 16931: it is read and never written, and
	// has no rules.
	ZUGFeRD1 Syntax = "zugferd1"
)

// Label is what people call a syntax in a sentence.
func (s Syntax) Label() string { return syntax.Label(string(s)) }

// Syntaxes are the current syntaxes, in the order in which they are listed.
func Syntaxes() []Syntax {
	var ids []Syntax
	for _, s := range syntax.Current() {
		ids = append(ids, Syntax(s.ID))
	}
	return ids
}

// A Document is an invoice with the XML it was read from, where there is one:
// Source is nil for an invoice that came as JSON.
type Document struct {
	Invoice *Invoice
	Syntax  Syntax
	Source  *source.Tree
	// Attachment is the name of the file inside a PDF that Source is, where the
	// document came in a PDF.
	Attachment string
	// Container is that PDF, where rules are to be held against it.
	Container *Container
}
