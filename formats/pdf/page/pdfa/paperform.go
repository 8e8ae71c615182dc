package pdfa

import (
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page/look"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// paper is letter paper as an external object of the size 1 by 1.
func (b *builder) paper(p *look.Paper) types.IndirectRef {
	p.Lock.Lock()
	defer p.Lock.Unlock()
	copied := &copier{from: p.Document, to: b.Document, copies: map[types.IndirectRef]types.IndirectRef{}}
	width, height := p.Box[2]-p.Box[0], p.Box[3]-p.Box[1]
	return b.AddStream(types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(p.Box...),
		"Matrix":    types.NewNumberArray(1/width, 0, 0, 1/height, -p.Box[0]/width, -p.Box[1]/height),
		"Resources": copied.object(p.Resources, 0),
	}, p.Contents)
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
