package server

import (
	"net/http"

	"einvoice/server/publishing"
	"einvoice/service/answer"
	"einvoice/service/report"
)

// sendReport sends the outcome of a validation in the format that the client asks for.
// JSON is the API's own: a ValidationResult, or ProblemDetails where rules are violated.
func (s *Server) sendReport(x *exchange, book *publishing.Book, o *report.Outcome) error {
	x.Header().Add("Vary", "Accept")
	if err := x.translate(o.Report); err != nil {
		return err
	}
	x.tellLanguage()
	format := negotiate(x.request.Header.Values("Accept"))
	if format == jsonFormat {
		return x.sendVerdict(o)
	}
	body, err := format.Single(o, report.Options{Library: book.Library, Words: x.words, Version: Version, Most: answer.Most})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if !o.Report.Valid {
		status = http.StatusBadRequest
	}
	if format == htmlFormat {
		return x.sendPage(status, body)
	}
	contentType := format.MediaType
	if format == textFormat {
		contentType += "; charset=utf-8"
	}
	return x.send(status, contentType, body)
}

// The formats that this package treats by themselves.
var (
	jsonFormat = report.Named("json")
	htmlFormat = report.Named("html")
	textFormat = report.Named("text")
)

func (x *exchange) sendVerdict(o *report.Outcome) error {
	r := o.Report
	if !r.Valid {
		p := violations(r, attachmentOf(o)).in(x.words)
		p.RequestID = o.Request
		return x.sendJSON(p.Status, "application/problem+json", p)
	}
	return x.sendJSON(http.StatusOK, "application/json", answer.ValidationOf(r, attachmentOf(o), x.words))
}

func attachmentOf(o *report.Outcome) string {
	if o.Document == nil {
		return ""
	}
	return o.Document.Attachment
}
