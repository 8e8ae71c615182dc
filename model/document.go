package model

import (
	"einvoice/model/source"
	"einvoice/model/syntax"
)

// A Syntax is the XML vocabulary that a document is written in.
type Syntax string

const (
	// UBL is OASIS UBL 2.1, Invoice or CreditNote.
	UBL Syntax = "ubl"
	// CII is UN/CEFACT Cross Industry Invoice, D16B or D22B.
	CII Syntax = "cii"
	// ZUGFeRD1 is ZUGFeRD 1.0, which is older than EN 16931. It is only read, and there
	// are no rules for it.
	ZUGFeRD1 Syntax = "zugferd1"
)

// Label is the name of the syntax in messages.
func (s Syntax) Label() string { return syntax.Label(string(s)) }

// Syntaxes are the syntaxes that rules apply to, in the order in which they are listed.
func Syntaxes() []Syntax {
	var ids []Syntax
	for _, s := range syntax.Current() {
		ids = append(ids, Syntax(s.ID))
	}
	return ids
}

// A Document is an invoice with the XML that it was read from. Source is nil if the
// invoice was not read from XML.
type Document struct {
	Invoice *Invoice
	Syntax  Syntax
	Source  *source.Tree
	// Attachment is the name of the file, if the XML was attached to a PDF.
	Attachment string
	// Container describes that PDF, if rules are to be applied to it.
	Container *Container
	// Batch is the document among the others of a job, for rules about these. The invoice is
	// then empty.
	Batch *BatchEntry

	memory *Memory // of the invoice; nil where that is nobody's
	turn   int64   // of the memory
}

// Made is a document whose invoice was made in memory, which GiveBack gives back.
func Made(invoice *Invoice, in *Memory, syntax Syntax, tree *source.Tree) *Document {
	d := &Document{Invoice: invoice, Syntax: syntax, Source: tree, memory: in}
	if in != nil {
		d.turn = in.turn.Load()
	}
	return d
}

// GiveBack leaves the memory of a document that was read to documents that are read later.
// Nobody may use the document, its invoice, its source or anything inside them after it; texts
// of them stay as they are. Whoever keeps a document does not call it.
func (d *Document) GiveBack() {
	if d == nil {
		return
	}
	given := *d
	*d = Document{}
	if given.Source != nil {
		given.Source.GiveBack()
	}
	if given.memory != nil {
		given.memory.giveBack(given.turn)
	}
}
