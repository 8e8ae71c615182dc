package formats

import (
	"errors"

	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/problem"
)

// A Received is a document together with the PDF that contained it.
type Received struct {
	Document *model.Document
	// Container is the PDF that the document was attached to; nil for XML.
	Container *pdf.Container
	// Attachment is the attachment in Container that is the document.
	Attachment *pdf.Attachment
}

// Receive is Read that also returns the PDF.
func Receive(data []byte, options Options) (*Received, error) {
	if !pdf.Is(data) {
		doc, err := readXML(data, options)
		if err != nil {
			return nil, err
		}
		return &Received{Document: doc}, nil
	}
	c, err := OpenPDF(data, options)
	if err != nil {
		return nil, err
	}
	return ReceiveFrom(c, options)
}

// ReceiveFrom reads the invoice that is attached to an open PDF.
func ReceiveFrom(c *pdf.Container, options Options) (*Received, error) {
	invoice, err := invoiceOf(c)
	if err != nil {
		return nil, err
	}
	r := &Received{Container: c, Attachment: invoice}
	xml, err := invoice.Data()
	if err != nil {
		return nil, err
	}
	if r.Document, err = readXML(xml, options); err != nil {
		if e, ok := errors.AsType[*problem.Error](err); ok {
			e.Attachment = r.Attachment.Name
		}
		return nil, err
	}
	r.Document.Attachment = r.Attachment.Name
	return r, nil
}

// invoiceOf is the attachment that is the invoice. Where there is none, the error names
// another document that is known.
func invoiceOf(c *pdf.Container) (*pdf.Attachment, error) {
	invoice, err := c.Invoice()
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == pdf.CodeNoInvoice {
		if named := otherAttached(c); named != nil {
			return nil, named
		}
	}
	return invoice, err
}

// EmbeddedXML returns the XML of an invoice unchanged: if data is a PDF, the attached
// one, otherwise data itself. The name is that of the attachment. The XML need not
// be a valid invoice, and need not be one that can be read.
func EmbeddedXML(data []byte, options Options) (xml []byte, name string, err error) {
	if !pdf.Is(data) {
		if _, err := options.parse(data); err != nil {
			return nil, "", err
		}
		return data, "", nil
	}
	c, err := OpenPDF(data, options)
	if err != nil {
		return nil, "", err
	}
	invoice, err := invoiceOf(c)
	if err != nil {
		return nil, "", err
	}
	if xml, err = invoice.Data(); err != nil {
		return nil, "", err
	}
	return xml, invoice.Name, nil
}

// OpenPDF opens a PDF within the limits of the options. It does not look at what is
// attached.
func OpenPDF(data []byte, options Options) (*pdf.Container, error) {
	if options.XMLOnly {
		return nil, &problem.Error{
			Code:    CodePDF,
			Message: "this is a PDF, and only XML is taken here",
			Remedy:  "extract the attached XML (factur-x.xml, zugferd-invoice.xml or xrechnung.xml) and hand that in",
		}
	}
	limits := options.PDF
	if limits.Bytes == 0 {
		limits.Bytes = options.Limits.Bytes
	}
	c, err := pdf.Open(data, limits)
	if err != nil {
		return nil, err
	}
	return c, nil
}
