package server

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"einvoice/formats"
	"einvoice/formats/bundle"
)

// An extraction is what was taken out of an upload, as it is sent.
type extraction struct {
	mediaType string
	fileName  string // to save it under; "" where it is data for a program
	body      []byte
	legacy    string // the format that it was read from, where that is older than EN 16931
}

// postExtract is POST /v1/extract/{what}. Whether the invoice is valid is not
// asked: who received a faulty one needs to see what is in it all the more.
func (s *Server) postExtract(what string, extract func(upload, formats.Options) (*extraction, error)) handler {
	return func(x *exchange) error {
		return s.withBody(x, func(b *buffer) error {
			up, err := s.readUpload(x, b)
			if err != nil {
				return err
			}
			var found *extraction
			err = s.inTurn(x, func(ctx context.Context, book *rulebook) error {
				found, err = reading(ctx, book, up, func(options formats.Options) (*extraction, error) { return extract(up, options) })
				return err
			})
			if err != nil {
				return err
			}
			x.outcome = "extracted"
			s.metrics.made("extract", what, nil, true)
			if found.fileName != "" {
				x.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": found.fileName}))
			}
			if found.legacy != "" {
				x.Header().Set("Invoice-Legacy", found.legacy)
			}
			return x.send(http.StatusOK, found.mediaType, found.body)
		})
	}
}

// extractXML gives the bytes as they are embedded: signatures and digests of the
// sender stay right.
func extractXML(up upload, options formats.Options) (*extraction, error) {
	xml, name, err := formats.EmbeddedXML(up.data, options)
	if err != nil {
		return nil, err
	}
	if name == "" { // an XML was sent, and has the name that the client gave it
		name = up.name
	}
	return &extraction{mediaType: "application/xml", fileName: xmlName(name), body: xml}, nil
}

// xmlName makes the name that a stranger gave to an attachment one to save XML
// under: no folder, nothing hidden, and nothing that a double click would run.
func xmlName(name string) string {
	name = strings.TrimLeft(cleanName(name), ". ")
	switch {
	case name == "":
		return "invoice.xml"
	case strings.HasSuffix(strings.ToLower(name), ".xml"):
		return name
	}
	return name + ".xml"
}

func extractJSON(up upload, options formats.Options) (*extraction, error) {
	options.Legacy = true
	doc, err := formats.Read(up.data, options)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // as sendJSON does
	err = encoder.Encode(doc.Invoice)
	return &extraction{mediaType: "application/json", body: body.Bytes(), legacy: formats.LegacyName(doc)}, err
}

func extractAttachments(up upload, options formats.Options) (*extraction, error) {
	documents, err := bundle.Of(up.data, options)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	err = documents.WriteZIP(&archive)
	return &extraction{mediaType: "application/zip", fileName: "documents.zip", body: archive.Bytes()}, err
}
