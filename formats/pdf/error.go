package pdf

import "fmt"

// The codes of an Error. They are stable: programs may depend on them.
const (
	CodeNotPDF          = "NOT-PDF"              // it is something else
	CodeEncrypted       = "PDF-ENCRYPTED"        // it opens only with a password or certificate
	CodeDamaged         = "PDF-DAMAGED"          // it, or an attachment, cannot be read
	CodeLimit           = "PDF-LIMIT"            // it exceeds one of Limits
	CodeNoAttachment    = "PDF-NO-ATTACHMENT"    // no file is attached
	CodeNoInvoice       = "PDF-NO-INVOICE"       // files are attached, and none is an invoice
	CodeSeveralInvoices = "PDF-SEVERAL-INVOICES" // more than one attachment may be the invoice
)

// An Error is the reason why a PDF, or a file that is attached to it, cannot be read.
type Error struct {
	Code    string
	Message string   // what is wrong
	Remedy  string   // what to do about it
	Names   []string // of the attachments it is about, if any

	cause error
}

// Error is message, code and remedy in one line.
func (e *Error) Error() string { return fmt.Sprintf("%s [%s]; %s", e.Message, e.Code, e.Remedy) }

// Unwrap is the error of pdfcpu, if there is one.
func (e *Error) Unwrap() error { return e.cause }

func damaged(cause error) *Error {
	return &Error{
		Code: CodeDamaged, Message: "the PDF is damaged and cannot be read", cause: cause,
		Remedy: "ask the sender for the file anew, or open it in a PDF program and save it from there",
	}
}

func limitExceeded(format string, args ...any) *Error {
	return &Error{
		Code: CodeLimit, Message: fmt.Sprintf(format, args...),
		Remedy: "ask the sender for the XML alone, or raise the limit if you trust the file",
	}
}

func tooSlow() *Error { return limitExceeded("the PDF takes too long to read") }

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
