package pdf

import (
	"errors"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// ErrDecodeLimit is the error of a stream that decompresses to more bytes than are
// left of the limit.
var ErrDecodeLimit = errors.New("the streams of the PDF decompress to more bytes than are allowed")

// A decodeMeter counts the bytes that are decompressed.
type decodeMeter struct{ used, most int }

func (m *decodeMeter) add(bytes int) (within bool) {
	m.used += bytes
	return m.used <= m.most
}

// decode is the content of a stream, which is passed by value: its decompressed
// content is not kept in the table of objects.
func (m *decodeMeter) decode(s types.StreamDict) ([]byte, error) {
	left := m.most - m.used
	if left <= 0 {
		return nil, ErrDecodeLimit
	}
	if len(s.FilterPipeline) > maxFilters {
		return nil, tooManyFilters()
	}
	err := s.DecodeWithLimit(int64(left))
	if errors.Is(err, filter.ErrDecodeLimitExceeded) {
		return nil, ErrDecodeLimit
	}
	if err != nil {
		return nil, err
	}
	if !m.add(len(s.Content)) { // a stream without a filter
		return nil, ErrDecodeLimit
	}
	return s.Content, nil
}

// Decode is the content of a stream. Its error does not end the Reader: it is
// ErrDecodeLimit, or the stream cannot be decoded.
func (r *Reader) Decode(s types.StreamDict) ([]byte, error) { return r.decoded.decode(s) }

// DecodeLeft is how many bytes may still be decompressed.
func (r *Reader) DecodeLeft() int { return r.decoded.most - r.decoded.used }
