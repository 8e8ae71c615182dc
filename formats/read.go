package formats

import (
	"context"
	"errors"
	"slices"

	"einvoice/formats/binding"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/deadline"
	"einvoice/model/problem"
	"einvoice/model/source"
)

// Options say how documents are read. The zero Options are the defaults, for XML alone.
type Options struct {
	Limits xmlparse.Limits // what one document may cost
	// OpenPDF opens PDFs that documents are attached to; hybrid.Opener has one. PDFs are
	// refused without it.
	OpenPDF OpenPDF
	XMLOnly bool // refuse PDFs
	// Legacy also reads the formats in the list Legacy, as far as the model has terms
	// for their content. There are no rules for such documents.
	Legacy bool
	// Reserve, if it is set, is asked before a document is parsed. Its error refuses
	// the document.
	Reserve func(data []byte) error
	// Context ends the reading; nil never does.
	Context context.Context
}

// Err returns the error of the Context after its end; nil before.
func (o Options) Err() error { return deadline.Err(o.context()) }

// context is the Context, or one that never ends.
func (o Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Read reads one document in any of the formats. Every error is a *problem.Error.
// The texts of the document share the memory of data, which must not change while
// the document is in use.
//
// If data is a PDF, the invoice that is attached to it is read, and positions in the
// document are those in the attached XML.
func Read(data []byte, options Options) (*model.Document, error) {
	received, err := Receive(data, options)
	if err != nil {
		return nil, err
	}
	return received.Document, nil
}

// parse parses a document that was reserved for.
func (o Options) parse(data []byte) (*source.Tree, error) {
	if o.Reserve != nil {
		if err := o.Reserve(data); err != nil {
			return nil, err
		}
	}
	return xmlparse.ParseContext(o.context(), data, o.Limits)
}

func readXML(data []byte, options Options) (*model.Document, error) {
	// The names of all bindings must be interned before the document is parsed.
	known := All
	if options.Legacy {
		known = slices.Concat(All, Legacy)
	}
	for _, f := range known {
		f.InternNames()
	}
	tree, err := options.parse(data)
	if err != nil {
		return nil, err
	}
	root := tree.Name(tree.Root())
	for _, f := range known {
		if !f.Reads(root) {
			continue
		}
		doc, err := f.Document(options.context(), tree)
		if err != nil {
			return nil, tooLarge(err, tree)
		}
		return doc, nil
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
