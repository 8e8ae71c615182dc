package server

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"einvoice/server/admission"
	"einvoice/server/jobs"
	"einvoice/server/option"
	"einvoice/server/refusal"
)

// longestUpload is how long an archive may take to arrive, at the least rate or faster.
const longestUpload = 6 * time.Hour

// mostUploads is how many archives may arrive at a time.
const mostUploads = 4

// formAround is what the form around an archive may have in bytes, beside the archive.
const formAround = 4 << 10

// submit begins the job of a request: about a source of the server, or about the archive that
// the request brings.
func (s *Server) submit(x *exchange, query url.Values) (id string, err error) {
	asked := jobs.Asked{Owner: x.owner}
	if x.tenant != nil {
		asked.Only, asked.Most = append([]string{}, x.tenant.Sources...), int(x.tenant.Jobs) // not nil, which is all sources
	}
	if asked.Query, err = s.withOverlays(x, query); err != nil {
		return "", err
	}
	body := sha256.New()
	begin := func() (id string, err error) {
		err = s.withArchive(x, func(kind string, archive io.Reader) error {
			if archive == nil {
				id, err = s.bulk.Submit(x.request.Context(), asked)
			} else {
				id, err = s.bulk.SubmitArchive(x.request.Context(), asked, kind, io.TeeReader(archive, body))
			}
			return err
		})
		return id, err
	}
	key, err := x.idempotencyKey()
	if err != nil {
		return "", err
	}
	if key == "" {
		return begin()
	}
	digest := func() string { return hex.EncodeToString(body.Sum(nil)) }
	return s.bulk.Once(x.request.Context(), x.owner, key, query.Encode(), func(begins func(id, body string) error) (string, error) {
		asked.Begins = func(id string) error { return begins(id, digest()) }
		return begin()
	}, func() (string, error) {
		err := s.withArchive(x, func(_ string, archive io.Reader) error {
			if archive == nil {
				return nil
			}
			_, err := io.Copy(body, archive)
			return err
		})
		return digest(), err
	})
}

// withOverlays is a query that names the overlays by which documents are validated: those that it
// chooses, or the usual ones, and those that neither the service nor the key leaves out. So a job
// goes on by them after a restart. An impact names both sides; it may ask what would be if what
// has to be asked were changed.
func (s *Server) withOverlays(x *exchange, query url.Values) (url.Values, error) {
	name, book := jobs.Validate, s.rules.Current()
	if query.Has("operation") {
		name = query.Get("operation")
	}
	chosen, asked := option.Values{}, query.Has(option.Overlay)
	if name != jobs.Validate && (name != jobs.Impact || !asked) {
		return query, nil
	}
	if asked {
		chosen[option.Overlay] = query.Get(option.Overlay)
	}
	names, err := chosen.Choose(book.Usual)
	if err != nil {
		return nil, err
	}
	var noted []string // beside those of the documents
	if name == jobs.Impact {
		names, _ = s.withMandatory(x, names, asked)
		noted, _ = s.withMandatory(x, book.Usual, false)
	} else if names, noted, err = s.mandatory(x)(book, names, asked); err != nil {
		return nil, err
	}
	out := maps.Clone(query)
	out.Set(option.Overlay, strings.Join(names, ","))
	out.Set(jobs.ParameterMandatory, strings.Join(noted, ","))
	return out, nil
}

// withArchive reads the archive of a request within the bounds of archives, as it arrives; nil
// where the request brings none.
func (s *Server) withArchive(x *exchange, read func(kind string, archive io.Reader) error) error {
	if x.request.ContentLength == 0 {
		return read("", nil)
	}
	kind, params, _ := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	most := s.config.BulkUpload
	isForm := kind == "multipart/form-data"
	switch {
	case isForm:
		most += formAround
	case !jobs.IsArchive(kind) && kind != "application/octet-stream":
		return newProblem(refusal.MediaType, "Send the documents as an archive: application/zip, application/x-tar, or a TAR compressed as application/gzip or application/zstd.")
	case most == 0:
		return archivesOff()
	}
	if x.request.ContentLength > most {
		return &http.MaxBytesError{Limit: s.config.BulkUpload}
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
	body, err := s.decompressed(x, most)
	if err != nil {
		return err
	}
	if isForm {
		part, err := archiveOf(body, params["boundary"])
		switch {
		case err != nil:
			return err
		case part == nil:
			return read("", nil)
		case s.config.BulkUpload == 0:
			return archivesOff()
		}
		kind, body = "", http.MaxBytesReader(nil, io.NopCloser(part), s.config.BulkUpload)
	}
	if jobs.IsArchive(kind) {
		return read(kind, body)
	}
	whole := bufio.NewReader(body)
	head, err := whole.Peek(jobs.ArchiveHead)
	if len(head) == 0 && errors.Is(err, io.EOF) {
		return read("", nil)
	}
	if kind = jobs.ArchiveKind(head); kind == "" {
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return newProblem(refusal.MediaType, "The file is not an archive. Send a ZIP, or a TAR as it is or compressed with gzip or zstd.")
	}
	return read(kind, whole)
}

func archivesOff() error {
	return newProblem(refusal.RequestInvalid, "This server takes no archives: name a source of the server with the parameter \"source\".")
}
