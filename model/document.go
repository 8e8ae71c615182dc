package model

import "einvoice/model/source"

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
