package pdfa

import (
	"slices"
	"strings"

	"einvoice/formats/pdf"
)

// invoiceNames are the names that hybrid invoices give to the invoice.
var invoiceNames = []string{"factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml"}

// attachments are the files that the PDF has already, to be attached again.
func (c *converter) attachments(replaceInvoice bool) (files []File) {
	for _, a := range c.container.Attachments {
		invoice := slices.Contains(invoiceNames, strings.ToLower(a.Name)) || a.Kind() != pdf.KindOther
		if invoice && replaceInvoice {
			c.changed("the invoice " + a.Name + " that was attached is replaced")
			continue
		}
		data, err := a.Data()
		if err != nil {
			c.changed("the attachment " + a.Name + " cannot be read and is left out")
			continue
		}
		relationship := a.Relationship
		if !slices.Contains(relationships, relationship) {
			relationship = ""
		}
		files = append(files, File{Name: a.Name, Description: a.Description, MIME: a.MIME, Relationship: relationship, Data: data})
	}
	return files
}
