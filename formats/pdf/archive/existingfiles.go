package archive

import (
	"slices"

	"einvoice/formats/pdf"
)

// existingFiles are the files that are attached to the PDF already, to be attached
// again. Invoices are left out if another invoice replaces them.
func (c *converter) existingFiles(replaceInvoice bool) (files []File) {
	for _, a := range c.container.Attachments {
		data, err := a.Data()
		if replaceInvoice && pdf.IsInvoice(a.Name, data) {
			c.changed("the invoice " + a.Name + " that was attached is replaced")
			continue
		}
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
