package text

import (
	"errors"
	"strings"

	"einvoice/formats/pdf"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A reader reads the pages of one PDF.
type reader struct {
	*pdf.Reader
	limits   Limits
	document *Document

	page       int                   // the one that is being read, from 1
	characters int                   // of the pages that were read
	placed     int                   // words of these, where they are collected
	fonts      map[uintptr]*textFont // by the identity of the font dictionary, which may be a direct object
	streams    map[int][]byte        // the content of streams, likewise: a form may be drawn on every page
	shown      map[*textFont]bool    // fonts that were noted
	listed     map[listedFont]bool   // those that are listed in the document
	off        map[int]bool          // layers of optional content that are not shown, by the number of their objects
	sheets     *[]Sheet              // where words are collected; nil where they are not asked for
}

// A listedFont is what tells two fonts of the list apart.
type listedFont struct {
	name     string
	embedded bool
}

func (r *reader) pages(d *pdf.Document) {
	r.readLayers(r.Entries(d.Root()))
	r.Pages(r.Entries(d.Root())["Pages"], r.readPage)
}

func (r *reader) readPage(page types.Dict, resources types.Object) {
	if len(r.document.Pages) >= r.limits.Pages {
		r.Fail(ErrLimit)
		return
	}
	r.page = len(r.document.Pages) + 1
	i := &interpreter{running: map[int]bool{}, executed: map[int]bool{}, reader: r, out: &pageText{}, state: newGraphicsState()}
	if r.sheets != nil {
		i.words = &pageWords{}
	}
	if data := r.contents(page["Contents"]); r.Err() == nil {
		i.run(data, resources, 0)
		i.annotations(page["Annots"])
	}
	text := i.out.String()
	r.document.Pages = append(r.document.Pages, text)
	if r.sheets != nil {
		r.placed += len(i.words.words)
		*r.sheets = append(*r.sheets, r.sheet(page, i.words))
	}
	if r.characters += len(text); r.characters > r.limits.Characters {
		r.Fail(ErrLimit)
	}
}

// contents joins the content streams of a page, which may be split between any two
// operands or operators.
func (r *reader) contents(o types.Object) []byte {
	parts, several := r.Resolve(o).(types.Array)
	if !several {
		return r.content(o)
	}
	var all strings.Builder
	for _, part := range parts {
		if r.Err() != nil {
			return nil
		}
		all.Write(r.content(part))
		all.WriteByte('\n')
	}
	return []byte(all.String())
}

// content is the content of a stream; nil if there is none that can be decoded.
func (r *reader) content(o types.Object) []byte {
	number := objectNumber(o)
	if data, known := r.streams[number]; known {
		return data
	}
	s, ok := r.Stream(o)
	if !ok {
		return nil
	}
	if r.DecodeLeft() <= 0 {
		r.Fail(ErrLimit)
		return nil
	}
	data, err := r.Decode(s)
	if errors.Is(err, pdf.ErrDecodeLimit) {
		r.Fail(ErrLimit) // what is too large to be read is not empty
		return nil
	}
	if err != nil {
		data = nil
	}
	if number != 0 {
		r.streams[number] = data
	}
	return data
}

// objectNumber is the number of the object that o refers to; 0 if o is direct.
func objectNumber(o types.Object) int {
	if ref, ok := o.(types.IndirectRef); ok {
		return ref.ObjectNumber.Value()
	}
	return 0
}

// numbers are those of an array; 0 stands for an element that is not a number.
func (r *reader) numbers(o types.Object) []float64 {
	a := r.Array(o)
	numbers := make([]float64, len(a))
	for i := range a {
		numbers[i], _ = r.Number(a[i])
	}
	return numbers
}

func (r *reader) number(o types.Object) float64 {
	v, _ := r.Number(o)
	return v
}
