package parse

import (
	"einvoice/model/problem"
)

// The codes of the errors of this package besides those of package pdf, of type
// *problem.Error. They are stable: programs may depend on them.
const (
	CodeLimit           = "PARSE-LIMIT"            // more pages or words than are read
	CodeNoOCR           = "PARSE-NO-OCR"           // the text is in pictures, which are not read
	CodeNoText          = "PARSE-NO-TEXT"          // blank pages
	CodeNotInvoice      = "PARSE-NOT-INVOICE"      // a document of another kind
	CodeSeveralInvoices = "PARSE-SEVERAL-INVOICES" // pages of more than one invoice
	CodeTimeout         = "PARSE-TIMEOUT"          // the time was over
)

// TooSlow is the error of reading that was stopped because its time was over.
func TooSlow() *problem.Error {
	return &problem.Error{
		Code: CodeTimeout, Message: "reading the pages took longer than is allowed and was stopped",
		Remedy: "send fewer pages, or try again when less is going on",
	}
}
