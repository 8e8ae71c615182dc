package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"einvoice/service/bulk"
	"einvoice/service/inputfile"
	"einvoice/service/watch"

	"github.com/minio/minio-go/v7"
)

// lookAgain is between two listings of a prefix that has nothing.
const lookAgain = 2 * time.Second

// window is how many objects of a prefix are taken before other sources have their turn.
const window = 1000

// An Inbox is a prefix that documents come into, for a line that watches. Objects stay where they
// are while they are being done, and are removed then.
type Inbox struct {
	*Target // of the lock, and to read from

	mu   sync.Mutex
	hand map[string]bool // keys in hand; false for those that are done since the last listing began
}

// OpenInbox opens s3://bucket/prefix. work is a folder of this machine for what can be made again.
func OpenInbox(name, work string) (*Inbox, error) {
	t, err := OpenTarget(name, work)
	return &Inbox{Target: t, hand: map[string]bool{}}, err
}

// Pause is two seconds: each listing is a request that is paid for.
func (*Inbox) Pause() time.Duration { return lookAgain }

// Open takes the lock of the prefix. What was begun before is listed like all else.
func (b *Inbox) Open(ctx context.Context, to watch.Target) (locked context.Context, over func(), left []*watch.Document, err error) {
	if _, err := watch.Keeps(b, to); err != nil {
		return nil, nil, nil, err
	}
	locked, over, err = b.Lock(ctx)
	return locked, over, nil, err
}

// errEnough ends a listing.
var errEnough = errors.New("enough for now")

// Take lists the prefix. Objects with a part of their name that begins with a dot are not looked at.
func (b *Inbox) Take(ctx context.Context, room func() bool, hand func(*watch.Document)) (took, waits int, err error) {
	b.forget()
	err = b.list(ctx, b.prefix, func(o minio.ObjectInfo) error {
		name := strings.TrimPrefix(o.Key, b.prefix)
		if strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || !inputfile.MayBeInvoice(name) || b.has(o.Key) {
			return nil
		}
		waits++
		if took == window || !room() {
			return errEnough
		}
		b.set(o.Key, true)
		hand(b.document(o))
		took++
		return nil
	})
	if errors.Is(err, errEnough) || ctx.Err() != nil {
		err = nil
	}
	return took, waits, err
}

func (b *Inbox) has(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, has := b.hand[key]
	return has
}

func (b *Inbox) set(key string, in bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hand[key] = in
}

// forget forgets what was done before a listing, which does not have it.
func (b *Inbox) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.hand, func(_ string, in bool) bool { return !in })
}

// document names an object by what it is and when it was written, so that it has the same name after
// an end of the process, and one that is written again another.
func (b *Inbox) document(o minio.ObjectInfo) *watch.Document {
	sum := sha256.Sum256([]byte(o.Key + "\n" + o.ETag + "\n" + o.LastModified.UTC().Format(time.RFC3339Nano)))
	ending := path.Ext(o.Key)
	name := watch.Stem(path.Base(o.Key)) + "~" + hex.EncodeToString(sum[:8]) + ending
	return &watch.Document{Name: name, Source: b.String(), Came: o.LastModified, Origin: &object{b, o}}
}

// An object is a document in its prefix.
type object struct {
	in   *Inbox
	info minio.ObjectInfo
}

func (o *object) Read(ctx context.Context, limit int64) ([]byte, error) {
	if o.info.Size > limit {
		return nil, inputfile.TooLarge(o.info.Size, limit)
	}
	data, err := o.in.get(ctx, o.info.Key, o.info.ETag, limit)
	switch status(err) {
	case http.StatusNotFound, http.StatusPreconditionFailed:
		o.in.set(o.info.Key, false)
		return nil, watch.ErrGone
	}
	return data, err
}

func (o *object) Open(ctx context.Context) (io.ReadCloser, error) {
	return o.in.Target.Open(ctx, strings.TrimPrefix(o.info.Key, o.in.prefix))
}

// Release removes the object, unless it was written again meanwhile: then it is another document.
func (o *object) Release(ctx context.Context) error {
	now := minio.ObjectInfo{}
	name := strings.TrimPrefix(o.info.Key, o.in.prefix)
	err := missing(name, o.in.repeat(ctx, 0, func(ctx context.Context) (err error) {
		now, err = o.in.client.StatObject(ctx, o.in.bucket, o.info.Key, minio.StatObjectOptions{})
		return err
	}))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err == nil && now.ETag == o.info.ETag {
		err = o.in.Remove(ctx, name)
	}
	if err == nil {
		o.in.set(o.info.Key, false)
	}
	return err
}

var (
	_ watch.Source = (*Inbox)(nil)
	_ bulk.Target  = (*Target)(nil)
)
