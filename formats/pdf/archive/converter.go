package archive

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf"
)

// converter goes through a document once, from the catalog down. What PDF/A has
// no use for is left out, what it asks for is added, and what cannot be repaired
// is noted as a reason. After an error everything is skipped.
type converter struct {
	*document
	container *pdf.Container
	deadline  time.Time
	steps     int // objects that were looked at
	mostSteps int
	decoded   int // bytes that were decompressed
	most      int

	page    int // at hand; 0 outside of pages
	pages   int
	err     error
	reasons []Reason
	changes []Change

	used       map[uintptr]*usage // of dictionaries of resources, by identity
	resources  map[uintptr]types.Dict
	fonts      map[uintptr]*usedFont
	fontOrder  []*usedFont
	streams    map[streamKey]bool // content streams that were read
	spaces     map[int]types.Object
	done       map[int]bool // objects of other kinds that were gone through
	separation map[string]string
	cmykSpace  types.Object
	nesting    int          // of content streams
	active     map[int]bool // streams that are being read
}

// usage is which entries of a dictionary of resources are used.
type usage struct {
	dict  types.Dict
	names map[string]bool
}

func newConverter(d *document, container *pdf.Container, limits pdf.Limits, deadline time.Time) *converter {
	standard := pdf.DefaultLimits()
	return &converter{
		document: d, container: container, deadline: deadline,
		mostSteps: 20 * cmp.Or(limits.Objects, standard.Objects), most: cmp.Or(limits.Decoded, standard.Decoded),
		used: map[uintptr]*usage{}, resources: map[uintptr]types.Dict{}, fonts: map[uintptr]*usedFont{},
		streams: map[streamKey]bool{}, spaces: map[int]types.Object{}, done: map[int]bool{},
		separation: map[string]string{}, active: map[int]bool{},
	}
}

// fail stops the conversion.
func (c *converter) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// refuse notes an obstacle, once.
func (c *converter) refuse(code, message, remedy string) { c.refuseOn(c.page, code, message, remedy) }

func (c *converter) refuseOn(page int, code, message, remedy string) {
	r := Reason{page, code, message, remedy}
	if len(c.reasons) < mostReasons && !slices.Contains(c.reasons, r) {
		c.reasons = append(c.reasons, r)
	}
}

// changed notes a change, once.
func (c *converter) changed(what string) { c.changedOn(c.page, what) }

func (c *converter) changedOn(page int, what string) {
	if change := (Change{page, what}); !slices.Contains(c.changes, change) {
		c.changes = append(c.changes, change)
	}
}

func (c *converter) sortedChanges() []Change {
	slices.SortStableFunc(c.changes, func(a, b Change) int { return cmp.Compare(a.Page, b.Page) })
	return c.changes
}

// tick counts a step, and stops when there are too many or it takes too long.
func (c *converter) tick() bool {
	if c.err != nil {
		return false
	}
	c.steps++
	if c.steps > c.mostSteps {
		c.fail(errTooMuch("the PDF has too many objects to be converted"))
	} else if c.steps%64 == 0 && time.Now().After(c.deadline) {
		c.fail(errTooMuch("the PDF takes too long to convert"))
	}
	return c.err == nil
}

// at is the object that o is or refers to; nil where there is none.
func (c *converter) at(o types.Object) types.Object {
	ref, indirect := o.(types.IndirectRef)
	if !indirect {
		return o
	}
	if !c.tick() {
		return nil
	}
	target, err := c.Dereference(ref)
	if err != nil {
		c.refuse(ReasonDamaged, "an object cannot be read", remedySave)
		return nil
	}
	if _, again := target.(types.IndirectRef); again {
		return nil
	}
	return target
}

func (c *converter) dict(o types.Object) types.Dict {
	d, _ := c.at(o).(types.Dict)
	return d
}

// entries are those of a dictionary or of a stream.
func (c *converter) entries(o types.Object) types.Dict {
	if s, ok := c.at(o).(types.StreamDict); ok {
		return s.Dict
	}
	return c.dict(o)
}

func (c *converter) array(o types.Object) types.Array {
	a, _ := c.at(o).(types.Array)
	return a
}

func (c *converter) name(o types.Object) string {
	n, _ := c.at(o).(types.Name)
	return string(n)
}

func (c *converter) number(o types.Object) (float64, bool) {
	switch n := c.at(o).(type) {
	case types.Integer:
		return float64(n), true
	case types.Float:
		return float64(n), true
	}
	return 0, false
}

func (c *converter) integer(o types.Object, otherwise int) int {
	if n, ok := c.number(o); ok {
		return int(n)
	}
	return otherwise
}

func (c *converter) boolean(o types.Object) bool {
	b, _ := c.at(o).(types.Boolean)
	return bool(b)
}

// numbers are n numbers; nil if it is not that.
func (c *converter) numbers(o types.Object, n int) []float64 {
	a := c.array(o)
	if len(a) != n {
		return nil
	}
	result := make([]float64, n)
	for i := range a {
		var ok bool
		if result[i], ok = c.number(a[i]); !ok {
			return nil
		}
	}
	return result
}

// first tells whether an object is met for the first time; one that is not
// indirect always is.
func (c *converter) first(o types.Object) bool {
	number := numberOf(o)
	if number == 0 {
		return true
	}
	if c.done[number] {
		return false
	}
	c.done[number] = true
	return true
}

// numberOf is the number of the object that o refers to; 0 if o is direct.
func numberOf(o types.Object) int {
	if ref, ok := o.(types.IndirectRef); ok {
		return ref.ObjectNumber.Value()
	}
	return 0
}

// put stores an object in place of the one that is referred to.
func (c *converter) put(o types.Object, with types.Object) {
	if ref, ok := o.(types.IndirectRef); ok {
		if entry, found := c.FindTableEntryForIndRef(&ref); found {
			entry.Object = with
		}
	}
}

// identity tells dictionaries apart.
func identity(d types.Dict) uintptr { return reflect.ValueOf(d).Pointer() }

// keep drops the entries of a dictionary that are not named.
func keep(d types.Dict, names ...string) {
	for key := range d {
		if !slices.Contains(names, key) {
			delete(d, key)
		}
	}
}
