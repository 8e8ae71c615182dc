package formats

import (
	"errors"

	"einvoice/formats/filekind"
	"einvoice/model"
	"einvoice/model/problem"
)

// A Received is a document together with the PDF that contained it.
type Received struct {
	Document *model.Document
	// PDF is what the document was attached to; nil for XML.
	PDF *PDF
	// Attachment is the attachment of the PDF that is the document.
	Attachment *Attachment
}

// Receive is Read that also returns the PDF.
func Receive(data []byte, options Options) (*Received, error) {
	if !filekind.IsPDF(data) {
		doc, err := readXML(data, options)
		if err != nil {
			return nil, err
		}
		return &Received{Document: doc}, nil
	}
	p, err := options.Open(data)
	if err != nil {
		return nil, err
	}
	return ReceiveFrom(p, options)
}

// ReceiveFrom reads the invoice that is attached to an open PDF.
func ReceiveFrom(p *PDF, options Options) (*Received, error) {
	invoice, err := p.Invoice()
	if err != nil {
		return nil, err
	}
	xml, err := invoice.Data()
	if err != nil {
		return nil, err
	}
	doc, err := readXML(xml, options)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		e.Attachment = invoice.Name
	}
	if err != nil {
		return nil, err
	}
	doc.Attachment = invoice.Name
	return &Received{Document: doc, PDF: p, Attachment: invoice}, nil
}

// EmbeddedXML returns the XML of an invoice unchanged: if data is a PDF, the attached
// one, otherwise data itself. The name is that of the attachment. The XML need not
// be a valid invoice, and need not be one that can be read.
func EmbeddedXML(data []byte, options Options) (xml []byte, name string, err error) {
	if !filekind.IsPDF(data) {
		if _, err := options.parse(data); err != nil {
			return nil, "", err
		}
		return data, "", nil
	}
	p, err := options.Open(data)
	if err != nil {
		return nil, "", err
	}
	invoice, err := p.Invoice()
	if err != nil {
		return nil, "", err
	}
	if xml, err = invoice.Data(); err != nil {
		return nil, "", err
	}
	return xml, invoice.Name, nil
}
