package archive

import (
	"fmt"
	"strings"
	"time"

	"einvoice/formats/pdf"
	"einvoice/model/problem"
)

// Converted is a PDF that was converted to PDF/A-3b.
type Converted struct {
	Data    []byte
	Pages   int
	Changes []Change // what is not as it was, in the order of the pages
}

// A Change says what was changed or lost by the conversion.
type Change struct {
	Page int // 0 if it is about the document
	What string
}

// Refused is the error of a PDF that cannot be converted to PDF/A-3b: for each of its
// reasons, an obstacle that only the author of the PDF can remove.
type Refused struct{ Reasons []*problem.Error }

// The codes of reasons. They are stable: programs may depend on them.
const (
	ReasonDamaged     = "PDFA-DAMAGED"     // a part cannot be read
	ReasonFont        = "PDFA-FONT"        // a font is not embedded, and there is no substitute
	ReasonGlyph       = "PDFA-GLYPH"       // a font has no glyph for a character that is shown
	ReasonWidths      = "PDFA-WIDTHS"      // a font contradicts itself about widths
	ReasonEncoding    = "PDFA-ENCODING"    // it is unknown which glyphs a text shows
	ReasonColour      = "PDFA-COLOUR"      // a colour space cannot be kept
	ReasonImage       = "PDFA-IMAGE"       // an image has a form that PDF/A forbids
	ReasonStream      = "PDFA-STREAM"      // data is outside the file, or has a filter that PDF/A forbids
	ReasonXFA         = "PDFA-XFA"         // an XFA form, whose pages are made by a program
	ReasonField       = "PDFA-FIELD"       // a field has a value, and no appearance
	ReasonAnnotation  = "PDFA-ANNOTATION"  // an annotation has no appearance
	ReasonRestriction = "PDFA-RESTRICTION" // an implementation limit of PDF/A is exceeded
	ReasonPages       = "PDFA-PAGES"       // there is no page, or one of a size that PDF/A forbids
)

// Error is all reasons in one line.
func (r *Refused) Error() string {
	parts := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		parts[i] = reason.Error()
	}
	return "the PDF cannot become PDF/A-3: " + strings.Join(parts, "; ")
}

// The remedies that several reasons have in common.
const (
	remedySave  = "open the PDF in a PDF program and save or print it to a new PDF"
	remedyFonts = "make the PDF again with all fonts embedded"
)

// Convert converts a PDF to PDF/A-3b and attaches the files. Metadata that is not
// given is taken from the PDF. Files that are attached already are kept, except
// invoices if another invoice is attached.
//
// The error is a *Refused if the PDF has something that PDF/A forbids and that cannot
// be repaired, or a *problem.Error if it cannot be read at all.
func Convert(data []byte, m Metadata, files []File, limits pdf.Limits) (*Converted, error) {
	return ConvertWith(data, m, files, limits, nil)
}

// ConvertWith is Convert, with fonts for those that the PDF does not have.
func ConvertWith(data []byte, m Metadata, files []File, limits pdf.Limits, fonts *Fonts) (result *Converted, err error) {
	start := time.Now()
	container, err := pdf.Open(data, limits)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // pdfcpu has been seen to panic on damaged files
			result, err = nil, &problem.Error{
				Code: pdf.CodeDamaged, Message: fmt.Sprintf("the PDF is damaged and cannot be converted: %v", r),
				Remedy: "open it in a PDF program and save it from there",
			}
		}
	}()
	o, err := newOutput(container.Document())
	if err != nil {
		return nil, &Refused{[]*problem.Error{{Code: ReasonDamaged, Message: "the PDF has no readable catalog", Remedy: remedySave}}}
	}
	c := newConverter(o, container, start.Add(container.Limits().Time))
	c.ownFonts = fonts
	existing := c.existingFiles(m.Invoice != nil, files)
	m = c.metadata(m)
	c.convert()
	switch {
	case c.Err() != nil:
		return nil, c.Err()
	case len(c.reasons) > 0:
		return nil, &Refused{c.reasons}
	}
	if again, err := newOutput(container.Document()); err != nil || identity(again.catalog) != identity(c.catalog) {
		return nil, &Refused{[]*problem.Error{{Code: ReasonDamaged, Message: "the catalog is used as something else, too", Remedy: remedySave}}}
	}
	out, err := write(func() error { c.InTime(); return c.Err() }, container.Document(), m, append(append([]File{}, files...), existing...))
	if err != nil {
		return nil, err
	}
	return &Converted{out, c.pages, c.sortedChanges()}, nil
}
