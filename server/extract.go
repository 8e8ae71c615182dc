package server

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"einvoice/formats"
	"einvoice/model/filename"
	"einvoice/server/admission"
	"einvoice/server/publishing"
	"einvoice/service/extract"
	"einvoice/service/validate"
)

// An extraction is one operation of extract.
type extraction struct {
	what string
	from func(context.Context, *validate.Service, []byte) (*extract.Extraction, error)
	// fileName is the name to save the result under, given that of the attachment or
	// upload; nil where it is data for a program.
	fileName func(name string) string
	// reads means that the result is what was read, which may be less than there is.
	reads bool
}

// extracts are all of them.
var extracts = []extraction{
	{what: "xml", from: extract.XML, fileName: xmlName},
	{what: "json", from: extract.JSON, reads: true},
	{what: "attachments", from: extract.Attachments, fileName: func(string) string { return "documents.zip" }},
}

// postExtract is POST /v1/extract/{what}. Whether the invoice is valid is not asked:
// the recipient of a faulty one needs to see what is in it all the more.
func (s *Server) postExtract(e extraction) handler {
	return func(x *exchange) error {
		return s.withBody(x, func(v *admission.Visit) error {
			up, err := s.readUpload(x, v)
			if err != nil {
				return err
			}
			if err := up.isPDFIfSaid(); err != nil {
				return err
			}
			var found *extract.Extraction
			err = s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
				if err := s.reservePDF(x, up.data); err != nil {
					return err
				}
				found, err = e.from(ctx, book.Service.Service, up.data)
				return err
			})
			if err != nil {
				return err
			}
			x.outcome = "extracted"
			x.made("extract", e.what, nil, true)
			if e.fileName != nil {
				name := e.fileName(cmp.Or(found.Name, up.name))
				x.Header().Set("Content-Disposition", disposition(name))
			}
			x.tellLegacy(found.Legacy)
			if e.reads {
				x.Header().Set("Invoice-Losses", strconv.Itoa(formats.Lost(found.Losses)))
			}
			return x.send(http.StatusOK, found.MediaType, found.Data)
		})
	}
}

// tellLegacy names the format that a document was read from, where that is older than
// EN 16931.
func (x *exchange) tellLegacy(name string) {
	if name != "" {
		x.Header().Set("Invoice-Legacy", name)
	}
}

// xmlName makes the name that a stranger gave to an attachment one to save XML
// under: no folder, nothing hidden, and nothing that a double click would run.
func xmlName(name string) string {
	name = filename.Safe(strings.TrimLeft(cleanName(name), ". "))
	switch {
	case name == "":
		return "invoice.xml"
	case strings.HasSuffix(strings.ToLower(name), ".xml"):
		return name
	}
	return name + ".xml"
}
