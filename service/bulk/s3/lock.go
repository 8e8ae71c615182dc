package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"time"

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
//
// A lock that is given back is an empty object and is not removed: what was removed from a bucket
// with versions counts as there for a condition in some servers, and the lock of another process,
// which took it over, would be removed as well.
func (t *Target) Lock(ctx context.Context) (locked context.Context, unlock func(), err error) {
	etag, err := t.writeLock(ctx, "", rand.Text())
	if status(err) == http.StatusPreconditionFailed {
		etag, err = t.takeOver(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	locked, lose := context.WithCancelCause(ctx)
	tried := ""
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
			tried = rand.Text()
			next, err := t.writeLock(locked, etag, tried)
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
		t.giveBack(context.WithoutCancel(ctx), etag, tried)
	}, nil
}

// giveBack frees the lock. It has an ETag, or else the text that was being written when that was
// broken off. One that stays is taken over in a while.
func (t *Target) giveBack(ctx context.Context, etag, tried string) {
	if _, err := t.writeLock(ctx, etag, ""); status(err) != http.StatusPreconditionFailed {
		return
	}
	if now, err := t.get(ctx, t.prefix+lockName, "", 1<<10); err != nil || string(now) != tried {
		return
	}
	if now, _, err := t.lockETag(ctx); err == nil {
		_, _ = t.writeLock(ctx, now, "")
	}
}

// writeLock writes the lock, where it still has an ETag; "" where there is none.
func (t *Target) writeLock(ctx context.Context, etag, text string) (string, error) {
	options := minio.PutObjectOptions{DisableMultipart: true}
	if etag == "" {
		options.SetMatchETagExcept("*")
	} else {
		options.SetMatchETag(etag)
	}
	data := []byte(text)
	written := ""
	err := t.repeat(ctx, 0, func(ctx context.Context) error {
		info, err := t.client.PutObject(ctx, t.bucket, t.prefix+lockName, bytes.NewReader(data), int64(len(data)), options)
		written = info.ETag
		if status(err) == http.StatusPreconditionFailed { // perhaps by this very lock, when an answer was lost
			if now, read := t.get(ctx, t.prefix+lockName, "", 1<<10); read == nil && bytes.Equal(now, data) {
				written, _, err = t.lockETag(ctx)
			}
		}
		return notMissing(err)
	})
	return written, err
}

// takeOver waits for whoever has the lock to write it again, and takes it if nobody does. It may be
// written once more by a process that ended, whose request was on its way.
func (t *Target) takeOver(ctx context.Context) (string, error) {
	before, free, err := t.lockETag(ctx)
	if err != nil {
		return "", err
	}
	written := false
	for n := 0; n < t.renewTimes && !free; n++ {
		select {
		case <-time.After(t.renewEvery):
		case <-ctx.Done():
			return "", ctx.Err()
		}
		now, nowFree, err := t.lockETag(ctx)
		if err != nil {
			return "", err
		}
		if now != before && written {
			return "", bulk.Busy(ctx, t)
		}
		if now != before {
			before, free, written, n = now, nowFree, true, -1
		}
	}
	etag, err := t.writeLock(ctx, before, rand.Text())
	if status(err) == http.StatusPreconditionFailed {
		err = bulk.Busy(ctx, t)
	}
	return etag, err
}

// lockETag tells one lock from another, and whether it was given back; it is empty for none.
func (t *Target) lockETag(ctx context.Context) (etag string, free bool, err error) {
	err = t.repeat(ctx, 0, func(ctx context.Context) error {
		info, err := t.client.StatObject(ctx, t.bucket, t.prefix+lockName, minio.StatObjectOptions{})
		etag, free = info.ETag, err == nil && info.Size == 0
		return err
	})
	if status(err) == http.StatusNotFound {
		return "", false, nil
	}
	return etag, free, err
}
