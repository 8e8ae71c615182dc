package archive

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"einvoice/formats/pdf"
)

// Converted is a PDF that became PDF/A-3b.
type Converted struct {
	Data    []byte
	Pages   int
	Changes []Change // what is not as it was, in the order of the pages
}

// A Change says what was changed or lost on the way.
type Change struct {
	Page int // 0 if it is about the document
	What string
}

// Refused says why a PDF cannot become PDF/A-3b.
type Refused struct{ Reasons []Reason }

// A Reason is one obstacle, which nothing but the PDF's author can remove.
type Reason struct {
	Page                  int // 0 if it is about the document
	Code, Message, Remedy string
}

// The codes of reasons. They are stable: programs may depend on them.
const (
	ReasonDamaged     = "PDFA-DAMAGED"     // a part cannot be read
	ReasonFont        = "PDFA-FONT"        // a font is not embedded, and nothing takes its place
	ReasonGlyph       = "PDFA-GLYPH"       // a font lacks a glyph that is shown
	ReasonWidths      = "PDFA-WIDTHS"      // a font contradicts itself about widths
	ReasonEncoding    = "PDFA-ENCODING"    // it cannot be told which glyphs a text shows
	ReasonColour      = "PDFA-COLOUR"      // a colour space cannot be kept
	ReasonImage       = "PDFA-IMAGE"       // an image has a form that PDF/A excludes
	ReasonStream      = "PDFA-STREAM"      // data is outside the file, or encoded in another way
	ReasonXFA         = "PDFA-XFA"         // an XFA form, whose pages are made by a program
	ReasonField       = "PDFA-FIELD"       // a field has a value, and no appearance
	ReasonAnnotation  = "PDFA-ANNOTATION"  // an annotation has no appearance
	ReasonRestriction = "PDFA-RESTRICTION" // something is larger or deeper than PDF/A allows
	ReasonPages       = "PDFA-PAGES"       // there is no page, or one of a size that PDF/A excludes
)

// Error tells all reasons in one line.
func (r *Refused) Error() string {
	parts := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		parts[i] = reason.String()
	}
	return "the PDF cannot become PDF/A-3: " + strings.Join(parts, "; ")
}

// String is one line with everything.
func (r Reason) String() string {
	where := ""
	if r.Page > 0 {
		where = fmt.Sprintf("page %d: ", r.Page)
	}
	return fmt.Sprintf("%s%s [%s]; %s", where, r.Message, r.Code, r.Remedy)
}

// mostReasons is how many reasons are told; who has that many needs no more.
const mostReasons = 50

// Convert makes PDF/A-3b of any ordinary PDF and attaches the files. What the
// metadata leaves out is taken from the PDF. Files that are attached already are
// kept, invoices only if no other one is attached.
//
// The error is a *Refused where the PDF holds something that PDF/A excludes and
// that cannot be repaired, or a *pdf.Error where it cannot be read at all.
func Convert(data []byte, m Metadata, files []File, limits pdf.Limits) (result *Converted, err error) {
	deadline := time.Now().Add(cmp.Or(limits.Time, pdf.DefaultLimits().Time))
	container, err := pdf.Open(data, limits)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, &pdf.Error{
				Code: pdf.CodeDamaged, Message: fmt.Sprintf("the PDF is damaged and cannot be converted: %v", r),
				Remedy: "open it in a PDF program and save it from there",
			}
		}
	}()
	d, err := newDocument(container.Context())
	if err != nil {
		return nil, &Refused{[]Reason{{0, ReasonDamaged, "the PDF has no readable catalog", remedySave}}}
	}
	c := newConverter(d, container, limits, deadline)
	kept := c.attachments(m.Invoice != nil)
	m = c.metadata(m)
	c.convert()
	switch {
	case c.err != nil:
		return nil, c.err
	case len(c.reasons) > 0:
		return nil, &Refused{c.reasons}
	}
	if again, err := newDocument(container.Context()); err != nil || identity(again.catalog) != identity(c.catalog) {
		return nil, &Refused{[]Reason{{0, ReasonDamaged, "the catalog is used as something else, too", remedySave}}}
	}
	out, err := Write(container.Context(), m, append(append([]File{}, files...), kept...))
	if err != nil {
		return nil, err
	}
	return &Converted{out, c.pages, c.sortedChanges()}, nil
}

// The remedies that several reasons have in common.
const (
	remedySave  = "open the PDF in a PDF program and save or print it to a new PDF"
	remedyFonts = "make the PDF anew with all fonts embedded"
)

// errTooMuch is for what exceeds the limits of a conversion.
func errTooMuch(format string, args ...any) error {
	return &pdf.Error{
		Code: pdf.CodeLimit, Message: fmt.Sprintf(format, args...),
		Remedy: "make the PDF smaller, or raise the limit if you trust the file",
	}
}

var errNoStream = errors.New("not a stream")
