package pdf

import (
	"bytes"
	"time"
)

// perObject is what the library reads at least for each object.
const perObject = 1024

// boundedReader is the only way by which the library gets at the file, and so
// the place to stop it: a file whose objects overlap can make it read, and keep,
// many times the file's size, and one without ends can keep it searching.
type boundedReader struct {
	data     *bytes.Reader
	free     int // bytes up to the end of what an object may always have
	left     int // bytes beyond that
	deadline time.Time
	stopped  *Error // why nothing more is handed out
}

func newBoundedReader(data []byte, limits Limits, deadline time.Time) *boundedReader {
	// Each byte is read a few times over: in search of an object's end, as the
	// stream that it is, and because the library reads ahead.
	return &boundedReader{data: bytes.NewReader(data), left: 6*len(data) + limits.Decoded/4, deadline: deadline}
}

// Seek is that of an io.Seeker. The library seeks once for each object.
func (r *boundedReader) Seek(offset int64, whence int) (int64, error) {
	r.free = perObject
	return r.data.Seek(offset, whence)
}

// Read is that of an io.Reader.
func (r *boundedReader) Read(p []byte) (int, error) {
	switch {
	case r.stopped != nil:
	case r.left <= 0:
		r.stopped = beyond("the parts of the PDF overlap, so that it is read many times over")
	case time.Now().After(r.deadline):
		r.stopped = tooSlow()
	default:
		if r.free == 0 {
			n, err := r.data.Read(p)
			r.left -= n
			return n, err
		}
		n, err := r.data.Read(p[:min(len(p), r.free)])
		r.free -= n
		return n, err
	}
	return 0, r.stopped
}
