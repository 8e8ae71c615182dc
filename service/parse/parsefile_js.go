package parse

import (
	"context"

	"einvoice/formats/parse"
	"einvoice/model/problem"
)

// parseFile refuses: what reads pages is more than a browser is asked to load first.
func parseFile(context.Context, []byte, parse.Limits, parse.Aids) ([]parse.Document, error) {
	return nil, &problem.Error{Code: problem.CodeOption, Message: "pages are read by the service, and not in a browser", Remedy: "ask a service"}
}
