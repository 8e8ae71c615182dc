package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"

	"github.com/minio/minio-go/v7"
)

const lockName = ".bulk/lock"

const (
	// renewEvery is how often whoever has the lock writes it again. One that was not written again
	// for renewTimes of that is of a process that ended. No clock is compared with another: who
	// wants the lock looks at it several times.
	renewEvery = 10 * time.Second
	renewTimes = 3
)

// Lock takes the lock of a job. The context that it gives ends when the lock is lost, which
// happens to a process that was asleep.
func (t *Target) Lock(ctx context.Context) (locked context.Context, unlock func(), err error) {
	etag, err := t.writeLock(ctx, "")
	if status(err) == http.StatusPreconditionFailed {
		etag, err = t.takeOver(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	locked, lose := context.WithCancelCause(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(t.renewEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-locked.Done():
				return
			}
			next, err := t.writeLock(locked, etag)
			if err != nil {
				lose(err)
				return
			}
			etag = next
		}
	}()
	return locked, func() {
		lose(nil)
		<-over
		// One that stays is taken over in a while.
		_ = t.Remove(context.WithoutCancel(ctx), lockName)
	}, nil
}

// writeLock writes the lock, where it still has an ETag; "" where there is none.
func (t *Target) writeLock(ctx context.Context, etag string) (string, error) {
	options := minio.PutObjectOptions{DisableMultipart: true}
	if etag == "" {
		options.SetMatchETagExcept("*")
	} else {
		options.SetMatchETag(etag)
	}
	data := []byte(rand.Text())
	written := ""
	err := t.repeat(ctx, 0, func(ctx context.Context) error {
		info, err := t.client.PutObject(ctx, t.bucket, t.prefix+lockName, bytes.NewReader(data), int64(len(data)), options)
		written = info.ETag
		if status(err) == http.StatusPreconditionFailed { // perhaps by this very lock, when an answer was lost
			if now, read := t.get(ctx, t.prefix+lockName, "", 1<<10); read == nil && bytes.Equal(now, data) {
				written, err = t.lockETag(ctx)
			}
		}
		return notMissing(err)
	})
	return written, err
}

// takeOver waits for whoever has the lock to write it again, and takes it if nobody does.
func (t *Target) takeOver(ctx context.Context) (string, error) {
	before, err := t.lockETag(ctx)
	if err != nil {
		return "", err
	}
	for range t.renewTimes {
		select {
		case <-time.After(t.renewEvery):
		case <-ctx.Done():
			return "", ctx.Err()
		}
		now, err := t.lockETag(ctx)
		if err != nil {
			return "", err
		}
		if now != before {
			return "", t.busy()
		}
	}
	etag, err := t.writeLock(ctx, before)
	if status(err) == http.StatusPreconditionFailed {
		err = t.busy()
	}
	return etag, err
}

func (t *Target) busy() error {
	return &problem.Error{Code: bulk.CodeBusy, Message: "another process works on " + t.name, Remedy: "wait for it, or end it with bulk cancel"}
}

// lockETag tells one lock from another; it is empty for none.
func (t *Target) lockETag(ctx context.Context) (etag string, err error) {
	err = t.repeat(ctx, 0, func(ctx context.Context) error {
		info, err := t.client.StatObject(ctx, t.bucket, t.prefix+lockName, minio.StatObjectOptions{})
		etag = info.ETag
		return err
	})
	if status(err) == http.StatusNotFound {
		return "", nil
	}
	return etag, err
}
