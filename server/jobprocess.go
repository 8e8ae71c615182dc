package server

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"time"

	"einvoice/model/problem"
	"einvoice/model/reserve"
	"einvoice/server/confine"
	"einvoice/server/jobs"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// documentOfJob is where a process is called for a document of a job. Nobody else is served there.
const documentOfJob = "job"

// The headers by which a process knows what to do with a document of a job.
const (
	headerQuery  = "Einvoice-Query"
	headerDigest = "Einvoice-Digest"
	headerKey    = "Einvoice-Document"
	headerBatch  = "Einvoice-Batch"
	headerAt     = "Einvoice-At"
)

// reading are the settings that decide what is read off pages.
func (c *Config) reading() string {
	return fmt.Sprint(c.OCR, c.OCRLanguages, c.ParsePages, c.ParsePixels)
}

// processesOfJobs has documents of jobs done in processes that can be ended, each job in some of
// its own: its rules are those that were in force when it began. It is nil where all work is done
// in this process.
func (s *Server) processesOfJobs() func(jobs.JobCall) (bulk.Elsewhere, func()) {
	if s.pool == nil {
		return nil
	}
	return func(of jobs.JobCall) (bulk.Elsewhere, func()) {
		pool := s.newPool(func() *publishing.Book { return of.Book })
		return (&jobProcesses{s, pool, of}).do, pool.Close
	}
}

// jobProcesses are those of one job.
type jobProcesses struct {
	server *Server
	pool   *confine.Pool
	of     jobs.JobCall
}

// do has a process do a document. Where its memory does not fit beside that of others, it is begun
// again later: nobody waits for it.
func (p *jobProcesses) do(ctx context.Context, d *bulk.Document, within time.Duration) (line []byte, out bulk.Outcome, err error) {
	batch, at := d.Place()
	call := &confine.Call{
		URL: documentOfJob, Body: d.Data, Time: within,
		Header: http.Header{
			headerRoute: {"/v1/bulk"}, "X-Request-Id": {p.of.ID}, headerQuery: {p.of.Query}, headerDigest: {p.of.Digest},
			headerKey: {d.Key}, headerBatch: {strconv.Itoa(batch)}, headerAt: {strconv.Itoa(at)},
		},
	}
	for {
		reply, err := p.once(ctx, call)
		refused, isRefused := errors.AsType[*refusal.Refusal](err)
		died, hasDied := errors.AsType[*confine.DiedError](err)
		switch {
		case isRefused && refused.Code == refusal.Overloaded:
			select {
			case <-time.After(100*time.Millisecond + rand.N(200*time.Millisecond)):
				continue
			case <-ctx.Done():
				return nil, out, ctx.Err()
			}
		case isRefused:
			return nil, out, &bulk.FailedError{Cause: &problem.Error{Code: refused.Code, Message: refused.Detail}}
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
		var done documentDone
		if err := gob.NewDecoder(bytes.NewReader(reply.Body)).Decode(&done); err != nil {
			return nil, out, fmt.Errorf("the answer of a process: %w", err)
		}
		return done.Line, done.Outcome, nil
	}
}

// once calls a process.
func (p *jobProcesses) once(ctx context.Context, call *confine.Call) (*confine.Reply, error) {
	visit := p.server.admission.Job()
	defer visit.Leave()
	if err := visit.Take(copiesOfBody * int64(len(call.Body))); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, call.Time+lateness)
	defer cancel()
	return p.pool.Do(limited, call, &ownerOf{visit, func(wait func()) error { wait(); return nil }})
}

// documentDone is what a process made of a document.
type documentDone struct {
	Line    []byte
	Outcome bulk.Outcome
}

// workForJob does a document of a job, in the process that was called.
func (s *Server) workForJob(ctx context.Context, call *confine.Call, owner confine.Owner) *confine.Reply {
	fails := func(err error) *confine.Reply {
		return &confine.Reply{Status: http.StatusInternalServerError, Body: []byte(err.Error())}
	}
	op, err := s.operationOfJob(call.Header.Get(headerQuery), call.Header.Get(headerDigest))
	if err != nil {
		return fails(err)
	}
	batch, errBatch := strconv.Atoi(call.Header.Get(headerBatch))
	at, errAt := strconv.Atoi(call.Header.Get(headerAt))
	if err := errors.Join(errBatch, errAt); err != nil {
		return fails(err)
	}
	visit := s.admission.Owned(owner)
	d := bulk.Placed(call.Header.Get(headerKey), call.Body, batch, at)
	var done documentDone
	c := costOfJob(op.Name())
	reserving := reserve.With(validate.Reserving(ctx, func(document []byte) error { return visit.Take(c.ofXML(document)) }), visit.Take)
	if err = visit.Take(pdfCost(d.Data, readOptions(s.config.MaxBody).PDF)); err == nil { // the owner knows what it refused
		done.Line, done.Outcome, err = op.Do(reserving, nil, d)
	}
	if visit.Asked() > mostKept {
		defer debug.FreeOSMemory()
	}
	if ctx.Err() != nil {
		return &confine.Reply{Status: http.StatusGatewayTimeout}
	}
	var body bytes.Buffer
	if err == nil {
		err = gob.NewEncoder(&body).Encode(done)
	}
	if err != nil {
		return fails(err)
	}
	return &confine.Reply{Status: http.StatusOK, Body: body.Bytes()}
}

// costOfJob is what the memory of a document is estimated by.
func costOfJob(name string) cost {
	if operation.Named(name) == nil { // validate and impact read twice at most
		return readCost
	}
	return costOf(name)
}

// A jobOperation is the operation of the last call of a process.
type jobOperation struct {
	query string
	bulk.Operation
}

// operationOfJob makes the operation of a job, unless the last call was for the same.
func (s *Server) operationOfJob(query, digest string) (bulk.Operation, error) {
	if s.job == nil || s.job.query != query {
		values, err := url.ParseQuery(query)
		if err != nil {
			return nil, err
		}
		op, err := jobs.Operation(values, s.rules.Current(), s.config.reading())
		if err != nil {
			return nil, err
		}
		s.job = &jobOperation{query, op}
	}
	if s.job.Digest() != digest {
		return nil, errors.New("rules or looks are not those that the job began with; begin a new job")
	}
	return s.job.Operation, nil
}
