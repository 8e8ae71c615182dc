package archive

import "time"

// Metadata is what a PDF says of itself, in its XMP packet and its information
// dictionary alike.
type Metadata struct {
	Title    string
	Author   string // the seller
	Subject  string
	Creator  string    // the program that made the pages; ours without it
	Language string    // of the document, BCP 47
	Date     time.Time // of creation and change; the same date, the same bytes
	// Accessible claims PDF/A-3a and PDF/UA-1, for pages that are tagged. Without
	// it, PDF/A-3b is claimed.
	Accessible bool
	Invoice    *Invoice // nil where no invoice is attached
}

// Invoice is what the XMP packet says of the attached invoice: the properties of
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
