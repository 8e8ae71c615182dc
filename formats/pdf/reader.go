package pdf

import (
	"context"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Reader follows the references of a document and counts what that costs. The
// first limit that is exceeded ends it: from then on every reference leads to
// nothing, and Err is the reason. So callers look for an error where they need it,
// and not after each object.
type Reader struct {
	// OnDamage, if it is set, is called for each object that cannot be read. Such an
	// object is treated as the null object.
	OnDamage func()

	document *Document
	limits   ReaderLimits
	decoded  *decodeMeter
	steps    int
	bytes    int // that were read since the time was last looked at
	damaged  bool
	err      error
}

// ReaderLimits bound what a Reader may cost.
type ReaderLimits struct {
	Steps    int // references that are followed, and whatever else is counted with Step
	Depth    int // levels of a tree
	Decoded  int // bytes of streams that are decompressed
	Deadline time.Time
	Context  context.Context // ends the Reader as well; nil never does
	// Exceeded makes the error of a limit.
	Exceeded func(Limit) error
}

// A Limit names one of ReaderLimits.
type Limit uint8

// The limits.
const (
	LimitSteps Limit = iota
	LimitDepth
	LimitDecoded
	LimitTime
)

// stepsPerClock is after how many steps the time is looked at.
const stepsPerClock = 64

// NewReader makes a Reader with limits of its own.
func NewReader(d *Document, limits ReaderLimits) *Reader {
	return &Reader{document: d, limits: limits, decoded: &decodeMeter{most: limits.Decoded}}
}

// Reader makes a Reader for the objects of the container. What it decompresses
// counts towards the limit of the container.
func (c *Container) Reader(steps int, deadline time.Time) *Reader {
	return &Reader{document: &c.document, decoded: &c.decoded, limits: ReaderLimits{
		Steps: steps, Depth: c.limits.Depth, Decoded: c.limits.Decoded, Deadline: deadline, Context: c.limits.Context, Exceeded: c.limits.exceeded,
	}}
}

func (l Limits) exceeded(limit Limit) error {
	switch limit {
	case LimitSteps:
		return limitExceeded("the PDF takes more steps to read than are allowed")
	case LimitDepth:
		return limitExceeded("a tree in the PDF has more than the %d levels that are allowed", l.Depth)
	case LimitDecoded:
		return limitExceeded("the streams of the PDF decompress to more than the %d bytes that are allowed", l.Decoded)
	}
	return tooSlow()
}

// Err is the error that ended the Reader; nil if there was none.
func (r *Reader) Err() error { return r.err }

// Fail ends the Reader. The first error counts.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Damaged reports whether an object could not be read.
func (r *Reader) Damaged() bool { return r.damaged }

// Step counts a step, and reports whether the Reader can go on.
func (r *Reader) Step() bool { return r.Steps(1) }

// Steps counts several steps.
func (r *Reader) Steps(n int) bool {
	if r.err != nil {
		return false
	}
	before := r.steps
	r.steps += n
	if r.steps > r.limits.Steps {
		r.Fail(r.limits.Exceeded(LimitSteps))
	} else if before == 0 || before/stepsPerClock != r.steps/stepsPerClock {
		return r.InTime()
	}
	return r.err == nil
}

// bytesPerClock is after how many bytes the time is looked at.
const bytesPerClock = 64 << 10

// Bytes counts bytes of streams that are read, or work that is as much. It returns Err:
// every loop over input asks it, so that none outlasts the deadline.
func (r *Reader) Bytes(n int) error {
	if r.bytes += n; r.bytes >= bytesPerClock && r.err == nil {
		r.bytes = 0
		r.InTime()
	}
	return r.err
}

// InTime reports whether the Reader can go on, and ends it if its time is over.
func (r *Reader) InTime() bool {
	if time.Now().After(r.limits.Deadline) || r.limits.Context != nil && r.limits.Context.Err() != nil {
		r.Fail(r.limits.Exceeded(LimitTime))
	}
	return r.err == nil
}

// Decoded counts bytes that were decompressed, or made, in another way than by
// Decode. It reports whether the Reader can go on.
func (r *Reader) Decoded(bytes int) bool {
	if !r.decoded.add(bytes) {
		r.Fail(r.limits.Exceeded(LimitDecoded))
	}
	return r.err == nil
}

// Resolve is the object that o is or refers to; nil where there is none.
func (r *Reader) Resolve(o types.Object) types.Object {
	ref, indirect := o.(types.IndirectRef)
	if !indirect {
		return o
	}
	if !r.Step() {
		return nil
	}
	target, err := r.lookUp(ref)
	if err != nil {
		r.damaged = true
		if r.OnDamage != nil {
			r.OnDamage()
		}
	}
	if _, again := target.(types.IndirectRef); again || err != nil {
		return nil // an object is never itself a reference; following it might not end
	}
	return target
}

func (r *Reader) lookUp(ref types.IndirectRef) (types.Object, error) {
	table := r.document.table
	entry, found := table.FindTableEntryForIndRef(&ref)
	if !found || entry == nil || entry.Free {
		return nil, nil //nolint:nilnil // by ISO 32000, a reference to nothing is the null object
	}
	if lazy, ok := entry.Object.(types.LazyObjectStreamObject); ok && entry.ObjectStream != nil {
		if err := r.openObjectStream(*entry.ObjectStream, &lazy); err != nil || r.err != nil {
			return nil, err
		}
	}
	return table.Dereference(ref)
}

// openObjectStream decompresses an object stream when the first of its objects is
// needed. pdfcpu bounds a single stream; an attack uses many.
func (r *Reader) openObjectStream(number int, o *types.LazyObjectStreamObject) error {
	if r.document.opened[number] {
		return nil
	}
	if r.document.opened == nil {
		r.document.opened = map[int]bool{}
	}
	r.document.opened[number] = true
	text, err := o.GetData()
	if err != nil {
		return err
	}
	r.Decoded(cap(text)) // the text is a part of the whole, and its capacity reaches to the end of the whole
	return nil
}
