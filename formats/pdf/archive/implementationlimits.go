package archive

import (
	"maps"
	"math"
	"slices"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The implementation limits of PDF/A (ISO 19005-3, 6.1.13).
const (
	maxSavedStates = 28 // graphics states that are saved at a time
	maxStringBytes = 32767
	maxNameBytes   = 127
	maxReal        = 3.4e38
	minReal        = 1.2e-38 // except 0
)

// checkAllObjects visits every object that is left and checks it against the
// implementation limits and the filters that PDF/A allows. It also removes entries
// that any object may have.
func (c *converter) checkAllObjects() {
	c.page = 0
	type item struct {
		o     types.Object
		depth int // within an indirect object
	}
	seen := map[int]bool{}
	for stack := []item{{c.catalog, 0}}; len(stack) > 0 && c.Step(); {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.depth > maxNesting {
			c.refuse(ReasonRestriction, "objects lie too deep within one another", remedySave)
			return
		}
		if number := objectNumber(top.o); number > 0 {
			if seen[number] {
				continue
			}
			seen[number] = true
			top.depth = 0
			if c.isReferenceToReference(top.o) {
				c.replaceObject(top.o, nil)
				continue
			}
		}
		switch v := c.Resolve(top.o).(type) {
		case types.StreamDict:
			c.checkFilters(top.o, v)
			stack = append(stack, item{v.Dict, top.depth + 1})
		case types.Dict:
			c.checkDict(v)
			for _, key := range slices.Sorted(maps.Keys(v)) {
				stack = append(stack, item{v[key], top.depth + 1})
			}
		case types.Array:
			for _, e := range v {
				stack = append(stack, item{e, top.depth + 1})
			}
		default:
			c.checkValue(v)
		}
	}
}

// isReferenceToReference reports whether the object that o refers to is itself a
// reference, which ISO 32000 does not allow.
func (c *converter) isReferenceToReference(o types.Object) bool {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return false
	}
	target, err := c.Object(ref)
	_, again := target.(types.IndirectRef)
	return err == nil && again
}

func (c *converter) checkDict(d types.Dict) {
	for key := range d {
		c.checkName(key)
	}
	if s, ok := c.Stream(d["Metadata"]); ok && c.Name(s.Dict["Type"]) == "Metadata" {
		delete(d, "Metadata")
	}
	if c.Dict(d["EF"]) != nil && (d["F"] != nil || d["UF"] != nil) {
		delete(d, "EF") // the files are attached again
	}
}

func (c *converter) checkValue(o types.Object) {
	switch v := o.(type) {
	case types.Name:
		c.checkName(string(v))
	case types.StringLiteral, types.HexLiteral:
		c.checkString(stringBytes(v))
	case types.Integer:
		if v > math.MaxInt32 || v < math.MinInt32 {
			c.refuseNumber()
		}
	case types.Float:
		c.checkReal(float64(v))
	}
}

// checkOperands checks the operands of an operator of a content stream.
func (c *converter) checkOperands(args []any) {
	for _, a := range args {
		switch a := a.(type) {
		case content.Number:
			if a.Real {
				c.checkReal(a.Value)
			} else if math.Abs(a.Value) > math.MaxInt32 {
				c.refuseNumber()
			}
		case content.String:
			c.checkString(a)
		case content.Name:
			c.checkName(string(a))
		case content.Array:
			c.checkOperands(a)
		case content.Dict:
			for key, value := range a {
				c.checkOperands([]any{key, value})
			}
		}
	}
}

func (c *converter) checkReal(v float64) {
	if math.Abs(v) > maxReal || v != 0 && math.Abs(v) < minReal {
		c.refuseNumber()
	}
}

func (c *converter) refuseNumber() {
	c.refuse(ReasonRestriction, "a number is beyond what PDF/A allows", remedySave)
}

func (c *converter) checkString(s []byte) {
	if len(s) > maxStringBytes {
		c.refuse(ReasonRestriction, "a string is longer than PDF/A allows", remedySave)
	}
}

func (c *converter) checkName(name string) {
	if len(name) > maxNameBytes {
		c.refuse(ReasonRestriction, "a name is longer than PDF/A allows", remedySave)
	}
}
