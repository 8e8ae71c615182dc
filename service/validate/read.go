package validate

import (
	"context"
	"errors"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/deadline"
)

// Accept says which documents an operation accepts besides XML of the two syntaxes.
type Accept struct {
	PDF    bool // a PDF to which the invoice is attached
	Legacy bool // ZUGFeRD 1.0, for which there are no rules
}

// Receive reads a document, with the PDF that it is attached to. The context bounds the time
// of a PDF's reader. An error is a *problem.Error unless the context ended.
func (s *Service) Receive(ctx context.Context, data []byte, accept Accept) (*formats.Received, error) {
	return Within(ctx, s, func(options formats.Options) (*formats.Received, error) {
		options.XMLOnly, options.Legacy = !accept.PDF, accept.Legacy
		return formats.Receive(data, options)
	})
}

// Read is Receive without the PDF around the document.
func (s *Service) Read(ctx context.Context, data []byte, accept Accept) (*model.Document, error) {
	received, err := s.Receive(ctx, data, accept)
	if err != nil {
		return nil, err
	}
	return received.Document, nil
}

// Within calls read with the options of the service and the time that the context leaves, and
// returns what read returns. If the context ends first, the error is the context's.
func Within[T any](ctx context.Context, s *Service, read func(formats.Options) (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if read == nil {
		return none, errors.New("there is nothing to read with: give a function")
	}
	options := s.config.Read
	options.Context, options.Reserve = ctx, reserving(ctx)
	found, err := read(options)
	if end := deadline.Err(ctx); end != nil {
		return none, end // the reader's error about the time would blame the document
	}
	return found, err
}

// largerThanRead is how many times the limit on a document's size one may be that was
// made here: XML has more text around its values than JSON.
const largerThanRead = 4

// ReceiveMade reads a document that this program made, until the context ends.
func (s *Service) ReceiveMade(ctx context.Context, data []byte) (*formats.Received, error) {
	options := s.config.Read
	options.Limits.Bytes *= largerThanRead
	options.Context = ctx
	received, err := formats.Receive(data, options)
	if end := deadline.Err(ctx); end != nil {
		return nil, end
	}
	return received, err
}

// ReadMade is ReceiveMade without the PDF around the document.
func (s *Service) ReadMade(ctx context.Context, data []byte) (*model.Document, error) {
	received, err := s.ReceiveMade(ctx, data)
	if err != nil {
		return nil, err
	}
	return received.Document, nil
}
