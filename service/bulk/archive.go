package bulk

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"einvoice/model/problem"
	"einvoice/service/inputfile"

	"github.com/klauspost/compress/zstd"
)

// ArchiveEndings are the names of files that OpenArchive takes.
var ArchiveEndings = []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst"}

// The codes of errors of archives.
const (
	CodeArchive   = "BULK-ARCHIVE"   // it cannot be read
	CodeEncrypted = "BULK-ENCRYPTED" // a member needs a password
)

// encrypted is the flag of such members of a ZIP (APPNOTE 6.3.10, 4.4.4, bit 0).
const encrypted = 1

// UnpackedFile is what a compressed TAR is unpacked into, in the working folder of its job.
const UnpackedFile = "unpacked.tar"

// MostUnpacked bounds a compressed archive of the user's own, in bytes.
const MostUnpacked = 1 << 40

// An Archive is the documents in a ZIP or TAR file. They are never unpacked under their own
// names; a key is only a name. The members of a TAR are not held in memory, those of a ZIP
// are (about 300 bytes each).
type Archive struct {
	name    string // as it was named
	file    *os.File
	kept    bool // the file is of this job, and can be made again
	limit   int64
	most    int64 // bytes of a compressed one
	folder  string
	others  atomic.Int64         // members that are not invoices by their names
	members map[string]*zip.File // of a ZIP, by key
	order   []string             // of a ZIP, the keys
}

// IsArchive tells by its name whether a file is one.
func IsArchive(name string) bool {
	return slices.ContainsFunc(ArchiveEndings, func(ending string) bool { return strings.HasSuffix(strings.ToLower(name), ending) })
}

// OpenArchive opens an archive. limit is the largest document in bytes. A compressed TAR is
// unpacked into one file of the folder, of no more than most bytes, because its documents
// cannot be found otherwise. folder is of this machine, and for what can be made again.
func OpenArchive(name, folder string, limit, most int64) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{name: name, file: f, limit: limit, most: most, folder: folder}
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".zip"):
		err = a.zip()
	case strings.HasSuffix(lower, ".tar"):
		err = a.tar()
	default:
		err = a.unpack()
	}
	if err != nil {
		return nil, errors.Join(archiveError(name, err), a.file.Close())
	}
	return a, nil
}

// OpenTAR is OpenArchive for a TAR that is read from a stream, compressed or not.
func OpenTAR(r io.Reader, folder string, limit int64) (*Archive, error) {
	a := &Archive{name: "standard input", limit: limit, most: MostUnpacked, folder: folder}
	if err := a.keep(r); err != nil {
		return nil, archiveError(a.name, err)
	}
	return a, nil
}

func archiveError(name string, err error) error {
	if _, known := errors.AsType[*problem.Error](err); known || err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return &problem.Error{Code: CodeArchive, Message: fmt.Sprintf("the archive %s cannot be read: %v", name, err), Remedy: "see that it is whole, and of the kind that its name or media type says: " + strings.Join(ArchiveEndings, ", "), Cause: err}
}

// Others counts the members that are passed over, because their names do not end as those of
// invoices do.
func (a *Archive) Others() int { return int(a.others.Load()) }

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// Each lists the members that may be invoices, in the order of the archive. One that was kept,
// and is not whole, is not kept any longer, so that it can be given again.
func (a *Archive) Each(ctx context.Context, yield func(Entry) error) error {
	if a.members == nil {
		err := a.eachOfTAR(ctx, yield)
		if a.kept && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, tar.ErrHeader)) {
			_ = os.Remove(a.file.Name()) // at worst it is found damaged again
		}
		return archiveError(a.name, err)
	}
	for _, key := range a.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(Entry{Key: key, Size: sizeOf(a.members[key])}); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a member. Its stamp is that of the archive.
func (a *Archive) Read(_ context.Context, e Entry) (data []byte, stamp int64, err error) {
	switch {
	case e.Size > a.limit:
		return nil, 0, inputfile.TooLarge(e.Size, a.limit)
	case e.At == noFile:
		return nil, 0, notFile(e.Key)
	}
	info, err := a.file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if a.members == nil {
		data = make([]byte, e.Size)
		_, err = a.file.ReadAt(data, e.At)
	} else {
		data, err = a.unzip(e)
	}
	return data, info.ModTime().UnixNano(), err
}

func notFile(key string) error {
	return fmt.Errorf("%s is a link or a device in the archive, which has no bytes of its own", key)
}

// unzip reads a member of a ZIP, whatever size it claims.
func (a *Archive) unzip(e Entry) ([]byte, error) {
	m := a.members[e.Key]
	if m == nil {
		return nil, fmt.Errorf("there is no %s in the archive any more", e.Key)
	}
	if !m.Mode().IsRegular() { // the bytes of a link are the name that it leads to
		return nil, notFile(e.Key)
	}
	if m.Flags&encrypted != 0 {
		return nil, &problem.Error{Code: CodeEncrypted, Message: e.Key + " is encrypted in the archive", Remedy: "unpack the archive with its password, and name the folder"}
	}
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, a.limit+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > a.limit {
		return nil, inputfile.TooLarge(int64(len(data)), a.limit)
	}
	return data, nil
}

// longestName is the longest name that is a key as it is, in bytes: longer than any path of a
// system. A batch has to be a message of NATS.
const longestName = 4096

// short is a name of a member; of a very long one the beginning and the hash.
func short(name string) string {
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name[:longestName], "") + "..." + hex.EncodeToString(sum[:8])
}

// again is the key of the nth member of a name, because archives may have one name twice.
func again(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s#%d", name, n)
}

func sizeOf(f *zip.File) int64 { return int64(min(f.UncompressedSize64, 1<<62)) }

func (a *Archive) zip() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	r, err := zip.NewReader(a.file, info.Size())
	if err != nil {
		return err
	}
	a.members = map[string]*zip.File{}
	for _, f := range r.File {
		if !inputfile.MayBeInvoice(f.Name) {
			if !strings.HasSuffix(f.Name, "/") {
				a.others.Add(1)
			}
			continue
		}
		key := short(f.Name)
		for n := 2; a.members[key] != nil; n++ {
			key = again(short(f.Name), n)
		}
		a.members[key] = f
		a.order = append(a.order, key)
	}
	return nil
}

// tar sees that the file begins as a TAR does.
func (a *Archive) tar() error {
	_, err := tar.NewReader(io.NewSectionReader(a.file, 0, 1<<62)).Next()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// eachOfTAR lists the members with their places. The names that were there are in a table of
// a file.
func (a *Archive) eachOfTAR(ctx context.Context, yield func(Entry) error) error {
	if err := os.MkdirAll(a.folder, 0o755); err != nil {
		return notWritten(err)
	}
	names, err := newTable(filepath.Join(a.folder, "names"))
	if err != nil {
		return err
	}
	defer names.close()
	return a.walkTAR(ctx, func(h *tar.Header, at int64) error {
		n, err := names.count(sha256.Sum256([]byte(h.Name)))
		if err != nil {
			return err
		}
		return yield(Entry{Key: again(short(h.Name), n), Size: h.Size, At: at})
	})
}

// noFile is the place of a member that is a link or a device. It is listed, so that its result
// says why it was not read.
const noFile = -1

// walkTAR calls yield with each member that may be an invoice, and where it begins.
func (a *Archive) walkTAR(ctx context.Context, yield func(h *tar.Header, at int64) error) error {
	others := 0 // of this listing: another one may count beside it
	defer func() { a.others.Store(int64(others)) }()
	place := io.NewSectionReader(a.file, 0, 1<<62) // whose place is known without asking the system
	for r := tar.NewReader(place); ctx.Err() == nil; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeDir || !inputfile.MayBeInvoice(h.Name) {
			if h.Typeflag == tar.TypeReg {
				others++
			}
			continue
		}
		at, err := place.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			h.Size, at = 0, noFile
		}
		if err := yield(h, at); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Count counts the members that may be invoices.
func (a *Archive) Count(ctx context.Context) (n int, err error) {
	if a.members != nil {
		return len(a.order), nil
	}
	err = a.walkTAR(ctx, func(*tar.Header, int64) error { n++; return nil })
	return n, archiveError(a.name, err)
}

// unpack replaces the compressed file by one in the folder, which is taken if it is there.
func (a *Archive) unpack() error {
	packed := a.file
	if err := a.keep(packed); err != nil {
		return err
	}
	return packed.Close()
}

// keep unpacks a TAR into a file of the folder and has the archive read that one. One that
// is there is whole, because it is renamed at the end.
func (a *Archive) keep(r io.Reader) error {
	path := filepath.Join(a.folder, UnpackedFile)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		if err = a.unpackTo(path, r); err != nil {
			return err
		}
		f, err = os.Open(path)
	}
	if err != nil {
		return err
	}
	a.file, a.kept = f, true
	if err := a.tar(); err != nil {
		_ = os.Remove(path)
		return err
	}
	return nil
}

func (a *Archive) unpackTo(path string, r io.Reader) error {
	if err := os.MkdirAll(a.folder, 0o755); err != nil {
		return notWritten(err)
	}
	r, err := unpacked(r)
	if err != nil {
		return err
	}
	to, err := os.Create(part(path))
	if err != nil {
		return notWritten(err)
	}
	n, err := io.Copy(to, io.LimitReader(r, a.most+1))
	if err == nil && n > a.most {
		err = &problem.Error{Code: CodeArchive, Message: fmt.Sprintf("the archive has more than %d bytes unpacked", a.most), Remedy: "send it in parts, or as a ZIP"}
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return errors.Join(err, os.Remove(part(path)))
	}
	if err := os.Rename(part(path), path); err != nil {
		return notWritten(err)
	}
	return nil
}

// unpacked undoes the compression of a stream, which its first bytes tell.
func unpacked(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	switch begins, _ := b.Peek(4); { // a shorter one is not an archive, which is found out later
	case bytes.HasPrefix(begins, []byte{0x1f, 0x8b}):
		return gzip.NewReader(b)
	case bytes.Equal(begins, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b)
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return b, nil
}
