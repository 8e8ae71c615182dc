// Package encoding decompresses the bodies of requests and compresses answers: the content
// codings gzip (RFC 1952), br (RFC 7932) and zstd (RFC 8878).
package encoding

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// A coding is one way to compress. The windows bound what its reader keeps in memory, and its
// writer keeps less.
type coding struct {
	name   string
	window int64
	read   func(io.Reader) (io.Reader, error)
	write  func(io.Writer) io.WriteCloser
}

// codings are those that are known, the best one for answers first.
var codings = []coding{
	{"zstd", 8 << 20, readZstd, writeZstd},
	{"br", 16 << 20, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }, func(w io.Writer) io.WriteCloser { return brotli.NewWriterV2(w, 4) }},
	{"gzip", 64 << 10, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }},
}

func readZstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func writeZstd(w io.Writer) io.WriteCloser {
	e, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true)) // only options can be wrong
	return e
}

// Known are the names of the codings, as Accept-Encoding lists them.
func Known() string {
	names := make([]string, len(codings))
	for i := range codings {
		names[i] = codings[i].name
	}
	return strings.Join(names, ", ")
}

// Reader decompresses a body that has a Content-Encoding; window is how much memory it may
// take, in bytes. It is nil where the coding is not known, and the body itself where there is none.
// How much comes out is for the caller to bound.
func Reader(name string, body io.Reader) (decoded func() (io.Reader, error), window int64) {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" || name == "identity" {
		return func() (io.Reader, error) { return body, nil }, 0
	}
	if name == "x-gzip" { // RFC 9110, 8.4.1.3
		name = "gzip"
	}
	for i := range codings {
		if c := &codings[i]; c.name == name {
			return func() (io.Reader, error) { return c.read(body) }, c.window
		}
	}
	return nil, 0
}

// least is the size from which an answer is compressed: a smaller one fits into a packet.
const least = 1400

// Compress compresses an answer as Accept-Encoding asks; name is "" where it stays as it is,
// because nothing was asked for or it would not be shorter.
func Compress(accept string, contentType string, body []byte) (name string, compressed []byte) {
	if accept == "" || len(body) < least || !isText(contentType) {
		return "", body
	}
	c := accepted(accept)
	if c == nil {
		return "", body
	}
	var out bytes.Buffer
	w := c.write(&out)
	_, err := w.Write(body)
	if closed := w.Close(); err != nil || closed != nil || out.Len() >= len(body) {
		return "", body // a buffer takes everything; what does not shrink stays
	}
	return c.name, out.Bytes()
}

// Writer compresses an answer as it is written, as Accept-Encoding asks; memory is how much that
// may take, in bytes. open is nil where the answer stays as it is.
func Writer(accept, contentType string) (name string, memory int64, open func(io.Writer) io.WriteCloser) {
	if accept == "" || !isText(contentType) {
		return "", 0, nil
	}
	c := accepted(accept)
	if c == nil {
		return "", 0, nil
	}
	return c.name, c.window, c.write
}

// isText reports whether a media type is worth compressing. PDFs and archives are compressed.
func isText(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "jsonl") || strings.HasSuffix(kind, "xml") || kind == "application/javascript"
}

// accepted is the coding that a client likes best (RFC 9110, 12.5.3); nil for none. Of codings
// that it likes the same, the first of ours is taken.
func accepted(accept string) *coding {
	quality := map[string]float64{}
	for part := range strings.SplitSeq(accept, ",") {
		name, parameter, _ := strings.Cut(part, ";")
		q := 1.0
		if key, value, ok := strings.Cut(strings.TrimSpace(parameter), "="); ok && strings.EqualFold(strings.TrimSpace(key), "q") {
			parsed, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || parsed < 0 || parsed > 1 {
				parsed = 0
			}
			q = parsed
		}
		quality[strings.ToLower(strings.TrimSpace(name))] = q
	}
	var best *coding
	most := 0.0
	for i := range codings {
		q, named := quality[codings[i].name]
		if !named {
			q = quality["*"]
		}
		if q > most {
			best, most = &codings[i], q
		}
	}
	return best
}
