package server

import (
	"strings"

	"einvoice/model"
)

// A target is what /v1/validate/{format} holds a document against.
type target struct {
	name     string
	standard string       // "" for that of the document's profile
	syntax   model.Syntax // "" for any
	pdf      bool         // whether the document may be attached to a PDF
}

// targets are the formats that are served, in the order in which they are named.
var targets = []target{
	{name: "ubl", syntax: model.UBL},
	{name: "cii", syntax: model.CII},
	{name: "xrechnung", standard: "xrechnung"},
	{name: "en16931", standard: "en16931", pdf: true},
}

// later are formats that the contract names and a later version serves.
var later = []string{"zugferd", "facturx"}

func findTarget(name string) (*target, error) {
	known := make([]string, len(targets))
	for i := range targets {
		if targets[i].name == name {
			return &targets[i], nil
		}
		known[i] = targets[i].name
	}
	for _, l := range later {
		if l == name {
			return nil, problem(codeTargetLater, "The format %s is not served yet. Served are %s.", name, strings.Join(known, ", "))
		}
	}
	return nil, problem(codeTargetUnknown, "There is no format %.40q. Served are %s; %s will be.", name, strings.Join(known, ", "), strings.Join(later, " and "))
}

var syntaxNames = map[model.Syntax]string{model.UBL: "UBL", model.CII: "CII"}

// accepts refuses the other syntax, before rules are run that say nothing of it.
func (t *target) accepts(syntax model.Syntax) error {
	if t.syntax == "" || t.syntax == syntax {
		return nil
	}
	return problem(codeSyntaxMismatch, "The document is in %s, and /v1/validate/%s takes %s. Send it to /v1/validate/%s, or to /v1/validate/en16931, which takes both.",
		syntaxNames[syntax], t.name, syntaxNames[t.syntax], syntax)
}
