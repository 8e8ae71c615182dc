package page

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	pdfcontent "einvoice/formats/pdf/content"
)

// A paper is the first page of a PDF, which is under the pages of an invoice. It was
// converted to PDF/A-3, so that the pages remain it.
type paper struct {
	lock      *sync.Mutex // of the document, which is read lazily
	document  *pdf.Document
	contents  []byte
	resources types.Object
	box       []float64
}

// paperSteps bounds the objects of letter paper.
const paperSteps = 20_000

// mostPaper is how many pages a file of letter paper has: one for the first page of an
// invoice, and one for those that follow.
const mostPaper = 2

// readPaper reads the pages of a file of letter paper, or says why pages on it would not be
// PDF/A-3.
func readPaper(data []byte) ([]*paper, error) {
	if err := countPaper(data); err != nil {
		return nil, err
	}
	converted, err := archive.Convert(data, archive.Metadata{Title: "paper", Date: time.Unix(0, 0)}, nil, pdf.Limits{})
	if err != nil {
		return nil, err
	}
	container, err := pdf.Open(converted.Data, pdf.Limits{})
	if err != nil {
		return nil, err
	}
	r := container.Reader(paperSteps, time.Now().Add(container.Limits().Time))
	var papers []*paper
	var found error
	document, lock := container.Document(), &sync.Mutex{}
	r.Pages(r.Entries(document.Root())["Pages"], func(page types.Dict, resources types.Object) {
		p := &paper{lock: lock, document: document, resources: resources}
		papers = append(papers, p)
		p.box = r.Numbers(page["CropBox"], 4)
		if p.box == nil {
			p.box = r.Numbers(page["MediaBox"], 4)
		}
		if rotate := r.Integer(page["Rotate"], 0); rotate%360 != 0 {
			found = errors.New("its page is turned; save it upright")
		}
		if p.contents, found = paperContents(r, page["Contents"], found); found == nil {
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
		return fmt.Errorf("it has %d pages; letter paper has one, or a second one for the pages that follow", pages)
	}
	return nil
}

// checkSize refuses paper that is not A4: what is on it would be at other places.
func (p *paper) checkSize() error {
	const within = 6 // points
	if p.box == nil {
		return errors.New("its page has no size")
	}
	width, height := p.box[2]-p.box[0], p.box[3]-p.box[1]
	if width < pageWidth-within || width > pageWidth+within || height < pageHeight-within || height > pageHeight+within {
		return fmt.Errorf("its page is %.0f by %.0f mm; letter paper is 210 by 297", width/mm, height/mm)
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

// object is the paper as an external object of the size 1 by 1.
func (p *paper) object(b *builder) types.IndirectRef {
	p.lock.Lock()
	defer p.lock.Unlock()
	copied := &copier{from: p.document, to: b.Document, copies: map[types.IndirectRef]types.IndirectRef{}}
	width, height := p.box[2]-p.box[0], p.box[3]-p.box[1]
	return b.AddStream(types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(p.box...),
		"Matrix":    types.NewNumberArray(1/width, 0, 0, 1/height, -p.box[0]/width, -p.box[1]/height),
		"Resources": copied.object(p.resources, 0),
	}, p.contents)
}

// A copier copies objects from one document to another.
type copier struct {
	from, to *pdf.Document
	copies   map[types.IndirectRef]types.IndirectRef
}

// maxDepth is deeper than the objects of PDF/A are nested.
const maxDepth = 100

func (c *copier) object(o types.Object, depth int) types.Object {
	if depth > maxDepth {
		return nil
	}
	switch o := o.(type) {
	case types.IndirectRef:
		if copied, known := c.copies[o]; known {
			return copied
		}
		ref := c.to.Add(nil)
		c.copies[o] = ref
		target, err := c.from.Object(o)
		if err != nil {
			return nil
		}
		c.to.Replace(ref, c.object(target, depth+1))
		return ref
	case types.Dict:
		return c.dict(o, depth)
	case types.Array:
		copied := make(types.Array, len(o))
		for i := range o {
			copied[i] = c.object(o[i], depth+1)
		}
		return copied
	case types.StreamDict:
		o.Dict = c.dict(o.Dict, depth)
		return o
	}
	return o
}

func (c *copier) dict(d types.Dict, depth int) types.Dict {
	copied := make(types.Dict, len(d))
	for key, value := range d {
		if key != "StructParents" && key != "StructParent" { // of a structure that is not copied
			copied[key] = c.object(value, depth+1)
		}
	}
	return copied
}
