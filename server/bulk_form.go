package server

import (
	"errors"
	"io"
	"mime/multipart"

	"einvoice/server/refusal"
)

// An archivePart is the part "file" of a form, the only one, as it arrives.
type archivePart struct {
	form *multipart.Reader
	part *multipart.Part
}

// archiveOf is the archive in a form; nil where the form is empty. Generated clients send such
// a form, or an empty file, for a job over a source of the server.
func archiveOf(body io.Reader, boundary string) (io.Reader, error) {
	if boundary == "" {
		return nil, newProblem(refusal.Multipart, "The Content-Type multipart/form-data names no boundary.")
	}
	form := multipart.NewReader(body, boundary)
	part, err := form.NextRawPart()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, malformed(err)
	case part.FormName() != partFile:
		return nil, otherPart(part)
	}
	return &archivePart{form, part}, nil
}

// Read reads the archive. Before its end it says so where another part follows, so that nothing
// that was sent is missed.
func (a *archivePart) Read(p []byte) (int, error) {
	n, err := a.part.Read(p)
	if err == nil {
		return n, nil
	}
	if !errors.Is(err, io.EOF) {
		return n, malformed(err)
	}
	switch next, err := a.form.NextRawPart(); {
	case errors.Is(err, io.EOF):
		return n, io.EOF
	case err != nil:
		return n, malformed(err)
	default:
		return n, otherPart(next)
	}
}

func otherPart(part *multipart.Part) error {
	return newProblem(refusal.RequestInvalid, "The form has a part %.40q. It takes the archive as the one part \"file\"; give all else in the query.", part.FormName())
}
