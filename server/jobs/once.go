package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"einvoice/server/held"
	"einvoice/server/refusal"
)

// begunFolder has what was begun with an idempotency key, beside the folders of jobs.
const begunFolder = "begun"

// begunBy is a request that has begun a job.
type begunBy struct {
	Asked string // what it asked for
	Body  string // SHA-256 of its body
	ID    string
}

// Once begins a job, unless the owner has begun it before with the same idempotency key
// (draft-ietf-httpapi-idempotency-key-header-07): then it is that job. asked is the request
// without its body, of which begin and again give the digest: begin keeps it, and again reads
// it for nothing else. A key that was used for another request is refused. It also holds after
// a restart.
//
// What was begun is noted before the job is, so that no end of the process comes between the two;
// a note of a job that there is not counts for nothing.
func (b *Jobs) Once(ctx context.Context, owner, key, asked string, begin func(begins func(id, body string) error) (id string, err error), again func() (body string, err error)) (string, error) {
	sum := sha256.Sum256([]byte(owner + "\x00" + key))
	name := hex.EncodeToString(sum[:])
	defer b.alone(name)()
	release, err := held.Wait(ctx, b.heldFile(name)) // another server may have the same request
	if err != nil {
		return "", err
	}
	defer release()
	path := filepath.Join(b.Results, begunFolder, name+".json")
	data, err := os.ReadFile(path)
	switch {
	case err == nil:
		var before begunBy
		if err := json.Unmarshal(data, &before); err != nil {
			return "", err
		}
		if before.Asked != asked {
			return "", refusal.Reused()
		}
		if b.Has(before.ID) {
			body, err := again()
			if err == nil && body != before.Body {
				err = refusal.Reused()
			}
			return before.ID, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return begin(func(id, body string) error {
		data, err := json.Marshal(begunBy{asked, body, id})
		if err != nil {
			return err
		}
		return keep(path, data)
	})
}

// alone waits until no other request of the same key begins a job, and gives what ends its own
// turn. Requests of other keys do not wait: an archive may take hours to arrive.
func (b *Jobs) alone(name string) (done func()) {
	mine := make(chan struct{})
	for {
		b.mu.Lock()
		other, busy := b.beginning[name]
		if !busy {
			b.beginning[name] = mine
			b.mu.Unlock()
			return func() {
				b.mu.Lock()
				delete(b.beginning, name)
				b.mu.Unlock()
				close(mine)
			}
		}
		b.mu.Unlock()
		<-other
	}
}
