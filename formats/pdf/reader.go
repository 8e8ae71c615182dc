package pdf

import (
	"bytes"
	"time"
)

// perObject is what the library reads at least for each object: the buffer of
// its reader.
const perObject = 4096

// boundedReader is the only way by which the library gets at the file, and so
// the place to stop it: a file whose objects overlap can make it read, and keep,
// many times the file's size, and one without ends can keep it searching.
type boundedReader struct {
	*bytes.Reader
	left     int
	deadline time.Time
	stopped  *Error // why nothing more is handed out
}

func newBoundedReader(data []byte, limits Limits, deadline time.Time) *boundedReader {
	return &boundedReader{
		Reader: bytes.NewReader(data),
		// Each byte a few times over, and what there must be for small objects.
		left:     4*len(data) + limits.Decoded + perObject*min(limits.Objects, len(data)/16),
		deadline: deadline,
	}
}

// Read is that of an io.Reader.
func (r *boundedReader) Read(p []byte) (int, error) {
	switch {
	case r.stopped != nil:
	case r.left <= 0:
		r.stopped = beyond("the parts of the PDF overlap, so that it is read many times over")
	case time.Now().After(r.deadline):
		r.stopped = beyond("the PDF takes too long to read")
	default:
		n, err := r.Reader.Read(p)
		r.left -= n
		return n, err
	}
	return 0, r.stopped
}
