package workbench

import (
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/model/source"
)

// A Span is part of a text, in UTF-16 code units.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// spans turns byte offsets of a text into those of UTF-16. All are asked for first and
// answered in one walk.
type spans struct {
	data  string
	ascii bool
	asked []int
	found []int
}

func newSpans(data string) *spans {
	s := &spans{data: data, ascii: true}
	for i := range len(data) {
		if data[i] >= utf8.RuneSelf {
			s.ascii = false
			break
		}
	}
	return s
}

func (s *spans) ask(offset int) {
	if !s.ascii {
		s.asked = append(s.asked, offset)
	}
}

// walk finds all offsets that were asked for.
func (s *spans) walk() {
	slices.Sort(s.asked)
	s.asked = slices.Compact(s.asked)
	s.found = make([]int, len(s.asked))
	at, units := 0, 0
	for i, offset := range s.asked {
		for at < offset && at < len(s.data) {
			r, size := utf8.DecodeRuneInString(s.data[at:])
			at += size
			units++
			if r > 0xFFFF {
				units++
			}
		}
		s.found[i] = units
	}
}

func (s *spans) of(offset int) int {
	if s.ascii {
		return offset
	}
	i, ok := slices.BinarySearch(s.asked, offset)
	if !ok {
		return 0
	}
	return s.found[i]
}

// An extent is where a term is in the bytes of a document: the whole of its element or
// attribute, and its value.
type extent struct{ from, to, valueFrom, valueTo int }

// extentOf finds the extent of what a reference is to. Of an element with elements in it,
// it is the start tag, and there is no value.
func extentOf(t *source.Tree, ref source.Ref) (e extent, ok bool) {
	if ref == 0 {
		return e, false
	}
	if ref < 0 {
		return attributeExtent(t, ref)
	}
	n := ref.Element()
	from := int(t.Elements[n].Offset)
	end := tagEnd(t.Data, from)
	if end < 0 {
		return e, false
	}
	e = extent{from: from, to: end}
	if t.FirstChild(n) != 0 || strings.HasSuffix(t.Data[from:end], "/>") {
		return e, true
	}
	closing := strings.Index(t.Data[end:], "</")
	if closing < 0 {
		return e, true
	}
	e.valueFrom, e.valueTo = end, end+closing
	if last := strings.IndexByte(t.Data[e.valueTo:], '>'); last >= 0 {
		e.to = e.valueTo + last + 1
	}
	return e, true
}

// tagEnd is the offset behind a start tag; values of attributes may have ">".
func tagEnd(data string, from int) int {
	quote := byte(0)
	for i := from; i < len(data); i++ {
		switch c := data[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

func attributeExtent(t *source.Tree, ref source.Ref) (e extent, ok bool) {
	from := int(t.Attributes[ref.Attribute()].Offset)
	open := strings.IndexAny(t.Data[from:], `"'`)
	if open < 0 {
		return e, false
	}
	open += from
	closing := strings.IndexByte(t.Data[open+1:], t.Data[open])
	if closing < 0 {
		return e, false
	}
	closing += open + 1
	return extent{from, closing + 1, open + 1, closing}, true
}

// spansAt are the places of the elements and attributes that begin at byte offsets; nil for
// an offset below 0, and where none begins.
func spansAt(t *source.Tree, offsets []int) []*Span {
	at := newSpans(t.Data)
	extents := make([]extent, len(offsets))
	for i, offset := range offsets {
		if offset >= 0 {
			extents[i], _ = extentOf(t, refAt(t, offset))
			at.ask(extents[i].from)
			at.ask(extents[i].to)
		}
	}
	at.walk()
	out := make([]*Span, len(offsets))
	for i, e := range extents {
		if e.to > 0 {
			out[i] = &Span{at.of(e.from), at.of(e.to)}
		}
	}
	return out
}
