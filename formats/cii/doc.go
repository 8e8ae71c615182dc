// Package cii is the syntax UN/CEFACT Cross Industry Invoice, D16B and D22B.
//
// What it knows is in bindings.yaml; see package binding for how that is read.
//
//	if cii.Format.Reads(tree.Name(tree.Root())) {
//		invoice, err := cii.Format.Read(tree)
//	}
package cii

import (
	_ "embed"

	"einvoice/formats/binding"
	"einvoice/model"
)

//go:embed bindings.yaml
var bindings []byte

// Format reads Cross Industry Invoices.
var Format = binding.New(model.CII, "CII D16B", bindings, "rsm:CrossIndustryInvoice")
