package pdf

import (
	"fmt"

	"einvoice/model/problem"
)

// The codes of the errors of this package, of type *problem.Error. They are stable: programs may depend on them.
const (
	CodeNotPDF          = "NOT-PDF"              // it is something else
	CodeEncrypted       = "PDF-ENCRYPTED"        // it opens only with a password or certificate
	CodeDamaged         = "PDF-DAMAGED"          // it, or an attachment, cannot be read
	CodeLimit           = "PDF-LIMIT"            // it exceeds one of Limits
	CodeNoAttachment    = "PDF-NO-ATTACHMENT"    // no file is attached
	CodeNoInvoice       = "PDF-NO-INVOICE"       // files are attached, and none is an invoice
	CodeSeveralInvoices = "PDF-SEVERAL-INVOICES" // more than one attachment may be the invoice
)

func damaged(cause error) *problem.Error {
	return &problem.Error{
		Code: CodeDamaged, Message: "the PDF is damaged and cannot be read", Cause: cause,
		Remedy: "ask the sender for the file again, or open it in a PDF program and save it from there",
	}
}

func limitExceeded(format string, args ...any) *problem.Error {
	return &problem.Error{
		Code: CodeLimit, Message: fmt.Sprintf(format, args...),
		Remedy: "ask the sender for the XML alone",
	}
}

func tooSlow() *problem.Error { return limitExceeded("the PDF takes too long to read") }

// Guard runs a function that calls pdfcpu. A panic, which damaged files can cause
// there, becomes an error.
func Guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the PDF library failed: %v", r)
		}
	}()
	return f()
}
