// Package ubl reads and writes UBL 2.1, Invoice and CreditNote.
//
// Which element holds which term is in bindings.yaml, which package binding
// explains.
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

// Format reads and writes UBL invoices and credit notes.
var Format = binding.New(binding.Description{
	Syntax:          model.UBL,
	Label:           "UBL",
	Name:            "UBL 2.1",
	Roots:           []string{"ubl:Invoice", "cn:CreditNote"},
	NamespacePrefix: "urn:oasis:names:specification:ubl:schema:xsd:",
}, bindings)
