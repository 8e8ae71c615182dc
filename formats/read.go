package formats

import (
	"errors"
	"slices"

	"einvoice/formats/binding"
	"einvoice/formats/pdf"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/source"
)

// Options say how documents are read. The zero Options are the defaults.
type Options struct {
	Limits  xmlparse.Limits // what one document may cost
	PDF     pdf.Limits      // what a PDF around it may cost; Bytes are those of Limits unless given
	XMLOnly bool            // refuse PDFs
	// Legacy reads ZUGFeRD 1.0 as well, as far as the model goes. There are no rules
	// for such documents; their Syntax is model.ZUGFeRD1.
	Legacy bool
}

// Read reads one document in any of the formats. Every error is a *problem.Error. The
// document's texts share data's memory: data must not change while it is in use.
//
// Of a PDF, the invoice that is attached to it is read: places in the document
// are those of the attached XML.
func Read(data []byte, options Options) (*model.Document, error) {
	received, err := Receive(data, options)
	if err != nil {
		return nil, err
	}
	return received.Document, nil
}

func readXML(data []byte, options Options) (*model.Document, error) {
	// Elements are found by names that are known before the document is parsed.
	known := All
	if options.Legacy {
		known = slices.Concat(All, Legacy)
	}
	for _, f := range known {
		f.InternNames()
	}
	tree, err := xmlparse.Parse(data, options.Limits)
	if err != nil {
		return nil, err
	}
	root := tree.Name(tree.Root())
	for _, f := range known {
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

func tooLarge(err error, tree *source.Tree) *problem.Error {
	e := &problem.Error{Code: xmlparse.CodeLimit, Message: err.Error(), Remedy: "split the document", Cause: err}
	if x, ok := errors.AsType[*binding.TooManyGroups](err); ok {
		e.Position = tree.Position(x.Node.Ref())
	}
	return e
}
