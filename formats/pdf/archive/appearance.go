package archive

import (
	"math"
	"strconv"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// An appearance is the appearance stream of an annotation that becomes a part of the
// page.
type appearance struct {
	form   types.Object
	matrix string // the operands of cm
}

// normalAppearance is the normal appearance stream of an annotation, in its current
// state; nil if there is none.
func (c *converter) normalAppearance(d types.Dict) types.Object {
	normal := c.Dict(d["AP"])["N"]
	switch n := c.Resolve(normal).(type) {
	case types.StreamDict:
		return normal
	case types.Dict:
		state := n[c.Name(d["AS"])]
		if _, ok := c.Stream(state); ok {
			return state
		}
	}
	return nil
}

// placedAppearance is an appearance stream with the matrix that maps it to the
// rectangle of its annotation (ISO 32000-1, 12.5.5); nil if nothing is to be drawn.
func (c *converter) placedAppearance(d types.Dict, normal types.Object) *appearance {
	rect := c.Numbers(d["Rect"], 4)
	s, ok := c.Stream(normal)
	if !ok || rect == nil || c.isEmpty(d) {
		return nil
	}
	s.Dict["Subtype"] = types.Name("Form")
	bbox := c.Numbers(s.Dict["BBox"], 4)
	m := c.Numbers(s.Dict["Matrix"], 6)
	if bbox == nil {
		return nil
	}
	if m == nil {
		m = []float64{1, 0, 0, 1, 0, 0}
	}
	left, bottom, right, top := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range []float64{bbox[0], bbox[2]} {
		for _, y := range []float64{bbox[1], bbox[3]} {
			u, v := m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5]
			left, right = min(left, u), max(right, u)
			bottom, top = min(bottom, v), max(top, v)
		}
	}
	if right == left || top == bottom {
		return nil
	}
	sx := math.Abs(rect[2]-rect[0]) / (right - left)
	sy := math.Abs(rect[3]-rect[1]) / (top - bottom)
	operands := []float64{sx, 0, 0, sy, min(rect[0], rect[2]) - sx*left, min(rect[1], rect[3]) - sy*bottom}
	texts := make([]string, len(operands))
	for i, v := range operands {
		texts[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64)
	}
	return &appearance{normal, strings.Join(texts, " ")}
}
