package archive

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// A compressor takes almost a megabyte, so it is used again. It writes to w through
// itself, so that w can be removed: a pooled compressor keeps no document in memory.
type compressor struct {
	zlib *zlib.Writer
	w    io.Writer
}

var compressors = sync.Pool{New: func() any {
	c := &compressor{}
	c.zlib = zlib.NewWriter(c)
	return c
}}

// Write passes compressed data on.
func (c *compressor) Write(p []byte) (int, error) { return c.w.Write(p) }

// deflate compresses data as the filter FlateDecode expects it.
func deflate(data []byte) []byte {
	var b bytes.Buffer
	compress(&b, data)
	return b.Bytes()
}

func compress(w io.Writer, data []byte) {
	c := compressors.Get().(*compressor)
	c.w = w
	c.zlib.Reset(c)
	_, _ = c.zlib.Write(data) // a bytes.Buffer accepts everything
	_ = c.zlib.Close()
	c.w = nil
	compressors.Put(c)
}
