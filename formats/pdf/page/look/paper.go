package look

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	pdfcontent "einvoice/formats/pdf/content"
	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model/numeral"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Paper is the first page of a PDF, which is under the pages of an invoice. It was
// converted to PDF/A-3, so that the pages remain it.
type Paper struct {
	Lock      *sync.Mutex // of the document, which is read lazily
	Document  *pdf.Document
	Contents  []byte
	Resources types.Object
	Box       []float64
	Data      []byte // the file of the document
	Page      int    // of the file, counted from 0
}

// HasPaper reports whether the look has letter paper.
func (l *Look) HasPaper() bool { return l.Papers[0] != nil || l.Papers[1] != nil }

// paperSteps bounds the objects of letter paper.
const paperSteps = 20_000

// mostPaper is how many pages a file of letter paper has: one for the first page of an
// invoice, and one for those that follow.
const mostPaper = 2

// readPaper reads the pages of a file of letter paper, or says why pages on it would not be
// PDF/A-3.
func readPaper(data []byte) ([]*Paper, error) {
	if err := countPaper(data); err != nil {
		return nil, err
	}
	converted, err := archive.Convert(data, archive.Metadata{Title: "paper", Date: new(time.Unix(0, 0))}, nil, pdf.Limits{})
	if err != nil {
		return nil, err
	}
	container, err := pdf.Open(converted.Data, pdf.Limits{})
	if err != nil {
		return nil, err
	}
	r := container.Reader(paperSteps, time.Now().Add(container.Limits().Time))
	var papers []*Paper
	var found error
	document, lock := container.Document(), &sync.Mutex{}
	r.Pages(r.Entries(document.Root())["Pages"], func(page types.Dict, resources types.Object) {
		p := &Paper{Lock: lock, Document: document, Resources: resources, Data: converted.Data, Page: len(papers)}
		papers = append(papers, p)
		p.Box = r.Numbers(page["CropBox"], 4)
		if p.Box == nil {
			p.Box = r.Numbers(page["MediaBox"], 4)
		}
		if rotate := r.Integer(page["Rotate"], 0); rotate%360 != 0 {
			found = errors.New("its page is turned; save it upright")
		}
		if p.Contents, found = paperContents(r, page["Contents"], found); found == nil {
			found = p.checkSize()
		}
	})
	switch {
	case r.Err() != nil:
		return nil, r.Err()
	case found != nil:
		return nil, found
	case len(papers) == 0:
		return nil, errors.New("it has no page")
	}
	return papers, nil
}

// countPaper refuses a file of many pages before they are converted.
func countPaper(data []byte) error {
	container, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		return err
	}
	r, pages := container.Reader(paperSteps, time.Now().Add(container.Limits().Time)), 0
	r.Pages(r.Entries(container.Document().Root())["Pages"], func(types.Dict, types.Object) { pages++ })
	if r.Err() != nil {
		return r.Err()
	}
	if pages > mostPaper {
		return fmt.Errorf("it has %s; letter paper has one, or a second one for the pages that follow", numeral.Count(pages, "page"))
	}
	return nil
}

// checkSize refuses paper that is not A4: what is on it would be at other places.
func (p *Paper) checkSize() error {
	const within = 6 // points
	if p.Box == nil {
		return errors.New("its page has no size")
	}
	width, height := p.Box[2]-p.Box[0], p.Box[3]-p.Box[1]
	if width < typeset.PageWidth-within || width > typeset.PageWidth+within || height < typeset.PageHeight-within || height > typeset.PageHeight+within {
		return fmt.Errorf("its page is %.0f by %.0f mm; letter paper is 210 by 297", width/typeset.MM, height/typeset.MM)
	}
	return nil
}

// paperContents are the contents of a page, without its marked content: the paper is
// nothing that is read aloud.
func paperContents(r *pdf.Reader, o types.Object, before error) ([]byte, error) {
	if before != nil {
		return nil, before
	}
	parts := r.Array(o)
	if parts == nil {
		parts = types.Array{o}
	}
	var data []byte
	for _, part := range parts {
		s, ok := r.Stream(part)
		if !ok {
			continue
		}
		decoded, err := r.Decode(s)
		if err != nil {
			return nil, err
		}
		data = append(append(data, decoded...), '\n')
	}
	var clean []byte
	last := 0
	err := pdfcontent.Scan{}.Operators(data, func(op *pdfcontent.Op) error {
		switch op.Name {
		case "BMC", "BDC", "EMC", "MP", "DP":
			clean = append(append(clean, data[last:op.From]...), ' ')
			last = op.To
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return append(clean, data[last:]...), nil
}

// readPictures reads the logo and the letter paper of a look.
func (l *Look) readPictures(read func(string) ([]byte, error)) error {
	if l.Logo.File != "" {
		data, err := read(l.Logo.File)
		if err != nil {
			return err
		}
		if l.Picture, err = logo.Read(l.Logo.File, data); err != nil {
			return fmt.Errorf("logo: %s: %w", l.Logo.File, err)
		}
		switch at := l.Logo; {
		case at.Width <= 0 || at.Height <= 0 || at.X < 0 || at.Y < 0:
			return errors.New("logo: its place needs x, y, width and height in millimetres, from the top left corner of the page")
		case !at.Right && at.X+at.Width > 210 || at.Right && at.X > 210:
			return errors.New("logo: it is beyond the right edge of the page, which is 210 mm wide; make x or width less")
		case at.Right && at.X < at.Width:
			return errors.New("logo: it is beyond the left edge of the page; with right, x is its right edge")
		case at.Y+at.Height > 148:
			return errors.New("logo: it is not in the upper half of the page, which ends at 148 mm; make y or height less")
		}
	}
	for i, name := range []string{l.Paper.First, l.Paper.Following} {
		if name == "" {
			continue
		}
		data, err := read(name)
		if err != nil {
			return err
		}
		papers, err := readPaper(data)
		if err != nil {
			return fmt.Errorf("paper: %s: %w", name, err)
		}
		l.Papers[i] = papers[0]
		switch {
		case len(papers) == 1:
		case i == 1 || l.Paper.Following != "":
			return fmt.Errorf("paper: %s: it has a second page; give one for the first page and one for those that follow, or both in one file as first", name)
		default:
			l.Papers[1] = papers[1]
		}
	}
	return nil
}
