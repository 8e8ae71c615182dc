package server

import (
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
)

// An upload is the document that a request brought.
type upload struct {
	data    []byte
	name    string            // as the client calls it, without folders; may be empty
	pdf     bool              // said to be a PDF, where one is taken; what it is, its bytes say
	options map[string]string // the fields beside the document that were asked for
}

// readUpload takes the document out of a request: the part "file" of a form, or
// the body itself. Of the other parts it takes those of the named options.
func (s *Server) readUpload(x *exchange, b *buffer, options ...string) (upload, error) {
	r := x.request
	if err := notEncoded(r); err != nil {
		return upload{}, err
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "multipart/form-data":
	case err == nil && isDocument(kind):
	default:
		return upload{}, problem(codeMediaType, "Send multipart/form-data with the document in the part \"file\", or the document itself as application/xml or application/pdf.")
	}
	body, err := s.limitedBody(x)
	if err != nil {
		return upload{}, err
	}
	if kind != "multipart/form-data" {
		data, err := b.readAll(body, r.ContentLength)
		return upload{data: data, pdf: kind == pdfType}, err
	}
	boundary := params["boundary"]
	if boundary == "" {
		return upload{}, problem(codeMultipart, "The Content-Type multipart/form-data names no boundary.")
	}
	return s.readForm(multipart.NewReader(body, boundary), b, r.ContentLength, options)
}

func notEncoded(r *http.Request) error {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return problem(codeContentEncoding, "The body has a Content-Encoding. Send it as it is.")
	}
	return nil
}

// limitedBody is the body, up to the size that is accepted.
func (s *Server) limitedBody(x *exchange) (io.Reader, error) {
	if x.request.ContentLength > s.config.MaxBody {
		return nil, &http.MaxBytesError{Limit: s.config.MaxBody}
	}
	return http.MaxBytesReader(x.ResponseWriter, x.request.Body, s.config.MaxBody), nil
}

const pdfType = "application/pdf"

// isDocument reports whether a body of this type is the document itself.
func isDocument(kind string) bool {
	switch kind {
	case "application/xml", "text/xml", pdfType:
		return true
	}
	return strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+xml")
}

// readForm reads part after part, without files on disk. Parts other than "file"
// and the options are skipped: other endpoints have more of them.
func (s *Server) readForm(form *multipart.Reader, b *buffer, hint int64, options []string) (found upload, err error) {
	have := false
	var others []string
	for n := 0; ; n++ {
		part, err := form.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return upload{}, malformed(err)
		}
		if n == s.config.MaxParts {
			return upload{}, problem(codeTooManyParts, "The form has more than %d parts.", s.config.MaxParts)
		}
		switch name := part.FormName(); {
		case slices.Contains(options, name):
			err = found.readOption(name, part)
		case name != "file":
			others = append(others, fmt.Sprintf("%.40q", name))
			_, err = io.Copy(io.Discard, part)
		case have:
			return upload{}, problem(codeFileRepeated, "The form has more than one part \"file\". Send one document a request.")
		default:
			have = true
			found.name = cleanName(part.FileName())
			kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
			found.pdf = kind == pdfType
			found.data, err = b.readAll(part, hint)
		}
		if err != nil {
			return upload{}, malformed(err)
		}
	}
	if !have {
		detail := "The form has no part named \"file\"; "
		if len(others) > 0 {
			detail += "it has " + strings.Join(others, ", ")
		} else {
			detail += "no part at all was found between its boundaries"
		}
		return upload{}, problem(codeFileMissing, "%s.", detail)
	}
	return found, nil
}

// malformed tells faults of the form from limits and from a connection that
// stalled.
func malformed(err error) error {
	if _, ok := errors.AsType[*Problem](err); ok {
		return err
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return problem(codeMultipart, "The form cannot be taken apart: a boundary is missing or wrong, or a part is cut off.")
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
