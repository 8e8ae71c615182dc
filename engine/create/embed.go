package create

import (
	"context"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
)

// Embedding says how an invoice is attached to a PDF.
type Embedding struct {
	// Date is when the PDF says it was made; the invoice's issue date without it.
	Date   model.Date
	Limits pdf.Limits // what reading the PDF may cost
}

// NotEmbeddable is the error of an XML that no PDF carries by the rules of Factur-X
// and ZUGFeRD.
type NotEmbeddable struct{ Message, Remedy string }

func (e *NotEmbeddable) Error() string { return e.Message + "; " + e.Remedy }

// Embed makes a PDF/A-3 out of any PDF and attaches an invoice in CII to it, by the
// rules of the profile that the invoice declares. The invoice must be valid. An
// error is a *formats.Error where the XML cannot be read, a *NotEmbeddable, a
// *Refused, a *pdf.Error where the PDF cannot be read, or a *archive.Refused where it
// cannot be made PDF/A-3, unless the rules themselves cannot be run.
func (c *Creator) Embed(ctx context.Context, pages, xml []byte, e Embedding) (*Made, error) {
	read := c.read
	read.XMLOnly = true
	doc, err := formats.Read(xml, read)
	if err != nil {
		return nil, err
	}
	profile, err := c.hybridProfile(doc)
	if err != nil {
		return nil, err
	}
	p := &plan{profile: profile, syntax: doc.Syntax}
	line, err := c.pipeline(pipelineKey{profile: profile.ID})
	if err != nil {
		return nil, err
	}
	result, err := line.ValidateDocument(ctx, doc)
	if err != nil {
		return nil, err
	}
	report := result.Report
	if !report.Valid {
		return nil, &Refused{Profile: profile, Report: report}
	}
	inv, date := doc.Invoice, e.Date
	if !date.Valid { // a valid invoice has its own
		date = inv.IssueDate
	}
	converted, err := archive.Convert(pages, archive.Metadata{
		Date: date.Time(), Invoice: hybridOf(profile),
	}, attachments(inv, xml, profile), e.Limits)
	if err != nil {
		return nil, err
	}
	made := &Made{
		Data: converted.Data, MediaType: MediaTypePDF, FileName: FileName(inv, ".pdf"),
		Syntax: doc.Syntax, Root: doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String(), Profile: profile, Report: report,
	}
	if err := c.checkContainer(ctx, made, p); err != nil {
		return nil, err
	}
	report.Add(altered(converted.Changes)...)
	return made, nil
}

// hybridProfile is the profile by whose rules a PDF carries a document.
func (c *Creator) hybridProfile(doc *model.Document) (*engine.Profile, error) {
	if doc.Syntax != model.CII {
		return nil, &NotEmbeddable{
			"the XML is " + strings.ToUpper(string(doc.Syntax)) + ", and a PDF carries an invoice in CII",
			"transform it to zugferd or facturx, which makes the pages as well, or convert it to CII first",
		}
	}
	profile, known, err := c.library.Detect(doc.Invoice)
	switch {
	case err != nil:
		return nil, err
	case profile.Default && known: // plain EN 16931, which Factur-X has as a profile of its own
		return c.library.Profile(hybridOfStandard)
	case !known || profile.Hybrid == nil:
		return nil, &NotEmbeddable{
			fmt.Sprintf("the specification identifier (BT-24) %q is of no profile that a PDF carries", strings.TrimSpace(doc.Invoice.SpecificationID.Raw)),
			"declare a profile of Factur-X or ZUGFeRD, plain EN 16931 or XRechnung, or transform the document to one",
		}
	}
	return profile, nil
}

// hybridOfStandard is the profile of invoices in PDFs that declare plain EN 16931.
const hybridOfStandard = "facturx-en16931"

// altered tells what was changed to make pages PDF/A-3.
func altered(changes []archive.Change) []engine.Finding {
	out := make([]engine.Finding, len(changes))
	for i, change := range changes {
		place := "The PDF"
		if change.Page > 0 {
			place = fmt.Sprintf("Page %d", change.Page)
		}
		out[i] = engine.Finding{
			Rule: "PDF-CHANGED", Layer: engine.LayerContainer, Level: engine.Information, Message: place + ": " + change.What + ".",
			BTCodes: []string{}, Raw: "[PDF-CHANGED](container) The PDF is PDF/A-3 as it comes.",
		}
	}
	return out
}
