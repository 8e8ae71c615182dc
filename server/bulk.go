package server

import (
	"bytes"
	"errors"
	"net/http"

	"einvoice/model/problem"
	"einvoice/server/jobs"
	"einvoice/server/option"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
)

// postBulk is POST /v1/bulk: it begins a job over one of the configured sources.
func (s *Server) postBulk(x *exchange) error {
	if err := s.servesBulk(); err != nil {
		return err
	}
	if name := x.query.Get(option.Language); name != "" {
		_ = x.choose(s.rules.Current().Library, name) // what is wrong with it is found with the other parameters
	}
	id, err := s.submit(x, x.query)
	if err != nil {
		return bulkProblem(err)
	}
	x.outcome = "submitted"
	x.Header().Set("Location", "/v1/bulk/"+id)
	return s.sendBulkStatus(x, http.StatusAccepted, id)
}

// servesBulk refuses all requests about jobs where there are none.
func (s *Server) servesBulk() error {
	if s.bulk == nil {
		return newProblem(refusal.BulkOff, "This server takes no jobs: the setting bulk-results is not set.")
	}
	return nil
}

// ofJob answers requests about a job that there is, with its id. A job whose days are over may go
// while a request about it is answered.
func (s *Server) ofJob(answer func(x *exchange, id string) error) func(*exchange) error {
	return func(x *exchange) error {
		if err := s.servesBulk(); err != nil {
			return err
		}
		id := x.params.ByName("id")
		unknown := newProblem(refusal.BulkUnknown, "There is no job %.40q.", id)
		if !s.bulk.Has(id) || !s.mayRead(x, id) {
			return unknown
		}
		err := answer(x, id)
		if err != nil && !s.bulk.Has(id) {
			return unknown
		}
		return err
	}
}

// mayRead reports whether a job is for the eyes of a key: one of a tenant reads the jobs of the tenant
// alone, and any other all.
func (s *Server) mayRead(x *exchange, id string) bool {
	return x.tenant == nil || s.bulk.Owner(x.request.Context(), id) == x.owner
}

func (s *Server) getBulk(x *exchange, id string) error {
	return s.sendBulkStatus(x, http.StatusOK, id)
}

// deleteBulk is DELETE /v1/bulk/{id}: the job stops after the documents in hand, and what is
// done stays.
func (s *Server) deleteBulk(x *exchange, id string) error {
	if err := s.bulk.Cancel(x.request.Context(), id); err != nil {
		return err
	}
	return s.sendBulkStatus(x, http.StatusAccepted, id)
}

func (s *Server) getBulkReport(x *exchange, id string) error {
	summary, err := bulk.Status(x.request.Context(), s.bulk.Target(id))
	if err != nil {
		return err
	}
	x.Header().Set("Vary", "Accept")
	if preferred(x.request.Header.Values("Accept"), "application/json", "text/html") == 0 {
		summary.GivenUp = jobs.GivenUpIn(summary.GivenUp, x.words)
		x.tellLanguage()
		return x.sendJSON(http.StatusOK, "application/json", summary)
	}
	var page bytes.Buffer
	if err := summary.WriteHTML(&page); err != nil {
		return err
	}
	return x.sendPage(http.StatusOK, page.Bytes())
}

func (s *Server) sendBulkStatus(x *exchange, status int, id string) error {
	out, err := s.bulk.Status(x.request.Context(), id)
	if err != nil {
		return err
	}
	x.tellLanguage()
	return x.sendJSON(status, "application/json", out.In(x.words))
}

// bulkProblem is the error of a job that was not begun.
func bulkProblem(err error) error {
	if told, ok := errors.AsType[*problem.Error](err); ok { // the first, where several options are wrong
		p := problemFor(told) // whose message and remedy are each translated
		in := newProblem(refusal.Query, "%s", p.Detail)
		in.told = told
		return in
	}
	return err
}
