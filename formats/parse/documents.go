package parse

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
)

// A Document is one of those that a file has.
type Document struct {
	Kind        Kind
	First, Last int // pages of the file, from 1
	// CopyOf is the first page of the document that this one is a copy of; 0 of none.
	CopyOf int
	// Result is what was read of an invoice; nil of other documents and of copies.
	Result *Result
}

// picturer makes pictures of the pages of a file for a language model; nil where there are none.
type picturer func(context.Context) ([]*image.Gray, error)

// documents reads each document of a file. What is none that can be recognised belongs to the
// one before it.
func (f *file) documents(ctx context.Context, limits Limits, with Aids, pictures picturer) ([]Document, error) {
	if err := checkText(f.sheets, limits); err != nil {
		return nil, err
	}
	parts, err := split(ctx, f.sheets)
	if err != nil {
		return nil, inTime(err)
	}
	read := make([]*document, len(parts))
	for i := 0; i < len(parts); {
		p := &parts[i]
		if p.copyOf < 0 {
			if read[i], err = f.part(ctx, *p, limits); err != nil {
				return nil, err
			}
			if i > 0 && read[i].isUnknown() {
				parts[i-1].end = p.end
				parts, read = append(parts[:i], parts[i+1:]...), read[:len(read)-1]
				if i--; parts[i].copyOf >= 0 {
					i++
				}
				continue
			}
		}
		i++
	}
	return f.results(ctx, parts, read, with, pictures)
}

// part reads the pages of a document.
func (f *file) part(ctx context.Context, p part, limits Limits) (*document, error) {
	d, err := read(ctx, f.sheets[p.first:p.end], limits)
	return d, inTime(err)
}

// inTime is the error of a reading whose time was over, where it is one.
func inTime(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return TooSlow()
	}
	return err
}

// results makes the answers of the documents of a file. Where none is an invoice, the error
// says what the first one is.
func (f *file) results(ctx context.Context, parts []part, read []*document, with Aids, pictures picturer) (all []Document, err error) {
	var refused error
	invoices := 0
	for i, p := range parts {
		out := Document{First: p.first + 1, Last: p.end}
		if p.copyOf >= 0 {
			of := parts[p.copyOf]
			out.CopyOf, out.Kind = of.first+1, read[p.copyOf].kind()
			all = append(all, out)
			continue
		}
		d := read[i]
		out.Kind = d.kind()
		switch no := d.checkInvoice(); {
		case no != nil:
			if d.title.Kind == "" {
				out.Kind = Kind{Name: kindOther, Confidence: unknownKind}
			}
			if refused == nil {
				refused = no
			}
		default:
			if out.Result, err = f.result(ctx, d, p, with, pictures); err != nil {
				return nil, err
			}
			invoices++
		}
		all = append(all, out)
	}
	if invoices == 0 {
		return nil, refused
	}
	for i := range all {
		tellOthers(all, i)
	}
	return all, nil
}

// unknownKind is how sure it is that a document is of another kind of which nothing says what it is.
const unknownKind = 0.5

// isUnknown reports whether nothing says what the document is.
func (d *document) isUnknown() bool { return d.title.Kind == "" && d.checkInvoice() != nil }

// result is the answer of a document that is an invoice.
func (f *file) result(ctx context.Context, d *document, p part, with Aids, pictures picturer) (_ *Result, err error) {
	d.takeRanked()
	b := d.build()
	b.first = p.first
	d.score(b)
	if with.Model != nil {
		if pictures != nil {
			whole := pictures
			pictures = func(ctx context.Context) ([]*image.Gray, error) {
				all, err := whole(ctx)
				return all[min(p.first, len(all)):min(p.end, len(all))], err
			}
		}
		if b, err = d.consult(ctx, b, with, pictures); err != nil {
			return nil, err
		}
		b.first = p.first
	}
	var codes []pageCode
	for _, c := range f.codes {
		if c.page > p.first && c.page <= p.end {
			c.page -= p.first
			codes = append(codes, c)
		}
	}
	b.checkCodes(codes)
	for _, h := range f.hidden {
		if h.Page > p.first && h.Page <= p.end {
			h.Page -= p.first
			b.result.Hidden = append(b.result.Hidden, h)
		}
	}
	if f.behind != nil {
		b.capBehind(f.behind[p.first:p.end])
	}
	b.capContradicted()
	b.addOtherDays()
	b.document.review(b)
	b.result.ofFile(f.sheets, p)
	return b.result, nil
}

// ofFile counts the pages of a result as those of the file.
func (r *Result) ofFile(sheets []text.Sheet, p part) {
	r.Pages, r.sheets, r.part = pageList(sheets), sheets, p
	for _, f := range r.Fields {
		if f.Page > 0 {
			f.Page += p.first
		}
		for i := range f.Alternatives {
			f.Alternatives[i].Page += p.first
		}
	}
	for i := range r.Hidden {
		r.Hidden[i].Page += p.first
	}
	for i := range r.CodeContradictions {
		r.CodeContradictions[i].Page += p.first
	}
}

// tellOthers says in the review of an invoice what else is in the file.
func tellOthers(all []Document, at int) {
	r := all[at].Result
	if r == nil || len(all) == 1 {
		return
	}
	for i := range all {
		d := &all[i]
		switch {
		case i == at || d.Result != nil:
		case d.CopyOf == all[at].First:
			r.Review = append(r.Review, Review{Fields: []string{}, Weight: besides, Message: "a copy of this document was not read, on page " + pagesOf(d)})
		case d.CopyOf == 0:
			r.Review = append(r.Review, Review{Fields: []string{}, Weight: besides, Message: "another document was not read, on page " + pagesOf(d)})
		}
	}
	r.sortReview()
}

// besides is the weight of a document beside an invoice.
const besides = 0.1

// Single is the result of a file with one invoice, of what Documents gives.
func Single(all []Document, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	var found *Result
	var ranges []string
	for i := range all {
		if d := &all[i]; d.Result != nil {
			found = d.Result
			ranges = append(ranges, pagesOf(d))
		}
	}
	if len(ranges) > 1 {
		return nil, &problem.Error{
			Code: CodeSeveralInvoices, Message: fmt.Sprintf("the PDF has %d invoices, on page %s", len(ranges), strings.Join(ranges, ", ")),
			Remedy: "send each as a PDF of its own",
		}
	}
	return found, nil
}

// pagesOf names the pages of a document: 2, or 2-4.
func pagesOf(d *Document) string {
	if d.First == d.Last {
		return fmt.Sprint(d.First)
	}
	return fmt.Sprintf("%d-%d", d.First, d.Last)
}
