package archive

import (
	"bytes"
	"compress/zlib"
	"io"
	"sync"
)

// compressors are compressors to use again: each takes almost a megabyte.
var compressors = sync.Pool{New: func() any { return zlib.NewWriter(io.Discard) }}

// deflate compresses data as the filter FlateDecode expects it.
func deflate(data []byte) []byte {
	var b bytes.Buffer
	z := compressors.Get().(*zlib.Writer)
	z.Reset(&b)
	_, _ = z.Write(data) // a bytes.Buffer accepts everything
	_ = z.Close()
	z.Reset(io.Discard) // so that the pool does not keep the output in memory
	compressors.Put(z)
	return b.Bytes()
}
