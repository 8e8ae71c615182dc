package pdf

import (
	"bytes"
	"context"
	"errors"
	"time"

	"einvoice/formats/filekind"
	"einvoice/model/pattern"
	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// headBytes is within how many bytes the version of a PDF is searched.
const headBytes = 1024

// grace is how long pdfcpu has to notice that its time is over.
const grace = 500 * time.Millisecond

// Open reads a PDF and finds the files that are attached to it. Every error is an
// *problem.Error.
func Open(data []byte, limits Limits) (*Container, error) {
	limits = limits.withDefaults()
	limits.Decoded = limits.DecodedOf(len(data))
	if !filekind.IsPDF(data) {
		return nil, &problem.Error{Code: CodeNotPDF, Message: "this is not a PDF", Remedy: "send a PDF"}
	}
	if len(data) > limits.Bytes {
		return nil, limitExceeded("the PDF has %d bytes, more than the %d that are allowed", len(data), limits.Bytes)
	}
	if err := checkFilters(data); err != nil {
		return nil, err
	}
	c, err := openAny(data, limits, time.Now().Add(limits.Time))
	if err != nil {
		return nil, err
	}
	c.data = data
	return c, nil
}

// openAny opens a sound file by its cross-reference table. A damaged one is opened
// in a second way if the first finds no attachment: without the table.
func openAny(data []byte, limits Limits, deadline time.Time) (*Container, error) {
	truncated := isTruncated(data)
	data = withKnownVersion(data)
	first, second := unchanged, withoutTable
	if truncated { // the last table that is left describes an earlier version of the document
		first, second = withoutTable, unchanged
	}
	c, err := openInTime(first(data), limits, deadline)
	e, _ := errors.AsType[*problem.Error](err)
	switch {
	case err != nil && e.Code != CodeDamaged:
		return nil, err
	case err != nil || c.incomplete || truncated && len(c.Attachments) == 0:
		other, failed := openInTime(second(data), limits, deadline)
		if failed == nil && (err != nil || len(other.Attachments) > 0) {
			c, err = other, nil
		}
	}
	if err != nil && truncated { // pdfcpu reads no file that ends within an object
		if whole := wholeObjects(data); len(whole) < len(data) {
			c, err = openInTime(withoutTable(whole), limits, deadline)
		}
	}
	if err != nil {
		return nil, err
	}
	c.incomplete = c.incomplete || truncated
	return c, nil
}

// header is the beginning of a PDF as far as pdfcpu reads it.
var header = pattern.Later(`%PDF-[0-9]\.[0-9]`)

// withKnownVersion is a file, or a copy of one that pdfcpu would refuse because no PDF
// has the version in its header.
func withKnownVersion(data []byte) []byte {
	at := header().FindIndex(data[:min(len(data), headBytes)])
	if at == nil {
		return data
	}
	if _, err := model.PDFVersion(string(data[at[1]-3 : at[1]])); err == nil {
		return data
	}
	known := bytes.Clone(data)
	copy(known[at[1]-3:], model.V17.String())
	return known
}

// endOfObject is what each object outside of object streams ends with.
var endOfObject = []byte("endobj")

func unchanged(data []byte) []byte { return data }

// withoutTable is a copy of a file in which pdfcpu does not find the
// cross-reference table, so that it searches the file for objects.
func withoutTable(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("startxref"), []byte("startlost"))
}

// wholeObjects is a truncated file without the object that it ends in.
func wholeObjects(data []byte) []byte {
	if at := bytes.LastIndex(data, endOfObject); at >= 0 {
		return data[:at+len(endOfObject)]
	}
	return data
}

// isTruncated reports whether the end of a file is missing; a few bytes may follow it.
func isTruncated(data []byte) bool {
	data = bytes.TrimRight(data, "\x00 \t\r\n")
	return !bytes.Contains(data[max(0, len(data)-1024):], []byte("%%EOF"))
}

// openInTime returns soon after the deadline, even if pdfcpu does something that
// cannot be stopped. Every error is a *problem.Error.
func openInTime(data []byte, limits Limits, deadline time.Time) (*Container, error) {
	type result struct {
		c   *Container
		err error
	}
	done := make(chan result, 1)
	go func() {
		c, err := openData(data, limits, deadline)
		done <- result{c, err}
	}()
	timer := time.NewTimer(time.Until(deadline) + grace)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.c, r.err
	case <-timer.C:
		return nil, tooSlow()
	case <-limits.Context.Done():
		return nil, tooSlow()
	}
}

func openData(data []byte, limits Limits, deadline time.Time) (*Container, error) {
	file := newMeteredFile(data, limits, deadline)
	c := &Container{limits: limits, decoded: decodeMeter{most: limits.Decoded}}
	err := Guard(func() error { return c.read(file) })
	switch e, typed := errors.AsType[*problem.Error](err); {
	case file.stopped != nil: // whatever pdfcpu made of it
		return nil, file.stopped
	case err == nil:
		return c, nil
	case typed:
		return nil, e
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, tooSlow()
	case errors.Is(err, filter.ErrDecodeLimitExceeded):
		return nil, limitExceeded("a stream of the PDF is larger than the %d bytes that are allowed", limits.Decoded)
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, &problem.Error{
			Code: CodeEncrypted, Message: "the PDF is encrypted and opens only with a password", Cause: err,
			Remedy: "remove the password, or ask the sender for a file without one; an invoice must not be encrypted",
		}
	case errors.Is(err, pdfcpu.ErrMalformedEncryption), errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return nil, &problem.Error{
			Code: CodeEncrypted, Message: "the PDF is encrypted in a way that cannot be read", Cause: err,
			Remedy: "ask the sender for a file without encryption; an invoice must not be encrypted",
		}
	}
	return nil, damaged(err)
}

func (c *Container) read(file *meteredFile) error {
	ctx, cancel := context.WithDeadline(file.ctx, file.deadline)
	defer cancel()
	pdf, err := pdfcpu.ReadWithContext(ctx, file, c.limits.configuration())
	if err != nil {
		return err
	}
	if len(pdf.Table) > c.limits.Objects { // pdfcpu counts the entries of cross-reference streams alone
		return limitExceeded("the PDF has more than the %d objects that are allowed", c.limits.Objects)
	}
	// pdfcpu would refuse parts of honest files because they are newer than the version in the header.
	newest := model.V17
	pdf.HeaderVersion = &newest
	c.document = Document{table: pdf.XRefTable}
	c.Encrypted = pdf.Encrypt != nil
	return c.findAttachments(file.deadline)
}
