package archive

import (
	"errors"
	"time"
)

// Metadata is what a PDF says about itself, in its XMP packet and in its information
// dictionary alike.
type Metadata struct {
	Title    string
	Author   string // the seller
	Subject  string
	Keywords string
	Creator  string     // the program that made the pages; this one if it is empty
	Language string     // of the document, BCP 47
	Date     *time.Time // of creation and modification; no time stands for none, because invoices have days of all years
	// Accessible claims PDF/A-3a and PDF/UA-1, for pages that are tagged. Without
	// it, PDF/A-3b is claimed.
	Accessible bool
	// Level4F makes it PDF/A-4f, on PDF 2.0; without it, PDF/A-3.
	Level4F bool
	Invoice *Invoice // nil if no invoice is attached
}

// Invoice is what the XMP packet says about the attached invoice: the properties of
// the Factur-X extension schema.
type Invoice struct {
	FileName         string // factur-x.xml, or xrechnung.xml
	ConformanceLevel string // MINIMUM, BASIC WL, BASIC, EN 16931, EXTENDED or XRECHNUNG
	Version          string // 1.0, or that of XRechnung
}

// A File is attached to the document.
type File struct {
	Name         string
	Description  string
	MIME         string
	Relationship string // AFRelationship: Data, Alternative, Source, Supplement or Unspecified
	Data         []byte
}

// producer is the name of the program that writes the file.
const producer = "einvoice"

// complete cleans the texts, so that XMP packet and information dictionary agree,
// and tells what is missing.
func (m Metadata) complete() (Metadata, error) {
	for _, s := range []*string{&m.Title, &m.Author, &m.Subject, &m.Keywords, &m.Creator, &m.Language} {
		*s = clean(*s)
	}
	if m.Creator == "" {
		m.Creator = producer
	}
	if m.Date == nil {
		return m, errors.New("the document has no date; set Metadata.Date")
	}
	if m.Accessible && (m.Title == "" || m.Language == "") {
		return m, errors.New("an accessible document needs a title and a language; set Metadata.Title and Metadata.Language")
	}
	if m.Accessible && m.Level4F {
		return m, errors.New("PDF/UA-1 is for PDF 1.7, and PDF/A-4f for PDF 2.0; leave one of Metadata.Accessible and Metadata.Level4F out")
	}
	return m, nil
}
