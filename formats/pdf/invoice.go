package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// invoiceNames are the names that the standards give to the invoice.
var invoiceNames = []string{
	"factur-x.xml",        // Factur-X, ZUGFeRD since 2.1
	"xrechnung.xml",       // their profile XRECHNUNG
	"zugferd-invoice.xml", // ZUGFeRD 2.0, and 1.0 as ZUGFeRD-invoice.xml
}

// IsInvoice tells whether readers would take a file for the invoice, by its name or
// by its content.
func IsInvoice(name string, data []byte) bool {
	return slices.Contains(invoiceNames, strings.ToLower(name)) || kindOf(data) != KindOther
}

// Invoice finds the attachment that is the invoice: the one with a name that the
// standards give it, else the one that is an invoice by its content. Where an
// invoice of ZUGFeRD 1.0 stands beside one of later standards, it is the copy for
// old programs, and the later one is meant.
func (c *Container) Invoice() (*Attachment, error) {
	if len(c.Attachments) == 0 && c.lost {
		return nil, damaged(nil)
	}
	if len(c.Attachments) == 0 {
		return nil, &Error{
			Code: CodeNoAttachment, Message: "nothing is attached to the PDF, so it has no invoice that programs can read",
			Remedy: "ask the sender for the invoice as Factur-X, ZUGFeRD or XML",
		}
	}
	candidates := c.filter(func(a *Attachment) bool {
		return slices.Contains(invoiceNames, strings.ToLower(a.Name)) || slices.Contains(invoiceNames, strings.ToLower(a.Key))
	})
	if len(candidates) == 0 {
		candidates = c.filter(func(a *Attachment) bool { return a.Kind() != KindOther })
	}
	if len(candidates) > 1 {
		current := slices.DeleteFunc(slices.Clone(candidates), func(a *Attachment) bool { return a.Kind() == KindZUGFeRD1 })
		if len(current) > 0 {
			candidates = current
		}
	}
	candidates = distinct(candidates)
	switch {
	case len(candidates) == 1:
		return candidates[0], nil
	case len(candidates) == 0 && c.lost:
		return nil, damaged(nil)
	case len(candidates) == 0:
		return nil, &Error{
			Code: CodeNoInvoice, Names: namesOf(c.Attachments),
			Message: fmt.Sprintf("no attachment of the PDF is an invoice; attached is %s", quoted(c.Attachments)),
			Remedy:  "ask the sender for the invoice as Factur-X, ZUGFeRD or XML",
		}
	}
	return nil, &Error{
		Code: CodeSeveralInvoices, Names: namesOf(candidates),
		Message: fmt.Sprintf("more than one attachment of the PDF may be the invoice: %s", quoted(candidates)),
		Remedy:  "extract the attachments, and hand in the XML that is meant",
	}
}

func (c *Container) filter(keep func(*Attachment) bool) (kept []*Attachment) {
	for _, a := range c.Attachments {
		if keep(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// distinct leaves copies of the same bytes out: some producers attach the invoice
// once for the document and once for its first page.
func distinct(attachments []*Attachment) (kept []*Attachment) {
	for _, a := range attachments {
		if !slices.ContainsFunc(kept, func(k *Attachment) bool { return same(k, a) }) {
			kept = append(kept, a)
		}
	}
	return kept
}

func same(a, b *Attachment) bool {
	one, err := a.Data()
	if err != nil {
		return false
	}
	other, err := b.Data()
	return err == nil && bytes.Equal(one, other)
}

func namesOf(attachments []*Attachment) (names []string) {
	for _, a := range attachments {
		names = append(names, cmp.Or(a.Name, "(without a name)"))
	}
	return names
}

// quoted lists names for people; of very many, the first.
func quoted(attachments []*Attachment) string {
	const most = 5
	names := namesOf(attachments)
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}
