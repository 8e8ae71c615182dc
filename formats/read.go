package formats

import (
	"bytes"
	"errors"

	"einvoice/formats/binding"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/source"
)

// Options say how documents are read. The zero Options are the defaults.
type Options struct {
	Limits xmlparse.Limits // what one document may cost
}

// Read reads one document in any of the formats. Every error is an *Error. The
// document's texts share data's memory: data must not change while it is in use.
func Read(data []byte, options Options) (*model.Document, error) {
	if isPDF(data) {
		return nil, &Error{
			Code:    CodePDF,
			Message: "this is a PDF, and invoices inside PDFs cannot be read yet",
			Remedy:  "extract the attached XML (factur-x.xml, zugferd-invoice.xml or xrechnung.xml) and hand that in",
		}
	}
	// Elements are found by names that are known before the document is parsed.
	for _, f := range All {
		f.InternNames()
	}
	tree, err := xmlparse.Parse(data, options.Limits)
	if err != nil {
		return nil, notParsed(err)
	}
	root := tree.Name(tree.Root())
	for _, f := range All {
		if !f.Reads(root) {
			continue
		}
		invoice, err := f.Read(tree)
		if err != nil {
			return nil, tooLarge(err, tree)
		}
		return &model.Document{Invoice: invoice, Syntax: f.Syntax, Source: tree}, nil
	}
	return nil, unrecognised(tree)
}

// isPDF allows for a little rubbish before the header, as PDF readers do.
func isPDF(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-"))
}

func tooLarge(err error, tree *source.Tree) *Error {
	e := &Error{Code: xmlparse.CodeLimit, Message: err.Error(), Remedy: "split the document", cause: err}
	if x, ok := errors.AsType[*binding.TooManyGroups](err); ok {
		e.Position = tree.Position(x.Node.Ref())
	}
	return e
}

func notParsed(err error) *Error {
	if x, ok := errors.AsType[*xmlparse.Error](err); ok {
		return &Error{Code: x.Code, Position: x.Position, Message: x.Message, Remedy: x.Remedy, cause: err}
	}
	return &Error{Code: CodeUnknown, Message: err.Error(), Remedy: "hand in an XML document", cause: err}
}
