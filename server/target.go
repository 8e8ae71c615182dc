package server

import (
	"fmt"
	"strings"

	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/model"
)

// A target is what /v1/validate/{format} holds a document against.
type target struct {
	name     string
	standard string       // "" for that of the document's profile
	syntax   model.Syntax // "" for any
	pdf      bool         // whether the document may be attached to a PDF
	hybrid   bool         // whether it must be: the PDF is judged as well
}

// targets are the formats that are served, in the order in which they are named.
var targets = []target{
	{name: "ubl", syntax: model.UBL},
	{name: "cii", syntax: model.CII},
	{name: "xrechnung", standard: "xrechnung"},
	{name: "en16931", standard: "en16931", pdf: true},
	{name: "facturx", standard: "facturx", syntax: model.CII, pdf: true, hybrid: true},
	{name: "zugferd", standard: "zugferd", syntax: model.CII, pdf: true, hybrid: true},
}

func findTarget(name string) (*target, error) {
	known := make([]string, len(targets))
	for i := range targets {
		if targets[i].name == name {
			return &targets[i], nil
		}
		known[i] = targets[i].name
	}
	return nil, problem(codeTargetUnknown, "There is no format %.40q. Served are %s.", name, strings.Join(known, ", "))
}

// hybridNames are how the hybrid standards are written.
var hybridNames = map[string]string{"facturx": "Factur-X", "zugferd": "ZUGFeRD"}

// needsPDF refuses bare XML where the PDF is to be judged.
func (t *target) needsPDF(data []byte) error {
	if !t.hybrid || pdf.Is(data) {
		return nil
	}
	return &formats.Error{
		Code:    pdf.CodeNotPDF,
		Message: fmt.Sprintf("a %s invoice is a PDF with the XML attached to it, and this is no PDF", hybridNames[t.name]),
		Remedy:  "send the PDF; send the XML alone to /v1/validate/cii, which holds it against the rules of its profile",
	}
}

var syntaxNames = map[model.Syntax]string{model.UBL: "UBL", model.CII: "CII"}

// accepts refuses the other syntax, before rules are run that say nothing of it.
func (t *target) accepts(syntax model.Syntax) error {
	if t.syntax == "" || t.syntax == syntax {
		return nil
	}
	if t.hybrid {
		return problem(codeSyntaxMismatch, "The invoice attached to the PDF is in %s, and %s has it in CII. Send the PDF to /v1/validate/en16931, which takes both.", syntaxNames[syntax], hybridNames[t.name])
	}
	return problem(codeSyntaxMismatch, "The document is in %s, and /v1/validate/%s takes %s. Send it to /v1/validate/%s, or to /v1/validate/en16931, which takes both.",
		syntaxNames[syntax], t.name, syntaxNames[t.syntax], syntax)
}
