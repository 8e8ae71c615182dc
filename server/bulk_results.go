package server

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"einvoice/formats/bundle"
	"einvoice/server/encoding"
	"einvoice/server/refusal"
	"einvoice/service/bulk"
)

// The media types of results.
const (
	typeJSONLines = "application/jsonl"
	typeZIP       = "application/zip"
	typeParquet   = "application/vnd.apache.parquet"
)

// madeFolder has the files that a job made.
const madeFolder = "files/"

// getBulkResults is GET /v1/bulk/{id}/results: the results that are there, also of a job that
// goes on, whole or by part. They are JSON Lines or Parquet, or a ZIP with the files that were
// made.
func (s *Server) getBulkResults(x *exchange, id string) error {
	status, err := s.bulk.Status(x.request.Context(), id)
	if err != nil {
		return err
	}
	h := x.Header()
	h.Set("Bulk-State", status.State)
	h.Set("Vary", "Accept")
	kind, as, err := s.resultsAs(x.request.Header.Values("Accept"))
	if err != nil {
		return err
	}
	results := &bulk.Results{Target: s.bulk.Target(id), Formats: s.config.BulkFormats, As: as}
	if x.query.Has("together") {
		return s.sendTogether(x, results, x.query)
	}
	if x.query.Has("part") {
		return s.sendPart(x, results, kind, x.query.Get("part"))
	}
	write := results.WriteAll
	if kind != typeJSONLines {
		ending := ".zip"
		if as != nil {
			ending = "." + as.Name
		} else {
			write = func(ctx context.Context, w io.Writer) error { return writeZIP(ctx, w, results) }
		}
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", id+ending))
	}
	h.Set("Content-Type", kind)
	out := s.compressing(x, kind, &paced{x, s.config.LeastRate})
	x.WriteHeader(http.StatusOK)
	err = write(x.request.Context(), out)
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		s.log.Warn("results not sent", "requestId", x.id, "job", id, "error", err.Error())
		panic(http.ErrAbortHandler) // so that the client sees that there is more
	}
	return nil
}

// resultsAs is what a client wants results as; the format is nil for what every program has. A
// client that wants Parquet of a program without it is told so, and gets nothing else in its
// place.
func (s *Server) resultsAs(accept []string) (kind string, as *bulk.Format, err error) {
	offered := []string{typeJSONLines, typeZIP, typeParquet}
	kind = offered[preferred(accept, offered...)]
	if kind != typeParquet {
		return kind, nil, nil
	}
	at := slices.IndexFunc(s.config.BulkFormats, func(f bulk.Format) bool { return f.MediaType == kind })
	if at < 0 {
		return "", nil, newProblem(refusal.BulkFormat, "The program einvoice writes no Parquet; einvoiced does. Accept %s or %s.", typeJSONLines, typeZIP)
	}
	return kind, &s.config.BulkFormats[at], nil
}

// sendTogether sends what was found by holding the documents of a job against each other.
func (s *Server) sendTogether(x *exchange, results *bulk.Results, query url.Values) error {
	if query.Get("together") != "true" || query.Has("part") {
		return newProblem(refusal.Query, "The parameter \"together\" is true or left out, and comes without \"part\".")
	}
	f, err := results.Target.Open(x.request.Context(), bulk.TogetherFile)
	if errors.Is(err, fs.ErrNotExist) {
		return newProblem(refusal.BulkPart, "The documents of the job were not compared with each other, or not yet. Begin it with \"batch\", such as batch=batch.")
	}
	if err != nil {
		return err
	}
	x.Header().Set("Content-Type", typeJSONLines)
	x.WriteHeader(http.StatusOK)
	_, err = io.Copy(&paced{x, s.config.LeastRate}, f)
	if err = errors.Join(err, f.Close()); err != nil {
		s.log.Warn("results not sent", "requestId", x.id, "error", err.Error())
		panic(http.ErrAbortHandler) // so that the client sees that there is more
	}
	return nil
}

// sendPart sends the results of one batch. The header Link names the next one that is done.
func (s *Server) sendPart(x *exchange, results *bulk.Results, kind, text string) error {
	part, err := strconv.Atoi(text)
	if err != nil || part < 1 {
		return newProblem(refusal.Query, "The parameter \"part\" is a number from 1.")
	}
	if kind == typeZIP {
		return newProblem(refusal.Query, "A part comes without the files that were made. Accept %s, or leave \"part\" out.", typeJSONLines)
	}
	var data bytes.Buffer
	next, err := results.WritePart(x.request.Context(), &data, part)
	if next >= 0 {
		x.Header().Set("Link", fmt.Sprintf("<%s?part=%d>; rel=\"next\"", x.request.URL.Path, next))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return newProblem(refusal.BulkPart, "The job has no results of part %d, or not yet.", part)
	}
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, kind, data.Bytes())
}

// writeZIP writes the results and the files that were made.
func writeZIP(ctx context.Context, w io.Writer, results *bulk.Results) error {
	z := zip.NewWriter(w)
	lines, err := z.CreateHeader(bundle.Header("results.jsonl", time.Time{}))
	if err == nil {
		err = results.WriteAll(ctx, lines)
	}
	if err == nil {
		err = results.Target.Each(ctx, madeFolder, func(name string) error { return addToZIP(ctx, z, results.Target, name) })
	}
	return errors.Join(err, z.Close())
}

func addToZIP(ctx context.Context, z *zip.Writer, target bulk.Target, name string) error {
	f, err := target.Open(ctx, name)
	if err != nil {
		return err
	}
	to, err := z.CreateHeader(bundle.Header(name, time.Time{}))
	if err == nil {
		_, err = io.Copy(to, f)
	}
	return errors.Join(err, f.Close())
}

// compressing compresses an answer that is sent as it is made, as the client asks for it. Where
// there is no memory to do so, it stays as it is.
func (s *Server) compressing(x *exchange, kind string, w io.Writer) io.WriteCloser {
	h := x.Header()
	h.Add("Vary", "Accept-Encoding")
	name, memory, open := encoding.Writer(x.request.Header.Get("Accept-Encoding"), kind)
	if open == nil {
		return plain{w}
	}
	var err error
	if x.visit, err = s.admission.Enter(x.owner); err != nil || x.visit.Take(memory) != nil {
		return plain{w}
	}
	h.Set("Content-Encoding", name)
	return open(w)
}

// A plain writer writes what it is given.
type plain struct{ io.Writer }

// Close does nothing.
func (plain) Close() error { return nil }

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
