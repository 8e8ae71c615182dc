package text

import (
	"errors"
	"fmt"
	"time"

	"einvoice/formats/pdf"
)

// Limits bound what reading one PDF may cost. A field that is zero has the value
// of DefaultLimits. Bytes that are decompressed count towards the limit of the
// container.
type Limits struct {
	Pages      int           // the pages after these are not read
	Steps      int           // operators that are executed, characters that are shown, references that are followed
	Characters int           // of text
	Words      int           // of all pages, where words are asked for
	Depth      int           // nested forms
	Time       time.Duration // for all of it
}

// DefaultLimits are generous for an invoice of thousands of lines.
func DefaultLimits() Limits {
	return Limits{Pages: 10_000, Steps: 20_000_000, Characters: 16 << 20, Words: 1 << 20, Depth: 20, Time: 10 * time.Second}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, standard *int }{
		{&l.Pages, &d.Pages}, {&l.Steps, &d.Steps}, {&l.Characters, &d.Characters}, {&l.Words, &d.Words}, {&l.Depth, &d.Depth},
	} {
		if *f.have <= 0 {
			*f.have = *f.standard
		}
	}
	if l.Time <= 0 {
		l.Time = d.Time
	}
	return l
}

// A Document is what the pages of a PDF show.
type Document struct {
	Pages []string // the text of each
	Fonts []Font   // those that text is visible in, in the order of their first use
	// DeviceColour is where a colour is first used that depends on the device, such
	// as "page 2"; empty if none is used.
	DeviceColour string
}

// A Font is one that text is shown in.
type Font struct {
	Name     string
	Page     int  // the first that shows text in it, from 1
	Embedded bool // the font program is in the PDF
}

// ErrLimit is the error of a limit that ended the reading, and ErrWords that of Limits.Words.
var (
	ErrLimit = errors.New("the PDF's pages hold more than is read")
	ErrWords = fmt.Errorf("%w: they have too many words", ErrLimit)
)

// Pages reads the text of each page, within DefaultLimits.
func Pages(c *pdf.Container) ([]string, error) {
	d, err := Read(c, Limits{})
	return d.Pages, err
}

// Read reads the pages of a PDF. The error is ErrLimit, or that of a failure of
// pdfcpu; the Document has what was read before.
func Read(c *pdf.Container, limits Limits) (*Document, error) {
	limits = limits.withDefaults()
	r := newReader(c, limits, time.Now().Add(limits.Time))
	err := pdf.Guard(func() error { r.pages(c.Document()); return nil })
	if err == nil && r.Err() != nil {
		err = ErrLimit
	}
	return r.document, err
}

func newReader(c *pdf.Container, limits Limits, deadline time.Time) *reader {
	return &reader{
		Reader: c.Reader(limits.Steps, deadline), limits: limits, document: &Document{},
		fonts: map[uintptr]*textFont{}, streams: map[int][]byte{}, shown: map[*textFont]bool{}, listed: map[listedFont]bool{},
	}
}
