// Package ubl is the syntax UBL 2.1, Invoice and CreditNote.
//
// What it knows is in bindings.yaml; see package binding for how that is read.
//
//	if ubl.Format.Reads(tree.Name(tree.Root())) {
//		invoice, err := ubl.Format.Read(tree)
//	}
package ubl

import (
	_ "embed"

	"einvoice/formats/binding"
	"einvoice/model"
)

//go:embed bindings.yaml
var bindings []byte

// Format reads UBL invoices and credit notes.
var Format = binding.New(model.UBL, "UBL 2.1", bindings, "ubl:Invoice", "cn:CreditNote")
