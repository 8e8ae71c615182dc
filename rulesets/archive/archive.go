// Package archive is one text that holds a folder of rulesets, and is read where it lies: a
// program that embeds one opens it without reading it, and a start reads only what it asks for.
//
//	text, err := archive.Write(os.DirFS("rulesets"), names, asItIs)
//	folder, err := archive.Open(text)
//
// The archive begins with magic and the number of files. An entry of fixed length for each
// file follows, in the order of their names, and then the names, each with the digest of its file,
// and what the files hold.
package archive

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// magic begins an archive; its number changes with the form.
const magic = "einvoice files 2\n"

// Of an entry: five numbers of 4 bytes.
const (
	atName = 4 * iota // where the name is, and behind it the digest
	ofName            // its length
	atData
	ofData
	ofFile // the length of the file; another than ofData for one that is compressed
	entrySize
)

// digestSize is the length of a digest in bytes.
const digestSize = 32

// An FS is an archive as a folder. It implements fs.FS, fs.ReadFileFS, fs.ReadDirFS and
// fs.StatFS.
type FS struct {
	text  string
	count int
}

var errDamaged = errors.New("the archive of rules is damaged")

// Open opens an archive that Write made. It looks at the ends of the archive alone.
func Open(text string) (*FS, error) {
	if !strings.HasPrefix(text, magic) || len(text) < len(magic)+4 {
		return nil, errDamaged
	}
	f := &FS{text: text}
	f.count = int(f.number(len(magic)))
	if f.count > len(text)/entrySize {
		return nil, errDamaged
	}
	return f, nil
}

func (f *FS) number(at int) uint32 {
	b := f.text[at : at+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// An entry is a file by its number.
type entry struct {
	*FS
	at int
}

func (f *FS) entry(i int) entry { return entry{f, len(magic) + 4 + i*entrySize} }

func (e entry) cut(at, length int) string {
	from := e.number(e.at + at)
	return e.text[from : from+uint32(length)]
}

func (e entry) name() string { return e.cut(atName, int(e.number(e.at+ofName))) }
func (e entry) digest() string {
	from := e.number(e.at+atName) + e.number(e.at+ofName)
	return e.text[from : from+digestSize]
}
func (e entry) data() string { return e.cut(atData, int(e.number(e.at+ofData))) }
func (e entry) size() int    { return int(e.number(e.at + ofFile)) }

// isPacked reports whether the file is compressed.
func (e entry) isPacked() bool { return e.number(e.at+ofFile) != e.number(e.at+ofData) }

// find finds the first file whose name is not before name.
func (f *FS) find(name string) int {
	return sort.Search(f.count, func(i int) bool { return f.entry(i).name() >= name })
}

// file finds a file by its name.
func (f *FS) file(name string) (e entry, found bool) {
	i := f.find(name)
	if i == f.count {
		return e, false
	}
	e = f.entry(i)
	return e, e.name() == name
}

// Text is what a file holds that is not compressed, without a copy; it is false for any other
// file.
func (f *FS) Text(name string) (string, bool) {
	e, found := f.file(name)
	if !found || e.isPacked() {
		return "", false
	}
	return e.data(), true
}

// Digest is the SHA-256 of a file in hexadecimal digits, as it was when the archive was
// written; it is false where there is no such file.
func (f *FS) Digest(name string) (string, bool) {
	e, found := f.file(name)
	if !found {
		return "", false
	}
	return hex.EncodeToString([]byte(e.digest())), true
}

// ReadFile reads a whole file.
func (f *FS) ReadFile(name string) ([]byte, error) {
	e, found := f.file(name)
	if !found {
		return nil, notFound("read", name)
	}
	if !e.isPacked() {
		return []byte(e.data()), nil
	}
	decoder, err := unpacker()
	if err != nil {
		return nil, err
	}
	return decoder.DecodeAll([]byte(e.data()), make([]byte, 0, e.size()))
}

// unpacker decompresses whole files, of which several may come at a time.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil) })

func notFound(operation, name string) error {
	return &fs.PathError{Op: operation, Path: name, Err: fs.ErrNotExist}
}

// appendNumber adds a number as number reads it.
func appendNumber(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
