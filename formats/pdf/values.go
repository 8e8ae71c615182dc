package pdf

import (
	"strings"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Dict is a dictionary; nil if o is none.
func (r *Reader) Dict(o types.Object) types.Dict {
	d, _ := r.Resolve(o).(types.Dict)
	return d
}

// Stream is a stream.
func (r *Reader) Stream(o types.Object) (s types.StreamDict, ok bool) {
	s, ok = r.Resolve(o).(types.StreamDict)
	return s, ok
}

// Entries is a dictionary, or that of a stream; nil if o is neither.
func (r *Reader) Entries(o types.Object) types.Dict {
	switch d := r.Resolve(o).(type) {
	case types.Dict:
		return d
	case types.StreamDict:
		return d.Dict
	}
	return nil
}

// Array is an array; nil if o is none.
func (r *Reader) Array(o types.Object) types.Array {
	a, _ := r.Resolve(o).(types.Array)
	return a
}

// Name is a name; empty if o is none.
func (r *Reader) Name(o types.Object) string {
	n, _ := r.Resolve(o).(types.Name)
	return string(n)
}

// Number is an integer or a real number.
func (r *Reader) Number(o types.Object) (v float64, ok bool) {
	switch n := r.Resolve(o).(type) {
	case types.Integer:
		return float64(n), true
	case types.Float:
		return float64(n), true
	}
	return 0, false
}

// Integer is a number without its fraction; otherwise if o is none.
func (r *Reader) Integer(o types.Object, otherwise int) int {
	if v, ok := r.Number(o); ok {
		return int(v)
	}
	return otherwise
}

// Boolean reports whether o is true.
func (r *Reader) Boolean(o types.Object) bool {
	b, _ := r.Resolve(o).(types.Boolean)
	return bool(b)
}

// Numbers is an array of n numbers; nil if o is something else.
func (r *Reader) Numbers(o types.Object, n int) []float64 {
	a := r.Array(o)
	if len(a) != n {
		return nil
	}
	numbers := make([]float64, n)
	for i := range a {
		var ok bool
		if numbers[i], ok = r.Number(a[i]); !ok {
			return nil
		}
	}
	return numbers
}

// Text is a text string, decoded; empty if o is none that can be decoded.
func (r *Reader) Text(o types.Object) string {
	if o = r.Resolve(o); o == nil {
		return ""
	}
	s, err := model.Text(o)
	if err != nil {
		return ""
	}
	return s
}

// Printable is a text in one line, without characters that control a terminal or
// damage a log.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
}
