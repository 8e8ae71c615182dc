package service

import (
	"bytes"
	"context"
	"encoding/json"

	"einvoice/formats"
	"einvoice/formats/bundle"
)

// An Extraction is what was taken out of a document.
type Extraction struct {
	Data      []byte
	MediaType string
	Name      string // of the attachment that it was; empty where it was none
	Legacy    string // the format that was read, where that is older than EN 16931
	// Losses are what the document has and the JSON has not. XML and attachments are
	// taken out as they are.
	Losses []formats.Loss
}

// ExtractXML returns the XML of an invoice byte by byte as it is embedded, so that
// signatures and digests of the sender stay right. It need not be a valid invoice.
func (s *Service) ExtractXML(ctx context.Context, data []byte) (*Extraction, error) {
	return within(ctx, s.config.Read, func(options formats.Options) (*Extraction, error) {
		xml, name, err := formats.EmbeddedXML(data, options)
		return &Extraction{Data: xml, MediaType: MediaTypeXML, Name: name}, err
	})
}

// ExtractJSON returns the normalized invoice as JSON.
func (s *Service) ExtractJSON(ctx context.Context, data []byte) (*Extraction, error) {
	doc, err := s.Read(ctx, data, Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, err
	}
	losses, err := formats.ReadLosses(doc)
	if err != nil {
		return nil, err
	}
	losses = append(losses, formats.CurrencyLosses(doc)...)
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(doc.Invoice)
	return &Extraction{Data: body.Bytes(), MediaType: "application/json", Name: doc.Attachment, Legacy: formats.LegacyName(doc), Losses: losses}, err
}

// ExtractAttachments returns a ZIP of every document that came with an invoice, with a
// manifest.json.
func (s *Service) ExtractAttachments(ctx context.Context, data []byte) (*Extraction, error) {
	return within(ctx, s.config.Read, func(options formats.Options) (*Extraction, error) {
		documents, err := bundle.Of(data, options)
		if err != nil {
			return nil, err
		}
		var archive bytes.Buffer
		err = documents.WriteZIP(&archive)
		return &Extraction{Data: archive.Bytes(), MediaType: "application/zip"}, err
	})
}
