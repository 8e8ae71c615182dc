package archive

import (
	"maps"
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// audit goes through everything that is left, whatever it is, and holds it
// against the limits of PDF/A. It also drops what may be anywhere.
func (c *converter) audit() {
	c.page = 0
	type place struct {
		o     types.Object
		depth int
	}
	seen := map[int]bool{}
	for queue := []place{{c.catalog, 0}}; len(queue) > 0 && c.tick(); {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if p.depth > deepest {
			c.refuse(ReasonRestriction, "objects lie too deep within one another", remedySave)
			return
		}
		o := p.o
		if number := numberOf(o); number > 0 {
			if seen[number] {
				continue
			}
			seen[number] = true
			p.depth = 0
			if target, err := c.Dereference(o); err == nil {
				if _, again := target.(types.IndirectRef); again {
					c.put(o, nil)
					continue
				}
			}
		}
		switch v := c.at(o).(type) {
		case types.StreamDict:
			c.encoding(o, v)
			queue = append(queue, place{v.Dict, p.depth + 1})
		case types.Dict:
			c.auditDict(v)
			for _, key := range slices.Sorted(maps.Keys(v)) {
				queue = append(queue, place{v[key], p.depth + 1})
			}
		case types.Array:
			for _, e := range v {
				queue = append(queue, place{e, p.depth + 1})
			}
		default:
			c.auditValue(v)
		}
	}
}

func (c *converter) auditDict(d types.Dict) {
	for key := range d {
		if len(key) > longestLabel {
			c.refuse(ReasonRestriction, "a name is longer than PDF/A allows", remedySave)
		}
	}
	if s, ok := c.at(d["Metadata"]).(types.StreamDict); ok && c.name(s.Dict["Type"]) == "Metadata" {
		delete(d, "Metadata")
	}
	if c.dict(d["EF"]) != nil && (d["F"] != nil || d["UF"] != nil) {
		delete(d, "EF") // the files are attached anew
	}
}

func (c *converter) auditValue(o types.Object) {
	switch v := o.(type) {
	case types.Name:
		if len(v) > longestLabel {
			c.refuse(ReasonRestriction, "a name is longer than PDF/A allows", remedySave)
		}
	case types.StringLiteral, types.HexLiteral:
		if len(bytesOf(v)) > longestText {
			c.refuse(ReasonRestriction, "a string is longer than PDF/A allows", remedySave)
		}
	case types.Integer:
		if v > math.MaxInt32 || v < math.MinInt32 {
			c.refuse(ReasonRestriction, "a number is beyond what PDF/A allows", remedySave)
		}
	case types.Float:
		if math.Abs(float64(v)) > 3.4e38 || v != 0 && math.Abs(float64(v)) < 1.2e-38 {
			c.refuse(ReasonRestriction, "a number is beyond what PDF/A allows", remedySave)
		}
	}
}
