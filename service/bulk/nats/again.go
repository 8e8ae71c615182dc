package nats

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/service/watch"

	"github.com/nats-io/nats.go/jetstream"
)

// Again are the documents whose last result says that they were given up. Their reports are on
// SUBJECT.dead.NAME, and are removed when the document has another result.
func (s *Out) Again(all bool) watch.Source { return &again{of: s, all: all} }

// again is a source of documents that stay in their stream.
type again struct {
	of   *Out
	all  bool
	wait []string // subjects
}

// String is the subject of the reports.
func (a *again) String() string { return a.of.String() + "." + watch.Dead }

// Pause is longer than anything takes: nothing comes.
func (*again) Pause() time.Duration { return time.Hour }

// Open lists the reports.
func (a *again) Open(ctx context.Context, _ watch.Target) (locked context.Context, over func(), left []*watch.Document, err error) {
	if !a.all {
		return ctx, func() {}, nil, nil
	}
	err = patiently(ctx, func(ctx context.Context) error {
		info, err := a.of.stream.Info(ctx, jetstream.WithSubjectFilter(a.of.subject(watch.Dead, ">")))
		if err == nil {
			a.wait = nil
			for subject := range info.State.Subjects {
				a.wait = append(a.wait, subject)
			}
		}
		return err
	})
	if err != nil {
		return nil, nil, nil, failed(err)
	}
	slices.Sort(a.wait)
	return ctx, func() {}, nil, nil
}

// Take hands out what waits, where the document is still in its stream.
func (a *again) Take(ctx context.Context, room func() bool, hand func(*watch.Document)) (took, waits int, err error) {
	for len(a.wait) > 0 && took < oneTurn && room() {
		d, err := a.document(ctx, a.wait[0])
		if hand(d); err != nil {
			return took, len(a.wait), err
		}
		a.wait = a.wait[1:]
		took++
	}
	return took, len(a.wait), nil
}

// document is that of a report; nil where one of the two is gone. It has another name than before,
// which follows from the number of the report. It counts as one that was begun before: only what was is
// dead, and so it runs alone.
func (a *again) document(ctx context.Context, subject string) (d *watch.Document, err error) {
	err = patiently(ctx, func(ctx context.Context) error {
		d = nil
		report, err := a.of.stream.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			return err
		}
		at := report.Header.Get(headerDocument)
		name, number, _ := strings.Cut(at, "/")
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return nil // a report of somebody else
		}
		stream, err := a.of.js.Stream(ctx, name)
		if err != nil {
			return err
		}
		m, err := stream.GetMsg(ctx, n)
		if err != nil {
			return err
		}
		before := subject[strings.LastIndex(subject, ".")+1:]
		d = &watch.Document{
			Name: before + "-again-" + strconv.FormatUint(report.Sequence, 10) + endingOf(m.Data), Source: "nats:" + m.Subject, Came: time.Now(), Deliveries: 2,
			Origin: &origin{at: at, subject: m.Subject, data: m.Data, release: func(ctx context.Context) error {
				if err := a.of.note(ctx, before, true); err != nil {
					return err
				}
				return a.remove(ctx, report.Sequence)
			}},
		}
		return nil
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, failed(err)
	}
	return d, nil
}

// remove removes the report of a document that has another result. A stream that lets nobody remove
// keeps both.
func (a *again) remove(ctx context.Context, number uint64) error {
	err := patiently(ctx, func(ctx context.Context) error { return a.of.stream.DeleteMsg(ctx, number) })
	if _, refused := errors.AsType[*jetstream.APIError](err); refused || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return nil
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
