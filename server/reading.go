package server

import (
	"bytes"
	"context"
	"time"

	"einvoice/formats"
	"einvoice/formats/pdf"
)

// reading reads an upload within the limits of the server and within what is left
// of the request's time.
func reading[T any](ctx context.Context, book *rulebook, up upload, read func(formats.Options) (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if up.pdf && !pdf.Is(up.data) && !isMarkup(up.data) {
		return none, &formats.Error{Code: pdf.CodeNotPDF, Message: "the document was sent as a PDF and is none", Remedy: "send the PDF itself, or XML as application/xml"}
	}
	options := book.read
	deadline, limited := ctx.Deadline()
	if limited {
		options.PDF.Time = max(time.Until(deadline), 1) // 0 would be the reader's own time
	}
	found, err := read(options)
	// What the reader makes of being late would blame the document. It may notice
	// before the context does.
	if limited && !time.Now().Before(deadline) {
		return none, context.DeadlineExceeded
	}
	return found, err
}

// isMarkup tells XML and HTML, which are read as what they are under whatever
// type they come.
func isMarkup(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, "\ufeff \t\r\n"), []byte("<"))
}
