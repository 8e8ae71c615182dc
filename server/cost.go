package server

import (
	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/service/operation"
)

// The costs of work that is not an operation of the list, and of those that are. They were measured
// with documents that are nothing but markup, with values alone, and with lines alone; TestCost
// measures them again.
var (
	readCost      = operation.Cost{PerByte: 6, PerMark: 450} // validate, extract
	convertCost   = operation.Named("convert").Cost
	transformCost = operation.Named("transform").Cost
	renderCost    = operation.Named("render").Cost
	markupCost    = operation.Cost{PerByte: 18, PerMark: 2100} // to render as HTML or SVG
	jsonCost      = operation.Cost{PerByte: 4, PerMark: 120}   // to read the JSON of create
	createCost    = operation.Named("create").Cost
)

// attachmentCost is what a byte of a file takes that is attached as it is: packed, and
// twice in the PDF while that is checked.
const attachmentCost = 3

// pdfCost is what opening a PDF takes besides the invoice in it: its own objects, and
// what its streams may decompress to.
func pdfCost(data []byte, limits pdf.Limits) int64 {
	if !filekind.IsPDF(data) {
		return 0
	}
	return 4*int64(len(data)) + 2*int64(limits.DecodedOf(len(data)))
}
