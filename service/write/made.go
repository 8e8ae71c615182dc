package write

import (
	"fmt"
	"strings"
	"unicode"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/filename"
	"einvoice/model/numeral"
)

// Media types of documents that are made.
const (
	MediaTypePDF = "application/pdf"
	MediaTypeXML = "application/xml"
)

// Made is a document that was made.
type Made struct {
	Data      []byte // XML, or a PDF to which the XML is attached
	MediaType string
	FileName  string // for saving it: the invoice number
	Syntax    model.Syntax
	Root      string // name of the root element with its conventional prefix
	Profile   *engine.Profile
	// Invoice is the invoice of a request as create completed it; nil for other documents.
	Invoice *model.Invoice
	// Losses are how the document differs from what it was made from.
	Losses []formats.Loss
	// Report is the outcome of validating the document.
	Report *engine.Report
}

// Refused is the error for a document that violates rules and is therefore not delivered.
type Refused struct {
	Profile *engine.Profile
	// Invoice is the invoice of a request as create completed it; nil for other documents.
	Invoice *model.Invoice
	Report  *engine.Report
	// Losses are the terms that the profile does not have: that they are missing may
	// be what is wrong.
	Losses []formats.Loss
}

// Error returns how many rules the document violates, and each of them with its message.
func (r *Refused) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was made: the invoice violates %s of %s", numeral.Count(r.Report.Counts.Fatal, "rule"), r.Profile.Name)
	for _, f := range r.Report.Findings {
		if f.Level == engine.Fatal {
			fmt.Fprintf(&b, "\n[%s] %s", f.Rule, f.Message)
		}
	}
	return b.String()
}

// Made returns a document with its report, valid or not.
func (out *Output) Made(w *Written, inv *model.Invoice, losses []formats.Loss, report *engine.Report) *Made {
	return &Made{
		Data: w.Data, MediaType: MediaTypeXML, FileName: FileName(inv, ".xml"),
		Syntax: out.Syntax, Root: w.Root, Profile: out.Profile, Losses: losses, Report: report,
	}
}

// FileName returns a name for the file of an invoice, with an extension: the invoice number,
// with a hyphen for each character that is not a letter or digit of some script or one of "-",
// "_" and "."; "invoice" where nothing is left.
func FileName(inv *model.Invoice, extension string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, strings.TrimSpace(inv.Number.Raw))
	const longest = 100 // bytes
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "")
	}
	if name = strings.Trim(name, "-."); name == "" {
		name = "invoice"
	}
	return filename.Safe(name + extension)
}
