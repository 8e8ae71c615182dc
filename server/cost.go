package server

import (
	"bytes"

	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/service/operation"
)

// A cost is how much memory an operation takes at most, for each byte of a document and
// for each of its marks. It was measured with documents that are nothing but markup, with
// values alone, and with lines alone; TestCost measures it again.
type cost struct {
	perByte int64
	perMark int64 // "<" and "=" of XML, ":" and "," of JSON
}

var (
	readCost      = cost{6, 450} // validate, extract
	convertCost   = costOf("convert")
	transformCost = costOf("transform")
	renderCost    = costOf("render")
	markupCost    = cost{18, 2100} // to render as HTML or SVG
	jsonCost      = cost{4, 120}   // to read the JSON of create
	createCost    = costOf("create")
)

// costOf is what the list of operations says.
func costOf(name string) cost {
	c := operation.Named(name).Cost
	return cost{c.PerByte, c.PerMark}
}

// attachmentCost is what a byte of a file takes that is attached as it is: packed, and
// twice in the PDF while that is checked.
const attachmentCost = 3

// ofXML is the cost of a document that is XML.
func (c cost) ofXML(data []byte) int64 {
	return c.of(data, "<", "=")
}

// ofJSON is the cost of a document that is JSON.
func (c cost) ofJSON(data []byte) int64 {
	return c.of(data, ":", ",")
}

func (c cost) of(data []byte, marks ...string) int64 {
	n := 0
	for _, mark := range marks {
		n += bytes.Count(data, []byte(mark))
	}
	return c.perByte*int64(len(data)) + c.perMark*int64(n)
}

// pdfCost is what opening a PDF takes besides the invoice in it: its own objects, and
// what its streams may decompress to.
func pdfCost(data []byte, limits pdf.Limits) int64 {
	if !filekind.IsPDF(data) {
		return 0
	}
	return 4*int64(len(data)) + 2*int64(limits.DecodedOf(len(data)))
}
