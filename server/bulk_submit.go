package server

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"einvoice/server/admission"
	"einvoice/server/jobs"
	"einvoice/server/refusal"
)

// longestUpload is how long an archive may take to arrive, at the least rate or faster.
const longestUpload = 6 * time.Hour

// mostUploads is how many archives may arrive at a time.
const mostUploads = 4

// longestIdempotencyKey bounds the header.
const longestIdempotencyKey = 255

// submit begins the job of a request: about a source of the server, or about the archive that
// is its body.
func (s *Server) submit(x *exchange, query url.Values) (id string, err error) {
	begin := func() (string, error) { return s.bulk.Submit(x.request.Context(), query) }
	kind, _, _ := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	if x.request.ContentLength != 0 {
		begin = func() (string, error) { return s.submitArchive(x, query, kind) }
	}
	key := x.request.Header.Get("Idempotency-Key")
	if key == "" {
		return begin()
	}
	if len(key) > longestIdempotencyKey {
		return "", newProblem(refusal.RequestInvalid, "The Idempotency-Key has more than %d bytes. Take a shorter one, such as a UUID.", longestIdempotencyKey)
	}
	return s.bulk.Once(x.key, key, fmt.Sprintf("%s %s %d", query.Encode(), kind, x.request.ContentLength), begin)
}

// submitArchive begins a job about the archive in the body, which goes to the disk as it
// arrives.
func (s *Server) submitArchive(x *exchange, query url.Values, kind string) (string, error) {
	most := s.config.BulkUpload
	switch {
	case most == 0:
		return "", newProblem(refusal.RequestInvalid, "This server takes no archives: name a source of the server with the parameter \"source\".")
	case !jobs.IsArchive(kind):
		return "", newProblem(refusal.MediaType, "Send the documents as an archive: application/zip, application/x-tar, or a TAR compressed as application/gzip or application/zstd.")
	case x.request.ContentLength > most:
		return "", &http.MaxBytesError{Limit: most}
	}
	select {
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
	default:
		p := newProblem(refusal.Overloaded, "%d archives are arriving. Try again after %d s.", mostUploads, 5)
		p.retryAfter = 5
		return "", p
	}
	x.body = admission.NewBody(http.MaxBytesReader(x.ResponseWriter, x.request.Body, most), http.NewResponseController(x.ResponseWriter), s.config.LeastRate, longestUpload)
	return s.bulk.SubmitArchive(x.request.Context(), query, kind, io.Reader(x.body))
}
