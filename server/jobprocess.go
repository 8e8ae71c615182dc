package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"einvoice/model/problem"
	"einvoice/model/reserve"
	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/server/jobs"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// The headers by which a process knows what to do with a document of a job.
const (
	headerQuery  = "Einvoice-Query"
	headerDigest = "Einvoice-Digest"
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
		pool := s.newPool(s.config.BulkJobs, func() *publishing.Book { return of.Book })
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
	header := http.Header{headerRoute: {"/v1/bulk"}, "X-Request-Id": {p.of.ID}, headerQuery: {p.of.Query}, headerDigest: {p.of.Digest}}
	for {
		line, out, err = p.once(ctx, d, within, header)
		refused, isRefused := errors.AsType[*refusal.Refusal](err)
		switch {
		case !isRefused:
			return line, out, err
		case refused.Code != refusal.Overloaded:
			return nil, out, &bulk.FailedError{Cause: &problem.Error{Code: refused.Code, Message: refused.Detail}}
		}
		select {
		case <-time.After(100*time.Millisecond + rand.N(200*time.Millisecond)):
		case <-ctx.Done():
			return nil, out, ctx.Err()
		}
	}
}

// once calls a process.
func (p *jobProcesses) once(ctx context.Context, d *bulk.Document, within time.Duration, header http.Header) (line []byte, out bulk.Outcome, err error) {
	visit := p.server.admission.Job()
	defer visit.Leave()
	if err := visit.Take(copiesOfBody * int64(len(d.Data))); err != nil {
		return nil, out, err
	}
	owner := &ownerOf{visit: visit, leave: withoutPlace, memory: p.server.memory}
	defer owner.over()
	return bulkwork.Ask(ctx, p.pool, owner, d, within, header)
}

// withoutPlace waits: documents of jobs have no place to give to others.
func withoutPlace(wait func()) error {
	wait()
	return nil
}

// workForJob does a document of a job, in the process that was called.
func (s *Server) workForJob(ctx context.Context, call *confine.Call, owner confine.Owner) *confine.Reply {
	op, err := s.operationOfJob(call.Header.Get(headerQuery), call.Header.Get(headerDigest))
	if err != nil {
		return bulkwork.Fails(err)
	}
	visit := s.admission.Owned(owner)
	if err := visit.Take(pdfCost(call.Body, readOptions(s.config.MaxBody).PDF)); err != nil {
		return bulkwork.Fails(err) // the owner knows what it refused
	}
	c := costOfJob(op.Name())
	reserving := reserve.With(validate.Reserving(ctx, func(document []byte) error { return visit.Take(c.OfXML(document)) }), visit.Take)
	return bulkwork.Answer(reserving, call, op)
}

// costOfJob is what the memory of a document is estimated by.
func costOfJob(name string) operation.Cost {
	if of := operation.Named(name); of != nil {
		return of.Cost
	}
	return readCost // validate and impact read twice at most
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
