package publishing

import (
	"context"
	"path/filepath"

	"einvoice/server/held"
	"einvoice/server/refusal"
)

// onceFile is what a process has hold of, in the folder of the versions, while it serves a request with an
// idempotency key.
const onceFile = "lock-once"

// A Request is one that has an idempotency key (draft-ietf-httpapi-idempotency-key-header-07):
// what it makes has a note of it, so that it makes nothing a second time, also after a restart.
type Request struct {
	Key    string `json:"key"`    // SHA-256 of the key of the service and of that of the request
	SHA256 string `json:"sha256"` // of what it asks for
}

// By is who asks, for what publications have of them.
type By struct {
	Key  string   // the id of the key of the service
	Once *Request // nil without an idempotency key
}

// requests are those that a publication was made by.
func (b By) requests() []Request {
	if b.Once == nil {
		return nil
	}
	return []Request{*b.Once}
}

// Once does what is asked for, unless a request with the same idempotency key has had it done:
// then it is what came of that. A key that was used for another request is refused.
func (s *Shelf) Once(ctx context.Context, by By, work func() (Made, error)) (Made, error) {
	if by.Once == nil {
		return work()
	}
	s.once.Lock()
	defer s.once.Unlock()
	release, err := held.Wait(ctx, filepath.Join(s.Dir, versionsFolder, onceFile)) // another process may have the same request
	if err != nil {
		return Made{}, err
	}
	defer release()
	all, err := s.Versions()
	if err != nil {
		return Made{}, err
	}
	waiting, err := s.Proposals()
	if err != nil {
		return Made{}, err
	}
	for i := range all {
		if done, err := all[i].isBy(by.Once); done || err != nil {
			return Made{Version: all[i].Version}, err
		}
	}
	for i := range waiting {
		if done, err := waiting[i].isBy(by.Once); done || err != nil {
			return Made{Proposal: waiting[i].ID}, err
		}
	}
	return work()
}

// isBy reports whether a request had the publication made. One of the same idempotency key that
// asks for something else is an error.
func (p *Publication) isBy(r *Request) (bool, error) {
	for _, before := range p.Requests {
		if before.Key == r.Key {
			if before.SHA256 != r.SHA256 {
				return false, refusal.Reused()
			}
			return true, nil
		}
	}
	return false, nil
}
