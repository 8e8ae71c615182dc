package server

import (
	"fmt"
	"strings"

	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/server/refusal"
	"einvoice/service/catalogue"
)

// formatToValidate finds a format of /v1/validate/{format}.
func formatToValidate(name string) (*catalogue.Format, error) {
	var known []string
	for _, f := range catalogue.Formats() {
		if f.Check == nil {
			continue
		}
		if f.Name == name {
			return f, nil
		}
		known = append(known, f.Name)
	}
	return nil, newProblem(refusal.TargetUnknown, "There is no format %.40q. Served are %s.", name, strings.Join(known, ", "))
}

// needsPDF refuses bare XML where the PDF is checked as well.
func needsPDF(f *catalogue.Format, data []byte) error {
	if f.Check.PDF != catalogue.PDFRequired || filekind.IsPDF(data) {
		return nil
	}
	return &problem.Error{
		Code:    pdf.CodeNotPDF,
		Message: fmt.Sprintf("a %s invoice is a PDF with the XML attached to it, and this is not a PDF", f.Label),
		Remedy:  "send the PDF; send the XML alone to /v1/validate/cii, which validates it against the rules of its profile",
	}
}

// acceptsSyntax refuses another syntax than the format's, before rules are run that do
// not apply to it.
func acceptsSyntax(f *catalogue.Format, syntax model.Syntax) error {
	want := f.Check.Syntax
	if want == "" || want == syntax {
		return nil
	}
	if f.Check.PDF == catalogue.PDFRequired {
		return newProblem(refusal.SyntaxMismatch, "The invoice attached to the PDF is in %s, and %s has it in %s. Send the PDF to /v1/validate/en16931, which takes both.",
			syntax.Label(), f.Label, want.Label())
	}
	return newProblem(refusal.SyntaxMismatch, "The document is in %s, and /v1/validate/%s takes %s. Send it to /v1/validate/%s, or to /v1/validate/en16931, which takes both.",
		syntax.Label(), f.Name, want.Label(), syntax)
}
