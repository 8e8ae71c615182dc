//go:build packed

package rulesets

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed packed/rulesets.zip
var packed string

func files() fs.FS {
	archive, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic("the program holds a damaged archive of rules: " + err.Error())
	}
	archive.RegisterDecompressor(zstd.ZipMethodWinZip, unpack)
	return archive
}

// decoder unpacks whole files, which is several times as fast as a stream for small ones.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil) })

func unpack(file io.Reader) io.ReadCloser {
	var data []byte
	d, err := decoder()
	if err == nil {
		data, err = io.ReadAll(file)
	}
	if err == nil {
		data, err = d.DecodeAll(data, nil)
	}
	if err != nil {
		return io.NopCloser(failed{err})
	}
	return io.NopCloser(bytes.NewReader(data))
}

// failed is a file that cannot be unpacked.
type failed struct{ error }

func (f failed) Read([]byte) (int, error) { return 0, f.error }
