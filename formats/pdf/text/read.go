package text

import (
	"errors"
	"fmt"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// Limits bound what reading one PDF may cost. A field that is zero has the value
// of DefaultLimits.
type Limits struct {
	Pages      int           // the pages after these are not read
	Decoded    int           // bytes of all streams that are decompressed
	Steps      int           // operators carried out and objects looked up
	Characters int           // of text
	Depth      int           // forms within one another, and levels of the tree of pages
	Time       time.Duration // for all of it
}

// DefaultLimits are generous for an invoice of thousands of lines.
func DefaultLimits() Limits {
	return Limits{
		Pages: 10_000, Decoded: 128 << 20, Steps: 20_000_000, Characters: 16 << 20, Depth: 20, Time: 10 * time.Second,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, standard *int }{
		{&l.Pages, &d.Pages}, {&l.Decoded, &d.Decoded}, {&l.Steps, &d.Steps}, {&l.Characters, &d.Characters}, {&l.Depth, &d.Depth},
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
	Fonts []Font   // those that text is visible in, in the order in which they are met
	// DeviceColour is where a colour is first used that depends on the device, such
	// as "page 2"; empty if none is.
	DeviceColour string
	Decoded      int // bytes that were decompressed
}

// A Font is one that text is shown in.
type Font struct {
	Name     string
	Page     int  // the first that shows text in it, from 1
	Embedded bool // the PDF has the font's program
}

// ErrLimit says that a limit ended the reading; what was read until then is there.
var ErrLimit = errors.New("the PDF's pages hold more than is read")

// Pages reads the text of each page, within DefaultLimits.
func Pages(ctx *model.Context) ([]string, error) {
	d, err := Read(ctx, Limits{})
	return d.Pages, err
}

// Read reads the pages of a PDF. The error is ErrLimit, or says why the library
// below could not go on; the Document has what was read before.
func Read(ctx *model.Context, limits Limits) (d *Document, err error) {
	r := &reader{
		table: ctx.XRefTable, limits: limits.withDefaults(), document: &Document{},
		fonts: map[int]*textFont{}, streams: map[int][]byte{}, shown: map[*textFont]bool{},
	}
	r.deadline = time.Now().Add(r.limits.Time)
	defer func() {
		d = r.document
		if failure := recover(); failure != nil {
			err = fmt.Errorf("the PDF library failed: %v", failure)
		}
	}()
	return r.document, r.pages()
}
