// Package cii reads and writes UN/CEFACT Cross Industry Invoices; it reads D16B and
// D22B, and writes D16B.
//
// Which element holds which term is in bindings.yaml, which package binding
// explains.
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

// Format reads and writes Cross Industry Invoices.
var Format = binding.New(binding.Description{
	Syntax: model.CII,
	Label:  "CII",
	Name:   "CII D16B",
	Roots:  []string{"rsm:CrossIndustryInvoice"},
}, bindings)
