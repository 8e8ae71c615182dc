package text

import (
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

type object = types.Object

// mostFilters is how many times over a stream may be encoded.
const mostFilters = 8

// reader is one reading of a PDF.
type reader struct {
	table    *model.XRefTable
	limits   Limits
	deadline time.Time
	document *Document

	steps, characters int
	fonts             map[int]*textFont // by the number of the object
	streams           map[int][]byte    // forms that were decompressed, likewise
	shown             map[*textFont]bool
	page              int // the one that is read
}

// step counts what was done; false ends the reading.
func (r *reader) step() error {
	r.steps++
	if r.steps > r.limits.Steps || r.steps%1024 == 0 && time.Now().After(r.deadline) {
		return ErrLimit
	}
	return nil
}

// at is the object that o is or refers to; nil where there is none.
func (r *reader) at(o object) (object, error) {
	ref, indirect := o.(types.IndirectRef)
	if !indirect {
		return o, nil
	}
	if err := r.step(); err != nil {
		return nil, err
	}
	target, err := r.table.Dereference(ref)
	if _, again := target.(types.IndirectRef); again || err != nil {
		return nil, nil //nolint:nilerr,nilnil // what cannot be read is not there
	}
	return target, nil
}

func (r *reader) dict(o object) (types.Dict, error) {
	o, err := r.at(o)
	switch d := o.(type) {
	case types.Dict:
		return d, err
	case types.StreamDict:
		return d.Dict, err
	}
	return nil, err
}

func (r *reader) array(o object) (types.Array, error) {
	o, err := r.at(o)
	a, _ := o.(types.Array)
	return a, err
}

func (r *reader) name(o object) (string, error) {
	o, err := r.at(o)
	n, _ := o.(types.Name)
	return n.Value(), err
}

// number is a number, or 0.
func (r *reader) number(o object) (float64, error) {
	o, err := r.at(o)
	switch n := o.(type) {
	case types.Integer:
		return float64(n.Value()), err
	case types.Float:
		return n.Value(), err
	}
	return 0, err
}

// numbers are those of an array.
func (r *reader) numbers(o object) ([]float64, error) {
	a, err := r.array(o)
	out := make([]float64, len(a))
	for i := range a {
		if err == nil {
			out[i], err = r.number(a[i])
		}
	}
	return out, err
}

// stream decompresses a stream; nil if there is none that can be read. What is
// referred to is kept: a form may be drawn on every page.
func (r *reader) stream(o object) ([]byte, error) {
	number := 0
	if ref, ok := o.(types.IndirectRef); ok {
		number = ref.ObjectNumber.Value()
		if data, known := r.streams[number]; known {
			return data, nil
		}
	}
	target, err := r.at(o)
	s, ok := target.(types.StreamDict) // a copy, so that nothing decompressed is kept twice
	if err != nil || !ok || len(s.FilterPipeline) > mostFilters {
		return nil, err
	}
	left := r.limits.Decoded - r.document.Decoded
	if left <= 0 {
		return nil, ErrLimit
	}
	if err := s.DecodeWithLimit(int64(left)); err != nil {
		s.Content = nil
	}
	r.document.Decoded += len(s.Content)
	if number != 0 {
		r.streams[number] = s.Content
	}
	return s.Content, nil
}
