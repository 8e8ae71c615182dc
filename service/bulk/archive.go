package bulk

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"

	"github.com/klauspost/compress/zstd"
)

// InvoiceEndings are the files taken from a folder, and the members taken from an archive.
var InvoiceEndings = []string{".xml", ".pdf"}

// ArchiveEndings are the names of files that OpenArchive takes.
var ArchiveEndings = []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst"}

// CodeArchive is the error of an archive that cannot be read.
const CodeArchive = "BULK-ARCHIVE"

// mostUnpacked bounds a compressed archive, in bytes.
const mostUnpacked = 1 << 40

// An Archive is the documents in a ZIP or TAR file. They are never unpacked under their own
// names; a key is only a name.
type Archive struct {
	file    *os.File
	limit   int64
	members []member
	byKey   map[string]int
}

type member struct {
	Entry
	open func() (io.ReadCloser, error)
}

// IsArchive tells by its name whether a file is one.
func IsArchive(name string) bool {
	return slices.ContainsFunc(ArchiveEndings, func(ending string) bool { return strings.HasSuffix(strings.ToLower(name), ending) })
}

// OpenArchive opens an archive. limit is the largest document in bytes. A compressed TAR is
// unpacked into one file of the folder, because its documents cannot be found otherwise.
func OpenArchive(name, folder string, limit int64) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{file: f, limit: limit, byKey: map[string]int{}}
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".zip"):
		err = a.zip()
	case strings.HasSuffix(lower, ".tar"):
		err = a.tar()
	default:
		if err = a.unpack(lower, folder); err == nil {
			err = a.tar()
		}
	}
	if err != nil {
		_ = a.file.Close()
		if _, known := errors.AsType[*problem.Error](err); known {
			return nil, err
		}
		return nil, &problem.Error{Code: CodeArchive, Message: fmt.Sprintf("the archive %s cannot be read: %v", name, err), Remedy: "see that it is whole, and that its name ends as its kind does: " + strings.Join(ArchiveEndings, ", "), Cause: err}
	}
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// Each lists the members that may be invoices, in the order of the archive.
func (a *Archive) Each(ctx context.Context, yield func(Entry) error) error {
	for i := range a.members {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(a.members[i].Entry); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a member.
func (a *Archive) Read(_ context.Context, key string) ([]byte, error) {
	i, has := a.byKey[key]
	if !has {
		return nil, fmt.Errorf("there is no %s in the archive any more", key)
	}
	m := &a.members[i]
	if m.Size > a.limit {
		return nil, TooLarge(m.Size, a.limit)
	}
	r, err := m.open()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, a.limit+1)) // whatever size it claims
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > a.limit {
		return nil, TooLarge(int64(len(data)), a.limit)
	}
	return data, nil
}

// TooLarge is the error of a document that is not worth reading.
func TooLarge(size, limit int64) error {
	return &problem.Error{
		Code:    xmlparse.CodeLimit,
		Message: fmt.Sprintf("the file has %d bytes, more than the %d that are allowed", size, limit),
		Remedy:  "raise the limit with --max-bytes if you trust the file",
	}
}

func (a *Archive) add(name string, size int64, open func() (io.ReadCloser, error)) {
	if !slices.Contains(InvoiceEndings, strings.ToLower(path.Ext(name))) {
		return
	}
	key := name
	for n := 2; ; n++ { // archives may have one name twice
		if _, twice := a.byKey[key]; !twice {
			break
		}
		key = fmt.Sprintf("%s#%d", name, n)
	}
	a.byKey[key] = len(a.members)
	a.members = append(a.members, member{Entry{key, size}, open})
}

func (a *Archive) zip() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	r, err := zip.NewReader(a.file, info.Size())
	if err != nil {
		return err
	}
	for _, f := range r.File {
		a.add(f.Name, int64(min(f.UncompressedSize64, 1<<62)), f.Open)
	}
	return nil
}

func (a *Archive) tar() error {
	r := tar.NewReader(a.file)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		at, err := a.file.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		a.add(h.Name, h.Size, func() (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(a.file, at, h.Size)), nil
		})
	}
}

// unpack replaces the compressed file by one in the folder.
func (a *Archive) unpack(name, folder string) (err error) {
	var r io.Reader
	if strings.HasSuffix(name, ".zst") {
		z, err := zstd.NewReader(a.file)
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	} else if r, err = gzip.NewReader(a.file); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return notWritten(err)
	}
	to, err := os.Create(filepath.Join(folder, "unpacked.tar"))
	if err != nil {
		return notWritten(err)
	}
	n, err := io.Copy(to, io.LimitReader(r, mostUnpacked+1))
	if err == nil && n > mostUnpacked {
		err = fmt.Errorf("it has more than %d bytes unpacked", int64(mostUnpacked))
	}
	if err == nil {
		_, err = to.Seek(0, io.SeekStart)
	}
	if err != nil {
		return errors.Join(err, to.Close())
	}
	_ = a.file.Close() // it was only read
	a.file = to
	return nil
}
