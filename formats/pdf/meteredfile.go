package pdf

import (
	"bytes"
	"context"
	"time"

	"einvoice/model/problem"
)

// bytesPerObject is what pdfcpu reads at least for each object.
const bytesPerObject = 1024

// A meteredFile is the only access that pdfcpu has to the file, so it is where
// pdfcpu can be stopped: objects that overlap can make it read, and keep, many times
// the size of the file, and objects without an end can keep it searching.
type meteredFile struct {
	data     bytes.Reader
	free     int // bytes of the current object that are not counted
	left     int // other bytes that may still be read
	deadline time.Time
	ctx      context.Context
	object   objectMeter
	stopped  *problem.Error // why nothing more is read
}

func newMeteredFile(data []byte, limits Limits, deadline time.Time) *meteredFile {
	// Each byte of a sound file is read several times: in search of the end of an
	// object, as a part of its stream, and because pdfcpu reads ahead.
	f := &meteredFile{left: 6*len(data) + limits.Decoded/4, deadline: deadline, ctx: limits.Context}
	f.data.Reset(data)
	return f
}

// Seek implements io.Seeker. pdfcpu seeks once for each object.
func (f *meteredFile) Seek(offset int64, whence int) (int64, error) {
	f.free = bytesPerObject
	f.object = objectMeter{work: f.object.work}
	return f.data.Seek(offset, whence)
}

// Read implements io.Reader.
func (f *meteredFile) Read(p []byte) (int, error) {
	switch {
	case f.stopped != nil:
	case f.left <= 0:
		f.stopped = limitExceeded("the parts of the PDF overlap, so that it is read many times over")
	case time.Now().After(f.deadline), f.ctx.Err() != nil:
		f.stopped = tooSlow()
	default:
		var n int
		var err error
		if f.free > 0 {
			n, err = f.data.Read(p[:min(len(p), f.free)])
			f.free -= n
		} else {
			n, err = f.data.Read(p)
			f.left -= n
		}
		if !f.object.read(p[:n]) {
			f.stopped = limitExceeded("an object of the PDF has so many texts and comments that its end is not found in time")
			return 0, f.stopped
		}
		return n, err
	}
	return 0, f.stopped
}

// mostSearched is how much work, in bytes, the search for the ends of objects may be.
const mostSearched = 1 << 36

// An objectMeter estimates the work of pdfcpu in search of the end of an object: from each text
// and comment it looks for the next one of either kind, and where there is none of one kind it
// looks through all that it has read. It begins again with each part that it reads further.
type objectMeter struct {
	work           int
	begun, other   bool // what is read is an object, or a stream
	bytes          int
	marks, escaped int // what begins a text or comment, or would without a backslash
}

// perEscaped is how much more an escaped mark costs than a byte that is searched.
const perEscaped = 256

// read counts what is read on, and reports whether it may go on.
func (m *objectMeter) read(p []byte) bool {
	if !m.begun {
		m.begun = true
		m.other = len(p) > bytesPerObject || !bytes.Contains(p, []byte("bj")) // pdfcpu takes that for the beginning of an object
	}
	if m.other {
		return true
	}
	m.bytes += len(p)
	for _, mark := range []string{"(", "%"} {
		m.marks += bytes.Count(p, []byte(mark))
		m.escaped += bytes.Count(p, []byte("\\"+mark))
	}
	m.work += m.marks * (m.bytes + perEscaped*m.escaped)
	return m.work <= mostSearched
}
