package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// A Target is a prefix of a bucket that has a job. An object is there as a whole or not at
// all, and lasts once it was taken.
type Target struct {
	*place
	name, work string
	renewEvery time.Duration // the lock
	renewTimes int
	retain     time.Time
}

// Retain has S3 refuse, until a day, to remove what is written from now on, whoever asks (object lock
// in compliance mode). It refuses a bucket that was made without object lock; nothing is written then.
func (t *Target) Retain(ctx context.Context, until time.Time) error {
	_, _, _, _, err := t.client.GetObjectLockConfig(ctx, t.bucket)
	if minio.ToErrorResponse(err).Code == "ObjectLockConfigurationNotFoundError" {
		return &problem.Error{
			Code: CodeName, Message: "the bucket " + t.bucket + " was made without object lock, so S3 would let documents be removed",
			Remedy: "make a bucket with object lock, or leave --retain-years out", Cause: err,
		}
	}
	t.retain = until // who may not read that of the bucket is told by the first object
	return nil
}

// OpenTarget opens s3://bucket/prefix. work is a folder of this machine for what can be made
// again.
func OpenTarget(name, work string) (*Target, error) {
	p, err := open(name)
	if err != nil {
		return nil, err
	}
	if p.prefix = strings.Trim(p.prefix, "/"); p.prefix != "" {
		p.prefix += "/"
	}
	return &Target{place: p, name: name, work: work, renewEvery: renewEvery, renewTimes: renewTimes}, nil
}

// String is the name.
func (t *Target) String() string { return t.name }

// Work is the folder of this machine.
func (t *Target) Work() string { return t.work }

// uploads is how many objects are written at a time.
const uploads = 8

// Write puts all objects but the last at the same time, and then the last.
func (t *Target) Write(ctx context.Context, files ...bulk.File) error {
	group, ctx2 := errgroup.WithContext(ctx)
	group.SetLimit(uploads)
	for _, f := range files[:len(files)-1] {
		group.Go(func() error { return t.put(ctx2, f.Name, f.Data) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	last := files[len(files)-1]
	return t.put(ctx, last.Name, last.Data)
}

// Note puts an object.
func (t *Target) Note(ctx context.Context, name string, data []byte) error {
	return t.put(ctx, name, data)
}

func (t *Target) put(ctx context.Context, name string, data []byte) error {
	options := minio.PutObjectOptions{DisableMultipart: true}
	if !t.retain.IsZero() {
		options.Mode, options.RetainUntilDate, options.SendContentMd5 = minio.Compliance, t.retain, true
	}
	return t.repeat(ctx, int64(len(data)), func(ctx context.Context) error {
		_, err := t.client.PutObject(ctx, t.bucket, t.prefix+name, bytes.NewReader(data), int64(len(data)), options)
		return notMissing(err)
	})
}

// notMissing takes an answer that a bucket is not there for one that says nothing of an
// object.
func notMissing(err error) error {
	if status(err) == http.StatusNotFound {
		return unavailable(err)
	}
	return err
}

// Create writes a file of this machine, which is put when it is closed.
func (t *Target) Create(ctx context.Context, name string) (io.WriteCloser, error) {
	if err := os.MkdirAll(t.work, 0o755); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(t.work, "upload-*")
	if err != nil {
		return nil, err
	}
	return &upload{f, ctx, t, name}, nil
}

type upload struct {
	*os.File
	ctx  context.Context
	to   *Target
	name string
}

// singlePut is up to which size an object is put with one request, in bytes.
const singlePut = 1 << 30

func (u *upload) Close() error {
	defer os.Remove(u.File.Name())
	defer u.File.Close()
	if u.ctx.Err() != nil {
		return u.ctx.Err()
	}
	size, err := u.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	return u.to.repeat(u.ctx, size, func(ctx context.Context) error {
		if _, err := u.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := u.to.client.PutObject(ctx, u.to.bucket, u.to.prefix+u.name, u.File, size, minio.PutObjectOptions{DisableMultipart: size <= singlePut})
		return notMissing(err)
	})
}

// inMemory is up to which size an object is read into memory, in bytes; a larger one is read
// into a file first, because it is read while other things are done.
const inMemory = 16 << 20

// Open reads an object.
func (t *Target) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	var info minio.ObjectInfo
	err := t.repeat(ctx, 0, func(ctx context.Context) (err error) {
		info, err = t.client.StatObject(ctx, t.bucket, t.prefix+name, minio.StatObjectOptions{})
		return err
	})
	if err != nil {
		return nil, missing(name, err)
	}
	if info.Size <= inMemory {
		data, err := t.get(ctx, t.prefix+name, "", inMemory)
		return io.NopCloser(bytes.NewReader(data)), missing(name, err)
	}
	if err := os.MkdirAll(t.work, 0o755); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(t.work, "download-*")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "object")
	err = t.repeat(ctx, info.Size, func(ctx context.Context) error {
		return t.client.FGetObject(ctx, t.bucket, t.prefix+name, path, minio.GetObjectOptions{})
	})
	if err != nil {
		return nil, errors.Join(missing(name, err), os.RemoveAll(folder))
	}
	f, err := os.Open(path)
	return &download{f, folder}, err
}

// A download is removed when it has been read.
type download struct {
	*os.File
	folder string
}

func (d *download) Close() error { return errors.Join(d.File.Close(), os.RemoveAll(d.folder)) }

// missing is fs.ErrNotExist for what is not there.
func missing(name string, err error) error {
	if err != nil && status(err) == http.StatusNotFound {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return err
}

// Has reports whether an object is there.
func (t *Target) Has(ctx context.Context, name string) (bool, error) {
	err := t.repeat(ctx, 0, func(ctx context.Context) error {
		_, err := t.client.StatObject(ctx, t.bucket, t.prefix+name, minio.StatObjectOptions{})
		return err
	})
	if err = missing(name, err); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Each lists the objects below a folder.
func (t *Target) Each(ctx context.Context, folder string, yield func(string) error) error {
	return t.list(ctx, t.prefix+folder, func(o minio.ObjectInfo) error {
		return yield(strings.TrimPrefix(o.Key, t.prefix))
	})
}

// Remove removes an object.
func (t *Target) Remove(ctx context.Context, name string) error {
	return t.repeat(ctx, 0, func(ctx context.Context) error {
		return t.client.RemoveObject(ctx, t.bucket, t.prefix+name, minio.RemoveObjectOptions{})
	})
}
