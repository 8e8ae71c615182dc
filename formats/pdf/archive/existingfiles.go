package archive

import (
	"bytes"
	"slices"

	"einvoice/formats/pdf"
	"einvoice/model/filename"
)

// existingFiles are the files that are attached to the PDF already, to be attached
// again. Invoices are left out if another invoice replaces them, and so is a file that is among
// the new ones with its name and bytes: what is converted twice would have it twice.
func (c *converter) existingFiles(replaceInvoice bool, added []File) (files []File) {
	isNew := map[string][]byte{}
	var taken filename.Names
	for _, f := range added {
		isNew[taken.Take(safeName(f.Name))] = f.Data // the name that it gets
	}
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
		if same, ok := isNew[safeName(a.Name)]; ok && bytes.Equal(same, data) {
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
