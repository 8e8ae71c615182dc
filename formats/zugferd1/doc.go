// Package zugferd1 is the syntax of ZUGFeRD 1.0, which is older than EN 16931:
// its documents can be read as far as the model goes, and nothing else. There are
// no rules for them, and none is written any more.
//
// What it knows is in bindings.yaml; see package binding for how that is read.
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
var Format = binding.New(model.ZUGFeRD1, "ZUGFeRD 1.0", bindings, "ferd:CrossIndustryDocument")
