package server

import (
	"crypto/sha256"
	"encoding/hex"
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
	asked := jobs.Asked{Owner: x.key, Query: query}
	kind, _, _ := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	body := sha256.New()
	begin := func() (string, error) { return s.bulk.Submit(x.request.Context(), asked) }
	again := func() error { return nil }
	if x.request.ContentLength != 0 {
		begin = func() (id string, err error) {
			err = s.withArchive(x, kind, func(archive io.Reader) error {
				id, err = s.bulk.SubmitArchive(x.request.Context(), asked, kind, io.TeeReader(archive, body))
				return err
			})
			return id, err
		}
		again = func() error {
			return s.withArchive(x, kind, func(archive io.Reader) error {
				_, err := io.Copy(body, archive)
				return err
			})
		}
	}
	key := x.request.Header.Get("Idempotency-Key")
	if key == "" {
		return begin()
	}
	if len(key) > longestIdempotencyKey {
		return "", newProblem(refusal.RequestInvalid, "The Idempotency-Key has more than %d bytes. Take a shorter one, such as a UUID.", longestIdempotencyKey)
	}
	digest := func() string { return hex.EncodeToString(body.Sum(nil)) }
	return s.bulk.Once(x.key, key, query.Encode()+" "+kind, func() (string, string, error) {
		id, err := begin()
		return id, digest(), err
	}, func() (string, error) {
		err := again()
		return digest(), err
	})
}

// withArchive reads the archive in the body within the bounds of archives, as it arrives.
func (s *Server) withArchive(x *exchange, kind string, read func(io.Reader) error) error {
	most := s.config.BulkUpload
	switch {
	case most == 0:
		return newProblem(refusal.RequestInvalid, "This server takes no archives: name a source of the server with the parameter \"source\".")
	case !jobs.IsArchive(kind):
		return newProblem(refusal.MediaType, "Send the documents as an archive: application/zip, application/x-tar, or a TAR compressed as application/gzip or application/zstd.")
	case x.request.ContentLength > most:
		return &http.MaxBytesError{Limit: most}
	}
	select {
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
	default:
		p := newProblem(refusal.Overloaded, "%d archives are arriving. Try again after %d s.", mostUploads, 5)
		p.retryAfter = 5
		return p
	}
	x.body = admission.NewBody(http.MaxBytesReader(x.ResponseWriter, x.request.Body, most), http.NewResponseController(x.ResponseWriter), s.config.LeastRate, longestUpload)
	return read(x.body)
}
