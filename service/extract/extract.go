// Package extract takes the XML, the invoice as JSON, or all attachments out of a document.
//
//	invoice, err := extract.JSON(ctx, service, data)
//
// It does not validate. The extraction lists the values of the document that the JSON lacks.
package extract

import (
	"bytes"
	"context"
	"encoding/json"

	"einvoice/formats"
	"einvoice/formats/bundle"
	"einvoice/model/deadline"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// An Extraction is the part of a document that was extracted.
type Extraction struct {
	Data      []byte
	MediaType string
	Name      string // of the attachment that it was; empty where it was none
	Legacy    string // the format that was read, where that is older than EN 16931
	// Losses are what the document has and the JSON has not. XML and attachments are
	// taken out as they are.
	Losses []formats.Loss
}

// XML returns the XML of an invoice byte by byte as it is embedded, so that signatures and
// digests of the sender stay right. It need not be a valid invoice. An error is a
// *problem.Error unless the context ended.
func XML(ctx context.Context, s *validate.Service, data []byte) (*Extraction, error) {
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	return validate.Within(ctx, s, func(options formats.Options) (*Extraction, error) {
		xml, name, err := formats.EmbeddedXML(data, options)
		return &Extraction{Data: xml, MediaType: write.MediaTypeXML, Name: name}, err
	})
}

// JSON returns the normalized invoice as JSON. An error is a *problem.Error unless the context
// ended.
func JSON(ctx context.Context, s *validate.Service, data []byte) (*Extraction, error) {
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	doc, err := s.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // the document is read once more, and written
	}
	losses, err := formats.ReadLosses(ctx, doc)
	if err != nil {
		return nil, err
	}
	currencies, err := formats.CurrencyLosses(ctx, doc)
	if err != nil {
		return nil, err
	}
	losses = append(losses, currencies...)
	formats.DropShared(doc)
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(doc.Invoice)
	return &Extraction{Data: body.Bytes(), MediaType: "application/json", Name: doc.Attachment, Legacy: formats.LegacyName(doc), Losses: losses}, err
}

// Attachments returns a ZIP of all attachments of an invoice, with a manifest.json. An error
// is a *problem.Error unless the context ended.
func Attachments(ctx context.Context, s *validate.Service, data []byte) (*Extraction, error) {
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	return validate.Within(ctx, s, func(options formats.Options) (*Extraction, error) {
		documents, err := bundle.Of(data, options)
		if err != nil {
			return nil, err
		}
		var archive bytes.Buffer
		err = documents.WriteZIP(deadline.Writer(ctx, &archive))
		return &Extraction{Data: archive.Bytes(), MediaType: "application/zip"}, err
	})
}
