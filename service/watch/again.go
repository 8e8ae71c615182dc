package watch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"einvoice/service/audit"
	"einvoice/service/inputfile"
)

// A Retrier is a target that gives out documents that were given up, to be tried again.
type Retrier interface {
	// Again is a source of the documents that are dead when it is opened, each of which it hands out
	// once. Without all it is only of those that a process had begun again, and ended.
	Again(all bool) Source
}

// Again are the documents in the folder of the dead. Each is tried under another name, which follows
// from its own: so whoever goes on after an end finds by this name how far it was.
func (s *Stored) Again(all bool) Source { return &again{of: s, all: all} }

// again is a source of documents that stay where they are while they are tried.
type again struct {
	of   *Stored
	all  bool
	wait []*Document
}

// String is the folder.
func (a *again) String() string { return strings.TrimSuffix(a.of.String(), "/") + "/" + Dead }

// Pause is longer than anything takes: nothing comes.
func (*again) Pause() time.Duration { return time.Hour }

// Open lists the dead documents. The target is locked already.
func (a *again) Open(ctx context.Context, _ Target) (locked context.Context, over func(), left []*Document, err error) {
	if !a.all && len(a.of.begun) == 0 {
		return ctx, func() {}, nil, nil
	}
	id, err := a.of.ID(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	err = a.of.In.Each(ctx, Dead+"/", func(name string) error {
		name = strings.TrimPrefix(name, Dead+"/")
		if strings.HasSuffix(name, audit.ReportEnding) {
			return nil
		}
		switch again := nameAgain(id, name); {
		case a.of.begun[again]:
			left = append(left, a.document(name, again))
		case a.all:
			a.wait = append(a.wait, a.document(name, again))
		}
		return nil
	})
	return ctx, func() {}, left, err
}

// nameAgain is that of a dead document when it is tried again. Nobody else can give it: the target
// has a secret of its own in it, its ID.
func nameAgain(id, dead string) string {
	sum := sha256.Sum256([]byte(id + "\n" + dead))
	return Stem(dead) + "~" + hex.EncodeToString(sum[:8]) + path.Ext(dead)
}

// isTriedAgain reports whether a document that was given up has another result since.
func (s *Stored) isTriedAgain(ctx context.Context, dead string) (bool, error) {
	id, err := s.ID(ctx)
	if err != nil {
		return false, err
	}
	place, err := s.placeOf(ctx, nameAgain(id, dead))
	return place != "", err
}

func (a *again) document(dead, again string) *Document {
	return &Document{Name: again, Source: a.String(), Came: time.Now(), Origin: deadFile{a.of, Dead + "/" + dead}}
}

// Take hands out what waits.
func (a *again) Take(_ context.Context, room func() bool, hand func(*Document)) (took, waits int, err error) {
	for len(a.wait) > 0 && took < window && room() {
		hand(a.wait[0])
		a.wait = a.wait[1:]
		took++
	}
	return took, len(a.wait), nil
}

// deadFile is a document in the folder of the dead.
type deadFile struct {
	of   *Stored
	name string // in the target
}

func (d deadFile) path() string { return filepath.Join(d.of.String(), d.name) }

func (d deadFile) Read(ctx context.Context, limit int64) ([]byte, error) {
	r, err := d.Open(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err = errors.Join(err, r.Close()); err == nil && int64(len(data)) > limit {
		err = inputfile.TooLarge(int64(len(data)), limit)
	}
	return data, err
}

func (d deadFile) Open(ctx context.Context) (io.ReadCloser, error) { return d.of.In.Open(ctx, d.name) }

func (d deadFile) Release(ctx context.Context) error { return d.of.In.Remove(ctx, d.name) }
