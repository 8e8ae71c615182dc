// Package zugferd1 reads ZUGFeRD 1.0, a format that is older than EN 16931.
//
// Its documents are read as far as the model has terms for their content. There
// are no rules for them, and they are not written any more.
//
// Which element holds which term is in bindings.yaml, which package binding
// explains.
//
//	if zugferd1.Format.Reads(tree.Name(tree.Root())) {
//		invoice, err := zugferd1.Format.Read(tree)
//	}
package zugferd1

import (
	_ "embed"

	"einvoice/formats/binding"
	"einvoice/model"
)

//go:embed bindings.yaml
var bindings []byte

// Format reads invoices of ZUGFeRD 1.0.
var Format = binding.New(binding.Description{
	Syntax:     model.ZUGFeRD1,
	Label:      "ZUGFeRD",
	Name:       "ZUGFeRD 1.0",
	Roots:      []string{"ferd:CrossIndustryDocument"},
	Successors: "ZUGFeRD 2.1 or later, or for XRechnung",
}, bindings)
