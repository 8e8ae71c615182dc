package pdf

import (
	"bytes"
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
	stopped  *problem.Error // why nothing more is read
}

func newMeteredFile(data []byte, limits Limits, deadline time.Time) *meteredFile {
	// Each byte of a sound file is read several times: in search of the end of an
	// object, as a part of its stream, and because pdfcpu reads ahead.
	f := &meteredFile{left: 6*len(data) + limits.Decoded/4, deadline: deadline}
	f.data.Reset(data)
	return f
}

// Seek implements io.Seeker. pdfcpu seeks once for each object.
func (f *meteredFile) Seek(offset int64, whence int) (int64, error) {
	f.free = bytesPerObject
	return f.data.Seek(offset, whence)
}

// Read implements io.Reader.
func (f *meteredFile) Read(p []byte) (int, error) {
	switch {
	case f.stopped != nil:
	case f.left <= 0:
		f.stopped = limitExceeded("the parts of the PDF overlap, so that it is read many times over")
	case time.Now().After(f.deadline):
		f.stopped = tooSlow()
	case f.free > 0:
		n, err := f.data.Read(p[:min(len(p), f.free)])
		f.free -= n
		return n, err
	default:
		n, err := f.data.Read(p)
		f.left -= n
		return n, err
	}
	return 0, f.stopped
}
