package pdf

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"einvoice/model/problem"
)

// invoiceNames are the file names that the standards require for the invoice.
var invoiceNames = []string{
	"factur-x.xml",        // Factur-X, ZUGFeRD since 2.1
	"xrechnung.xml",       // the profile XRECHNUNG of both
	"zugferd-invoice.xml", // ZUGFeRD 2.0, and 1.0 as ZUGFeRD-invoice.xml
}

// IsInvoice reports whether a reader would treat an attached file as the invoice,
// because of its name or its content.
func IsInvoice(name string, data []byte) bool {
	return slices.Contains(invoiceNames, strings.ToLower(name)) || kindOf(data) != KindOther
}

// Invoice is the attachment that is the invoice: the one with a name that the
// standards require, else the one that is an invoice by its content. If an invoice
// of ZUGFeRD 1.0 and one of a later standard are attached, the first is a copy for
// old programs, and the later one is returned, whatever its name.
func (c *Container) Invoice() (*Attachment, error) {
	if len(c.Attachments) == 0 && c.incomplete {
		return nil, damaged(nil)
	}
	if len(c.Attachments) == 0 {
		return nil, &problem.Error{
			Code: CodeNoAttachment, Message: "nothing is attached to the PDF, so it has no invoice that programs can read",
			Remedy: "ask the sender for the invoice as Factur-X, ZUGFeRD or XML",
		}
	}
	candidates := c.filter(func(a *Attachment) bool {
		return slices.Contains(invoiceNames, strings.ToLower(a.Name)) || slices.Contains(invoiceNames, strings.ToLower(a.Key))
	})
	later := func(a *Attachment) bool { return a.Kind() != KindZUGFeRD1 }
	if !slices.ContainsFunc(candidates, later) { // none, or only a copy for old programs
		candidates = c.filter(func(a *Attachment) bool { return a.Kind() != KindOther })
	}
	if slices.ContainsFunc(candidates, later) {
		candidates = slices.DeleteFunc(candidates, func(a *Attachment) bool { return !later(a) })
	}
	candidates = distinct(candidates)
	switch {
	case len(candidates) == 1:
		return candidates[0], nil
	case len(candidates) == 0 && c.incomplete:
		return nil, damaged(nil)
	case len(candidates) == 0:
		return nil, &problem.Error{
			Code:    CodeNoInvoice,
			Message: fmt.Sprintf("no attachment of the PDF is an invoice; attached is %s", listed(c.Attachments)),
			Remedy:  "ask the sender for the invoice as Factur-X, ZUGFeRD or XML",
		}
	}
	return nil, &problem.Error{
		Code:    CodeSeveralInvoices,
		Message: fmt.Sprintf("more than one attachment of the PDF may be the invoice: %s", listed(candidates)),
		Remedy:  "extract the attachments, and send the XML that is meant",
	}
}

func (c *Container) filter(matches func(*Attachment) bool) (found []*Attachment) {
	for _, a := range c.Attachments {
		if matches(a) {
			found = append(found, a)
		}
	}
	return found
}

// distinct is the list without files that have the same bytes as one before: some
// producers attach the invoice once to the document and once to its first page.
func distinct(attachments []*Attachment) (different []*Attachment) {
	known := map[[sha256.Size]byte]bool{}
	for _, a := range attachments {
		if data, err := a.Data(); err == nil {
			sum := sha256.Sum256(data)
			if known[sum] {
				continue
			}
			known[sum] = true
		}
		different = append(different, a)
	}
	return different
}

func namesOf(attachments []*Attachment) (names []string) {
	for _, a := range attachments {
		names = append(names, cmp.Or(a.Name, "(without a name)"))
	}
	return names
}

// listed is the names in one text; of very many, the first.
func listed(attachments []*Attachment) string {
	const most = 5
	names := namesOf(attachments)
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}
