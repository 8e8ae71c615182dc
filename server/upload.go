package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/model/problem"
	"einvoice/server/admission"
	"einvoice/server/encoding"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
)

// A file is a document that a request brought.
type file struct {
	data []byte
	name string // as the client calls it, without folders; may be empty
	kind string // its media type as the client says; may be empty
	pdf  bool   // said to be a PDF, where one is taken; what it is, its bytes say
}

// An upload is the one document of a request, with the options beside it.
type upload struct {
	file
	option.Values
	mandatory func(b *publishing.Book, chosen []string, asked bool) (names, kept []string, err error) // adds overlays that may not be left out
}

// isPDFIfSaid refuses a document that was sent as a PDF and is neither one nor markup,
// which is read as what it is whatever type it was sent as.
func (f *file) isPDFIfSaid() error {
	if !f.pdf || filekind.IsPDF(f.data) || bytes.HasPrefix(bytes.TrimLeft(f.data, "\ufeff \t\r\n"), []byte("<")) {
		return nil
	}
	return &problem.Error{Code: pdf.CodeNotPDF, Message: "the document was sent as a PDF and is none", Remedy: "send the PDF itself, or XML as application/xml"}
}

// partFile is the part of a form that has the document.
const partFile = "file"

// readUpload takes the document out of a request: the part "file" of a form, or
// the body itself, with the options that the endpoint takes, of the form or the query. All
// mistakes in options are told at once.
func (s *Server) readUpload(x *exchange, v *admission.Visit, taken ...takenOption) (upload, error) {
	up, wrong, err := s.readDocument(x, v, taken)
	if err != nil {
		return upload{}, err
	}
	asked := given{up.Values, wrong}
	if err := asked.fromQuery(x.request.URL.RawQuery, taken); err != nil {
		return upload{}, err
	}
	if err := asked.check(taken); err != nil {
		return upload{}, err
	}
	up.Values = asked.Values
	up.mandatory = s.mandatory(x)
	return up, nil
}

// readDocument reads the body.
func (s *Server) readDocument(x *exchange, v *admission.Visit, taken []takenOption) (upload, []*Problem, error) {
	r := x.request
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "multipart/form-data":
	case err == nil && isDocument(kind):
	case err == nil && x.pictures && slices.Contains(pictureTypes, kind):
	case x.pictures:
		return upload{}, nil, newProblem(refusal.MediaType, "Send multipart/form-data with the document in the part \"file\", or the document itself as application/pdf, %s.", strings.Join(pictureTypes, ", "))
	default:
		return upload{}, nil, newProblem(refusal.MediaType, "Send multipart/form-data with the document in the part \"file\", or the document itself as application/xml or application/pdf.")
	}
	body, err := s.limitedBody(x)
	if err != nil {
		return upload{}, nil, err
	}
	if kind != "multipart/form-data" {
		data, err := v.ReadAll(body, r.ContentLength)
		return upload{file: file{data: data, pdf: kind == pdfType}}, nil, err
	}
	f, err := s.readForm(body, params["boundary"], v, r.ContentLength, []string{partFile}, taken)
	if err != nil {
		return upload{}, nil, err
	}
	document, err := f.file(partFile)
	f.checkOthers([]string{partFile}, taken)
	return upload{file: document, Values: f.Values}, f.wrong, err
}

// checkOthers notes the parts that no endpoint takes. Those of other endpoints are skipped:
// clients send one form to several.
func (f *form) checkOthers(files []string, taken []takenOption) {
	for _, name := range f.others {
		if name == "" || slices.Contains(partMetadata, name) || slices.Contains(files, name) || slices.Contains(ofOtherEndpoints, name) {
			continue
		}
		f.wrong = append(f.wrong, notTaken(refusal.Option, name, slices.Concat(files, optionNames(taken)), takesTerms(taken)))
	}
}

// limitedBody is the body, decompressed, up to the size that is accepted as it is sent and as
// it is then.
func (s *Server) limitedBody(x *exchange) (io.Reader, error) {
	if x.request.ContentLength > s.config.MaxBody {
		return nil, &http.MaxBytesError{Limit: s.config.MaxBody}
	}
	x.body = admission.NewBody(http.MaxBytesReader(x.ResponseWriter, x.request.Body, s.config.MaxBody), http.NewResponseController(x.ResponseWriter), s.config.LeastRate, s.config.ReadTimeout)
	if x.visit != nil && x.visit.Owner() == nil {
		x.visit.Awaits(x.body)
	}
	body, err := s.decompressed(x, s.config.MaxBody)
	if err != nil {
		return nil, err
	}
	if s.pool != nil {
		return io.TeeReader(body, &keptBody{x}), nil
	}
	return body, nil
}

// decompressed is the body without its Content-Encoding, which the request has no more then. It
// has at most so many bytes.
func (s *Server) decompressed(x *exchange, most int64) (io.Reader, error) {
	name := x.request.Header.Get("Content-Encoding")
	open, window := encoding.Reader(name, x.body)
	if open == nil {
		return nil, newProblem(refusal.ContentEncoding, "The body has the Content-Encoding %.40q. Send it as it is, or in one of %s.", name, encoding.Known())
	}
	if window == 0 {
		return x.body, nil
	}
	if x.visit != nil {
		if err := x.visit.Take(window); err != nil {
			return nil, err
		}
	}
	x.request.Header.Del("Content-Encoding")
	x.request.ContentLength = -1
	return &decompressing{open: open, name: name, body: x.body, left: most, most: most}, nil
}

// A decompressing reads a body as it was before it was compressed, as far as it is accepted.
type decompressing struct {
	open       func() (io.Reader, error)
	name       string
	body       *admission.Body
	reader     io.Reader
	left, most int64
}

// Read opens the body when something of it is asked for, since its first bytes may be late.
func (d *decompressing) Read(p []byte) (n int, err error) {
	if d.reader == nil {
		if d.reader, err = d.open(); err != nil {
			return 0, d.broken(err)
		}
	}
	n, err = d.reader.Read(p)
	if d.left -= int64(n); d.left < 0 {
		return 0, &http.MaxBytesError{Limit: d.most}
	}
	return n, d.broken(err)
}

// broken is the error of a body that is not what it says. An error of the connection stays what
// it is.
func (d *decompressing) broken(err error) error {
	if err == nil || err == io.EOF { //nolint:errorlint // readers return it as it is
		return err
	}
	if d.body.Failed() {
		return err
	}
	return newProblem(refusal.ContentEncoding, "The body cannot be decompressed as %s. Send it whole, or as it is without Content-Encoding.", d.name)
}

const pdfType = "application/pdf"

// pictureTypes are the media types of pictures, where they are taken.
var pictureTypes = []string{"image/jpeg", "image/png", "image/tiff"}

// isDocument reports whether a body of this type is the document itself.
func isDocument(kind string) bool {
	switch kind {
	case "application/xml", "text/xml", pdfType, "application/octet-stream":
		return true
	}
	return strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+xml")
}

// A form is what a multipart body brought.
type form struct {
	files    map[string]file // by the name of the part
	attached []file          // from parts partAttachment
	given
	options []string // the names of parts that are options
	others  []string // the names of parts that were skipped, shortened
}

// readForm reads part after part, without files on disk. Of the parts it keeps the
// named files and options and skips the others: other endpoints have more of them.
func (s *Server) readForm(body io.Reader, boundary string, v *admission.Visit, hint int64, files []string, taken []takenOption) (*form, error) {
	if boundary == "" {
		return nil, newProblem(refusal.Multipart, "The Content-Type multipart/form-data names no boundary.")
	}
	parts := multipart.NewReader(body, boundary)
	f := &form{files: map[string]file{}}
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return nil, malformed(err)
		}
		if n == s.config.MaxParts {
			return nil, newProblem(refusal.TooManyParts, "The form has more than %d parts.", s.config.MaxParts)
		}
		switch name := part.FormName(); {
		case slices.Contains(files, name):
			err = f.readFile(name, part, v, hint)
		case takes(taken, name):
			f.options = append(f.options, name)
			err = f.read(name, part)
		default:
			f.others = append(f.others, fmt.Sprintf("%.40s", name))
			_, err = io.Copy(io.Discard, part)
		}
		if err != nil {
			return nil, malformed(err)
		}
	}
}

func (f *form) readFile(name string, part *multipart.Part, v *admission.Visit, hint int64) error {
	if _, have := f.files[name]; have && name != partAttachment {
		return newProblem(refusal.FileRepeated, "The form has more than one part %q. Send one document a part, and one request for each invoice.", name)
	}
	kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
	data, err := v.ReadAll(part, hint)
	read := file{data: data, name: cleanName(part.FileName()), kind: kind, pdf: kind == pdfType}
	if name == partAttachment {
		f.attached = append(f.attached, read)
	}
	f.files[name] = read
	return err
}

// file is the file in a part, which must be there.
func (f *form) file(name string) (file, error) {
	if found, ok := f.files[name]; ok {
		return found, nil
	}
	var there []string
	for _, have := range slices.Concat(f.options, f.others) {
		there = append(there, fmt.Sprintf("%q", have))
	}
	for have := range f.files {
		there = append(there, fmt.Sprintf("%q", have))
	}
	slices.Sort(there)
	has := "no part at all was found between its boundaries"
	if len(there) > 0 {
		has = "it has " + strings.Join(there, ", ")
	}
	return file{}, newProblem(refusal.FileMissing, "The form has no part named %q; %s.", name, has)
}

// malformed tells faults of the form from limits and from a connection that
// stalled.
func malformed(err error) error {
	if _, ok := errors.AsType[*Problem](err); ok {
		return err
	}
	if _, ok := errors.AsType[*refusal.Refusal](err); ok {
		return err
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return newProblem(refusal.Multipart, "The form cannot be taken apart: a boundary is missing or wrong, or a part is cut off.")
}

// cleanName keeps the last element of a file's name, whatever system it is from.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == ".." || name == "/" || len(name) > 200 {
		return ""
	}
	return name
}
