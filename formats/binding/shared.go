package binding

import "einvoice/model"

// DropShared removes the groups of an invoice that are there only because their element in the
// document holds a term of another group: a VAT point date code alone makes no invoicing period.
// Rules ask the invoice as it was read, with them, because the published ones are content with
// the element. What is made of the invoice, in another syntax or as JSON, must not have them.
func (f *Format) DropShared(doc *model.Document) {
	dropShared(f.table().rows, doc, model.ObjectOf(doc.Invoice))
}

// dropShared looks at groups of the invoice itself; no other shares its element.
func dropShared(rows []row, doc *model.Document, invoice model.Object) {
	for i := range rows {
		r := &rows[i]
		if r.group == "" && r.list == "" {
			dropShared(r.rows, doc, invoice)
		}
		if !r.sharesWithOthers() {
			continue
		}
		field, _ := invoice.Type.Field(r.group)
		group := invoice.Group(field)
		// An empty element is the group, and stays wrong whatever is made of it.
		if n := group.Ref().Element(); isEmpty(group) && doc.Source.Elements[n].End > n+1 {
			invoice.Clear(field)
		}
	}
}
