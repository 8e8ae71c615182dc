// Package bulkwork has documents of bulk jobs done in processes that can be ended, by the
// service and by the command line alike: Ask is the side of the job, Answer that of the process.
//
//	line, outcome, err := bulkwork.Ask(ctx, pool, owner, document, within, header)
package bulkwork

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"einvoice/model/deadline"
	"einvoice/server/confine"
	"einvoice/service/bulk"
)

// URL is where a process is called for a document of a job. Nobody else is served there.
const URL = "job"

// The headers by which a process knows the document.
const (
	headerKey   = "Einvoice-Document"
	headerBatch = "Einvoice-Batch"
	headerAt    = "Einvoice-At"
)

// mostInProcess is the largest body whose work need not be done apart. Work on small documents
// of XML and JSON is short.
const mostInProcess = 256 << 10

// pdfMarker is how PDFs begin. Parsers of PDFs and of what is in them cannot be asked to stop.
var pdfMarker = []byte("%PDF")

// IsRisky reports whether work on a document may not hear of its end, so that it is done in a
// process that can be ended.
func IsRisky(data []byte) bool {
	return len(data) > mostInProcess || bytes.Contains(data, pdfMarker)
}

// done is what a process made of a document.
type done struct {
	Line    []byte
	Outcome bulk.Outcome
}

// Ask has a process of a pool do a document within a time; 0 is for as long as it takes. It is a
// bulk.Elsewhere with what it needs: its errors are those of one, and what the owner refuses with.
func Ask(ctx context.Context, pool *confine.Pool, owner confine.Owner, d *bulk.Document, within time.Duration, header http.Header) (line []byte, out bulk.Outcome, err error) {
	batch, at := d.Place()
	call := &confine.Call{URL: URL, Body: d.Data, Time: within, Header: header.Clone()}
	if call.Header == nil {
		call.Header = http.Header{}
	}
	call.Header[headerKey] = []string{d.Key} // as it is
	call.Header.Set(headerBatch, strconv.Itoa(batch))
	call.Header.Set(headerAt, strconv.Itoa(at))
	limited := ctx
	if within > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, within+confine.Lateness)
		defer cancel()
	}
	reply, err := pool.Do(limited, call, owner)
	died, hasDied := errors.AsType[*confine.DiedError](err)
	switch {
	case hasDied:
		return nil, out, &bulk.FailedError{Cause: fmt.Errorf("the program failed on this document: %w", died)}
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return nil, out, bulk.ErrLate
	case err != nil:
		return nil, out, err
	case reply.Status == http.StatusGatewayTimeout:
		return nil, out, bulk.ErrLate
	case reply.Status != http.StatusOK:
		return nil, out, errors.New(string(reply.Body))
	}
	var made done
	if err := gob.NewDecoder(bytes.NewReader(reply.Body)).Decode(&made); err != nil {
		return nil, out, fmt.Errorf("the answer of a process: %w", err)
	}
	return made.Line, made.Outcome, nil
}

// Fails is the answer where nothing can be done at all, which ends the job.
func Fails(err error) *confine.Reply {
	return &confine.Reply{Status: http.StatusInternalServerError, Body: []byte(err.Error())}
}

// Answer does the document of a call. An error before it, such as memory that was refused, is
// the caller's to give.
func Answer(ctx context.Context, call *confine.Call, op bulk.Operation) *confine.Reply {
	batch, errBatch := strconv.Atoi(call.Header.Get(headerBatch))
	at, errAt := strconv.Atoi(call.Header.Get(headerAt))
	if err := errors.Join(errBatch, errAt); err != nil {
		return Fails(err)
	}
	key := ""
	if keys := call.Header[headerKey]; len(keys) == 1 {
		key = keys[0]
	}
	var made done
	var err error
	made.Line, made.Outcome, err = op.Do(ctx, nil, bulk.Placed(key, call.Body, batch, at))
	if deadline.Err(ctx) != nil {
		return &confine.Reply{Status: http.StatusGatewayTimeout}
	}
	var body bytes.Buffer
	if err == nil {
		err = gob.NewEncoder(&body).Encode(made)
	}
	if err != nil {
		return Fails(err)
	}
	return &confine.Reply{Status: http.StatusOK, Body: body.Bytes()}
}
