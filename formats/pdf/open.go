package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// deepest is how far objects may lie within one another. It guards the
// library's parser, which calls itself; no sound PDF comes near.
const deepest = 100

// grace is for the library to notice that its time is over.
const grace = 500 * time.Millisecond

// Is tells whether data is a PDF, allowing for a little rubbish before the
// header, as PDF readers do. XML may mention a PDF's header, and remains XML.
func Is(data []byte) bool {
	head := data[:min(len(data), 1024)]
	markup := bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("<"))
	return !markup && bytes.Contains(head, []byte("%PDF-"))
}

// Open reads a PDF and finds what is attached to it. Every error is an *Error.
func Open(data []byte, limits Limits) (*Container, error) {
	limits = limits.withDefaults()
	if !Is(data) {
		return nil, &Error{Code: CodeNotPDF, Message: "this is not a PDF", Remedy: "hand in a PDF"}
	}
	if len(data) > limits.Bytes {
		return nil, beyond("the PDF has %d bytes, more than the %d that are allowed", len(data), limits.Bytes)
	}
	if err := checkFilters(data); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(limits.Time)
	// Without a table of objects, the library looks for the objects itself. That
	// helps where the table is wrong, and where the end of the file is missing: the
	// last table that is there then describes an earlier version of the document.
	ways := [][]byte{data, bytes.ReplaceAll(data, []byte("startxref"), []byte("startlost"))}
	cut := cutOff(data)
	if cut {
		slices.Reverse(ways)
	}
	c, err := attempt(ways[0], limits, deadline)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeDamaged || err == nil && (c.lost || cut && len(c.Attachments) == 0) {
		if other, failed := attempt(ways[1], limits, deadline); failed == nil && (err != nil || len(other.Attachments) > 0) {
			c, err = other, nil
		}
	}
	if err == nil {
		c.data = data
		c.lost = c.lost || cut
	}
	return c, err
}

// cutOff tells whether the end of a file is missing; a little may follow it.
func cutOff(data []byte) bool {
	data = bytes.TrimRight(data, "\x00 \t\r\n")
	return !bytes.Contains(data[max(0, len(data)-1024):], []byte("%%EOF"))
}

// attempt is over soon after the deadline, even if the library is at something
// that cannot be stopped.
func attempt(data []byte, limits Limits, deadline time.Time) (*Container, error) {
	type result struct {
		c   *Container
		err error
	}
	done := make(chan result, 1)
	go func() {
		c, err := read(data, limits, deadline)
		done <- result{c, err}
	}()
	timer := time.NewTimer(time.Until(deadline) + grace)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.c, r.err
	case <-timer.C:
		return nil, tooSlow()
	}
}

func read(data []byte, limits Limits, deadline time.Time) (*Container, error) {
	reader := newBoundedReader(data, limits, deadline)
	c := &Container{limits: limits}
	err := guarded(func() error { return c.open(reader) })
	switch e, typed := errors.AsType[*Error](err); {
	case reader.stopped != nil: // whatever the library made of it
		return nil, reader.stopped
	case err == nil:
		return c, nil
	case typed:
		return nil, e
	case errors.Is(err, context.DeadlineExceeded):
		return nil, tooSlow()
	case errors.Is(err, filter.ErrDecodeLimitExceeded):
		return nil, beyond("a stream of the PDF is larger than the %d bytes that are allowed", limits.Decoded)
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, &Error{
			Code: CodeEncrypted, Message: "the PDF is encrypted and opens only with a password", cause: err,
			Remedy: "remove the password, or ask the sender for a file without one; an invoice must not be encrypted",
		}
	case errors.Is(err, pdfcpu.ErrMalformedEncryption), errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return nil, &Error{
			Code: CodeEncrypted, Message: "the PDF is encrypted in a way that cannot be read", cause: err,
			Remedy: "ask the sender for a file without encryption; an invoice must not be encrypted",
		}
	}
	return nil, damaged(err)
}

func (c *Container) open(reader *boundedReader) error {
	ctx, cancel := context.WithDeadline(context.Background(), reader.deadline)
	defer cancel()
	var err error
	if c.context, err = pdfcpu.ReadWithContext(ctx, reader, c.limits.configuration()); err != nil {
		return err
	}
	// The library would refuse parts of honest files for being newer than their header.
	newest := model.V17
	c.context.HeaderVersion = &newest
	c.Encrypted = c.context.Encrypt != nil
	return c.find(reader.deadline)
}

// configuration is made by hand: the library's own reads, and writes, a folder
// in the user's home.
func (l Limits) configuration() *model.Configuration {
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes = int64(l.Bytes)
	limits.MaxDecodeBytes = int64(l.Decoded)
	limits.MaxObjectCount = l.Objects
	limits.MaxXRefEntries = l.Objects
	limits.MaxObjectStreamCount = l.Objects
	limits.MaxObjectStreamFirst = int64(min(16<<20, l.Decoded))
	limits.MaxRecursionDepth = deepest
	return &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true, Limits: limits,
	}
}

// guarded runs what calls the library, which has been seen to panic on damaged
// files.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = damaged(fmt.Errorf("the PDF library failed: %v", r))
		}
	}()
	return f()
}
