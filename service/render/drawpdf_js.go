package render

import (
	"context"

	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/model/problem"
)

// PDF refuses: fonts and all that PDF/A asks are two megabytes more of what a browser
// loads first.
func PDF(context.Context, *model.Invoice, page.Options) (*page.Rendered, error) {
	return nil, &problem.Error{Code: problem.CodeOption, Message: "PDFs are made by the service, and not in a browser", Remedy: "use html or svg, or open the page of a service without the program for browsers", Field: "options.to"}
}
