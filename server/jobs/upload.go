package jobs

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"einvoice/server/held"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
)

// uploads is the folder of archives that requests brought, beside the folders of jobs.
const uploads = "uploads"

// A compressed archive of a request may unpack to so many times its size, and to so many bytes
// in any case.
const (
	timesUnpacked = 32
	evenUnpacked  = 64 << 20
)

// endings are the names of archives by their media types.
var endings = map[string]string{
	"application/zip": ".zip", "application/x-tar": ".tar",
	"application/gzip": ".tar.gz", "application/x-gzip": ".tar.gz", "application/zstd": ".tar.zst",
}

// IsArchive reports whether a media type is one of an archive that a job can be about.
func IsArchive(mediaType string) bool { return endings[mediaType] != "" }

// ArchiveHead is how many first bytes of an archive say of which kind it is.
const ArchiveHead = tarMagicAt + len(tarMagic)

// The magic of a TAR, and where it stands.
const (
	tarMagic   = "ustar"
	tarMagicAt = 257
)

// ArchiveKind is the media type of an archive by its first bytes; "" for anything else.
func ArchiveKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "application/zip"
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "application/gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "application/zstd"
	case len(head) >= ArchiveHead && bytes.HasPrefix(head[tarMagicAt:], []byte(tarMagic)):
		return "application/x-tar"
	}
	return ""
}

// SubmitArchive begins a job about the documents in an archive, which is kept until the job is
// complete or cancelled. Bounding the archive is up to its reader.
func (b *Jobs) SubmitArchive(ctx context.Context, asked Asked, mediaType string, archive io.Reader) (id string, err error) {
	if asked.Query.Has("source") {
		return "", refusal.New(refusal.Query, "The request has an archive and names a source. Send one of them.")
	}
	if _, err := b.operation(asked.Query, b.rules.Current()); err != nil { // before the archive is read
		return "", err
	}
	if err := b.hasRoom(ctx, asked); err != nil { // likewise; it may fill while the archive arrives
		return "", err
	}
	id = strings.ToLower(rand.Text())
	path := filepath.Join(b.Results, uploads, id+endings[mediaType])
	if err := keepFrom(path, archive); err != nil {
		return "", err
	}
	if err := b.start(ctx, id, asked); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return id, nil
}

// keep writes a file in the place of the one that is there.
func keep(path string, data []byte) error {
	_ = os.Remove(path + ".part") // of a server that was stopped in between
	return keepFrom(path, bytes.NewReader(data))
}

// keepFrom writes a file that lasts once it is there.
func keepFrom(path string, from io.Reader) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path+".part", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path+".part"))
		}
	}()
	_ = bulk.LockFile(f) // so that no server that starts takes it for one that was left
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// upload is the archive that a request brought for a job; "" for none.
func (b *Jobs) upload(id string) string {
	for _, ending := range bulk.ArchiveEndings {
		path := filepath.Join(b.Results, uploads, id+ending)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// forget removes the archive that a request brought for a job, and what was unpacked of it.
func (b *Jobs) forget(id string) {
	if path := b.upload(id); path != "" {
		_ = os.Remove(path) // at worst it stays
		_ = os.Remove(filepath.Join(b.Target(id).Work(), bulk.UnpackedFile))
	}
}

// sweep removes what requests did not bring to an end before the server stopped.
func (b *Jobs) sweep() {
	left, _ := filepath.Glob(filepath.Join(b.Results, uploads, "*.part"))
	for _, path := range left {
		if !held.By(path) { // else it arrives, at another server
			_ = os.Remove(path)
		}
	}
}
