package formats

import (
	"context"
	"time"

	"einvoice/model"
	"einvoice/model/problem"
)

// An OpenPDF opens a PDF within the limits of the options. It is handed in, so that a
// program that reads XML alone links nothing that reads PDFs.
type OpenPDF func(data []byte, options Options) (*PDF, error)

// A PDF is an open PDF, with the files that are attached to it.
type PDF struct {
	Data        []byte // as it was given
	Attachments []*Attachment
	// Invoice finds the attachment that is the invoice.
	Invoice func() (*Attachment, error)
	// Describe tells what rules may ask about the PDF that an invoice is attached to, and
	// the texts of its pages.
	Describe func(ctx context.Context, invoice *Attachment) (*model.Container, []string, error)
}

// An Attachment is a file inside a PDF, as its sender describes it.
type Attachment struct {
	Name         string // never to be used as a path
	Description  string
	MIME         string
	Relationship string    // AFRelationship: Data, Alternative, Source, ...
	Created      time.Time // zero if it is not declared
	Modified     time.Time // zero if it is not declared
	// Data is the file, decompressed.
	Data func() ([]byte, error)
}

// Open opens a PDF with what was handed in. It does not look at what is attached.
func (o Options) Open(data []byte) (*PDF, error) {
	switch {
	case o.XMLOnly:
		return nil, &problem.Error{
			Code:    CodePDF,
			Message: "this is a PDF, and only XML is taken here",
			Remedy:  "extract the attached XML (factur-x.xml, zugferd-invoice.xml or xrechnung.xml) and hand that in",
		}
	case o.OpenPDF == nil:
		return nil, &problem.Error{
			Code:    CodePDF,
			Message: "this is a PDF, and this program has nothing linked that opens PDFs",
			Remedy:  "set OpenPDF of the options for reading to hybrid.Opener of package einvoice/formats/hybrid, or send the attached XML",
		}
	}
	return o.OpenPDF(data, o)
}
