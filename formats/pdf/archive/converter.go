package archive

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"einvoice/formats/pdf"
	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A converter walks a document once, from the catalog down. It removes what PDF/A
// forbids or ignores, adds what PDF/A requires, and notes a reason for what cannot
// be repaired. After an error of the Reader, nothing more is found.
type converter struct {
	*pdf.Reader
	*output
	container   *pdf.Container
	mostDecoded int // bytes that may be decompressed

	ownFonts *Fonts // handed in; may be nil

	page    int // the current one, from 1; 0 outside of pages
	pages   int // that were met
	reasons []*problem.Error
	changes []Change
	made    map[Change]bool // those of changes
	omitted int             // changes that were too many to be listed

	usedNames  map[uintptr]*usedNames // of subdictionaries of resources, by identity
	resources  map[uintptr]types.Dict // the resource dictionaries that were met, by identity
	fonts      map[uintptr]*usedFont  // by the identity of the font dictionary
	fontOrder  []*usedFont
	streams    map[streamKey]bool   // content streams that were scanned
	spaces     map[int]types.Object // repaired colour spaces, by object number
	visited    map[int]bool         // objects of other kinds that were visited
	spotNames  spotNames
	cmykSpace  types.Object
	nesting    int          // of content streams
	inProgress map[int]bool // content streams that are being scanned
}

// stepsPerObject is how many steps the conversion may take for each object that the
// limits allow.
const stepsPerObject = 20

func newConverter(o *output, container *pdf.Container, deadline time.Time) *converter {
	limits := container.Limits()
	c := &converter{
		output: o, container: container, mostDecoded: limits.Decoded,
		usedNames: map[uintptr]*usedNames{}, resources: map[uintptr]types.Dict{}, fonts: map[uintptr]*usedFont{},
		streams: map[streamKey]bool{}, spaces: map[int]types.Object{}, visited: map[int]bool{},
		spotNames: spotNames{meaning: map[string]string{}, named: map[[2]string]string{}, last: map[string]int{}}, inProgress: map[int]bool{}, made: map[Change]bool{},
	}
	c.Reader = pdf.NewReader(o.Document, pdf.ReaderLimits{
		Steps: stepsPerObject * limits.Objects, Depth: limits.Depth, Decoded: limits.Decoded, Deadline: deadline, Context: limits.Context, Exceeded: c.exceeded,
	})
	c.OnDamage = func() { c.refuse(ReasonDamaged, "an object cannot be read", remedySave) }
	return c
}

func (c *converter) exceeded(limit pdf.Limit) error {
	switch limit {
	case pdf.LimitDecoded:
		return limitExceeded("the streams of the PDF decompress to more than the %d bytes that are allowed", c.mostDecoded)
	case pdf.LimitTime:
		return limitExceeded("the PDF takes too long to convert")
	}
	return limitExceeded("the PDF has too many objects to be converted")
}

func limitExceeded(format string, args ...any) error {
	return &problem.Error{
		Code: pdf.CodeLimit, Message: fmt.Sprintf(format, args...),
		Remedy: "make the PDF smaller",
	}
}

// maxReasons bounds the reasons of a refusal.
const maxReasons = 50

// refuse notes an obstacle on the current page, once.
func (c *converter) refuse(code, message, remedy string) { c.refuseOn(c.page, code, message, remedy) }

func (c *converter) refuseOn(page int, code, message, remedy string) {
	known := func(r *problem.Error) bool { return r.Page == page && r.Code == code && r.Message == message }
	if len(c.reasons) < maxReasons && !slices.ContainsFunc(c.reasons, known) {
		c.reasons = append(c.reasons, &problem.Error{Page: page, Code: code, Message: message, Remedy: remedy})
	}
}

// changed notes a change on the current page, once.
func (c *converter) changed(what string) { c.changedOn(c.page, what) }

// maxChanges bounds the list of changes; those after it are counted.
const maxChanges = 1000

func (c *converter) changedOn(page int, what string) {
	change := Change{page, what}
	switch {
	case c.made[change]:
	case len(c.changes) < maxChanges:
		c.made[change] = true
		c.changes = append(c.changes, change)
	default:
		c.omitted++
	}
}

func (c *converter) sortedChanges() []Change {
	slices.SortStableFunc(c.changes, func(a, b Change) int { return cmp.Compare(a.Page, b.Page) })
	if c.omitted > 0 {
		c.changes = append(c.changes, Change{0, fmt.Sprintf("further changes, which are not listed: %d", c.omitted)})
	}
	return c.changes
}

// cleanText is a text string in one line.
func (c *converter) cleanText(o types.Object) string { return clean(c.Text(o)) }

// firstVisit reports whether an object is met for the first time. A direct object is
// met once only.
func (c *converter) firstVisit(o types.Object) bool {
	number := objectNumber(o)
	if number == 0 {
		return true
	}
	if c.visited[number] {
		return false
	}
	c.visited[number] = true
	return true
}

// objectNumber is the number of the object that o refers to; 0 if o is direct.
func objectNumber(o types.Object) int {
	if ref, ok := o.(types.IndirectRef); ok {
		return ref.ObjectNumber.Value()
	}
	return 0
}

// replaceObject stores an object in place of the one that o refers to.
func (c *converter) replaceObject(o, with types.Object) {
	if ref, ok := o.(types.IndirectRef); ok {
		c.Replace(ref, with)
	}
}

// identity is the same for two values of one dictionary, which cannot be compared.
func identity(d types.Dict) uintptr { return reflect.ValueOf(d).Pointer() }

// removeAllBut removes the entries of a dictionary that are not named.
func removeAllBut(d types.Dict, names ...string) {
	for key := range d {
		if !slices.Contains(names, key) {
			delete(d, key)
		}
	}
}
