package archive

import (
	"bytes"
	"compress/zlib"
	"io"
	"runtime"
	"strings"
	"testing"
	"weak"
)

func TestDeflate(t *testing.T) {
	text := strings.Repeat("text ", 1000)
	for range 3 { // with a new compressor, and with one that was used
		r, err := zlib.NewReader(bytes.NewReader(deflate([]byte(text))))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
}

// A compressor in the pool does not keep in memory what it has written.
func TestCompressorsKeepNoDocument(t *testing.T) {
	output := new(bytes.Buffer)
	kept := weak.Make(output)
	compress(output, []byte("text"))
	runtime.GC() // the pool keeps its compressors once
	if kept.Value() != nil {
		t.Error("the output is still in memory")
	}
}
