package server

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"einvoice/server/refusal"
	"einvoice/service/bulk"
)

// The media types of results.
const (
	typeJSONLines = "application/jsonl"
	typeZIP       = "application/zip"
)

// madeFolder has the files that a job made.
const madeFolder = "files/"

// getBulkResults is GET /v1/bulk/{id}/results: the results that are there, also of a job that
// goes on. They are JSON Lines, whole or by part, or a ZIP with the files that were made.
func (s *Server) getBulkResults(x *exchange) error {
	query, err := s.bulkQuery(x, "part")
	if err != nil {
		return err
	}
	id := x.params.ByName("id")
	if !s.bulk.Has(id) {
		return newProblem(refusal.BulkUnknown, "There is no job %.40q.", id)
	}
	status, err := s.bulk.Status(x.request.Context(), id)
	if err != nil {
		return err
	}
	h := x.Header()
	h.Set("Bulk-State", status.State)
	h.Set("Vary", "Accept")
	if query.Has("part") {
		return s.sendPart(x, id, query.Get("part"))
	}
	kind, write := typeJSONLines, s.writeLines
	if preferred(x.request.Header.Values("Accept"), typeJSONLines, typeZIP) == 1 {
		kind, write = typeZIP, s.writeZIP
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", id+".zip"))
	}
	h.Set("Content-Type", kind)
	x.WriteHeader(http.StatusOK)
	if err := write(x.request.Context(), &paced{x, s.config.LeastRate}, s.bulk.Target(id)); err != nil {
		s.log.Warn("results not sent", "requestId", x.id, "job", id, "error", err.Error())
		panic(http.ErrAbortHandler) // so that the client sees that there is more
	}
	return nil
}

// sendPart sends the results of one batch. The header Link names the next one that is done.
func (s *Server) sendPart(x *exchange, id, text string) error {
	part, err := strconv.Atoi(text)
	if err != nil || part < 1 {
		return newProblem(refusal.Query, "The parameter \"part\" is a number from 1.")
	}
	data, next, err := bulk.Part(x.request.Context(), s.bulk.Target(id), part, nil)
	if next >= 0 {
		x.Header().Set("Link", fmt.Sprintf("<%s?part=%d>; rel=\"next\"", x.request.URL.Path, next))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return newProblem(refusal.BulkPart, "The job has no results of part %d, or not yet.", part)
	}
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, typeJSONLines, data)
}

func (s *Server) writeLines(ctx context.Context, w io.Writer, target bulk.Folder) error {
	return bulk.Results(ctx, target, w, nil)
}

// writeZIP writes the results and the files that were made.
func (s *Server) writeZIP(ctx context.Context, w io.Writer, target bulk.Folder) error {
	z := zip.NewWriter(w)
	lines, err := z.Create("results.jsonl")
	if err == nil {
		err = bulk.Results(ctx, target, lines, nil)
	}
	if err == nil {
		err = target.Each(ctx, madeFolder, func(name string) error { return addToZIP(ctx, z, target, name) })
	}
	return errors.Join(err, z.Close())
}

func addToZIP(ctx context.Context, z *zip.Writer, target bulk.Folder, name string) error {
	if strings.HasSuffix(name, ".part") { // what is being written
		return nil
	}
	f, err := target.Open(ctx, name)
	if err != nil {
		return err
	}
	to, err := z.Create(name)
	if err == nil {
		_, err = io.Copy(to, f)
	}
	return errors.Join(err, f.Close())
}

// A paced writer has a client take what is sent at the least rate.
type paced struct {
	x    *exchange
	rate int64
}

// Write sends, for no longer than the least rate allows.
func (p *paced) Write(data []byte) (int, error) {
	taking := answerGrace + time.Duration(float64(len(data))/float64(p.rate)*float64(time.Second))
	_ = http.NewResponseController(p.x.ResponseWriter).SetWriteDeadline(time.Now().Add(taking)) // tests have writers without
	return p.x.Write(data)
}
