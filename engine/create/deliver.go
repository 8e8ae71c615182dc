package create

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats/bundle"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page"
	"einvoice/model"
)

// MediaTypePDF and MediaTypeXML are those of documents that are made.
const (
	MediaTypePDF = "application/pdf"
	MediaTypeXML = "application/xml"
)

// deliver puts a valid XML into what its format is delivered in. The pages of a PDF
// show the whole invoice, also what its profile left out of the XML; what is to be
// said of them is added to the report.
func (c *Creator) deliver(ctx context.Context, made *Made, inv *model.Invoice, p *plan, o *Options) error {
	made.MediaType, made.FileName = MediaTypeXML, FileName(inv, ".xml")
	if p.target.Container == bare {
		return nil
	}
	pages, err := page.PDF(inv, page.Options{
		Language: o.Language.Raw, Date: o.Date.Time(), Invoice: hybridOf(p.profile), Files: attachments(inv, made.Data, p.profile),
	})
	if unknown, ok := errors.AsType[*page.UnknownLanguage](err); ok {
		return &WrongOption{Field: "options.language", Err: unknown}
	}
	if err != nil {
		return err
	}
	made.Data, made.MediaType, made.FileName = pages.Data, MediaTypePDF, FileName(inv, ".pdf")
	if err := c.checkContainer(ctx, made, p); err != nil {
		return err
	}
	made.Report.Add(unprintable(pages.Missing)...)
	return nil
}

// checkContainer adds to the report what the rules about hybrids say of a PDF. They
// see what the recipient's programs will see; those of the profile have judged the
// XML before.
func (c *Creator) checkContainer(ctx context.Context, made *Made, p *plan) error {
	line, err := c.pipeline(pipelineKey{p.profile.ID, containerRules})
	if err != nil {
		return err
	}
	result, err := line.Validate(ctx, made.Data)
	if err != nil {
		return fmt.Errorf("the PDF that was made cannot be read: %w", err)
	}
	for _, f := range result.Report.Findings {
		if f.Layer == engine.LayerContainer {
			made.Report.Add(f)
		}
	}
	if !made.Report.Valid {
		return &Refused{Profile: p.profile, Report: made.Report, Losses: made.Losses}
	}
	return nil
}

// containerRules are the rules over the PDF around an invoice.
const containerRules = "container"

func hybridOf(profile *engine.Profile) *archive.Invoice {
	h := profile.Hybrid
	return &archive.Invoice{FileName: h.FileName, ConformanceLevel: h.ConformanceLevel, Version: h.Version}
}

// attachments are the invoice's XML and the documents that the invoice brings, but
// for those that are invoices themselves.
func attachments(inv *model.Invoice, xml []byte, profile *engine.Profile) []archive.File {
	h := profile.Hybrid
	files := []archive.File{{
		Name: h.FileName, Description: "Invoice " + strings.TrimSpace(inv.Number.Raw) + " as " + profile.Name,
		MIME: "text/xml", Relationship: h.Relationship, Data: xml,
	}}
	for _, f := range bundle.OfInvoice(inv).Files {
		if pdf.IsInvoice(f.Name, f.Data) { // readers would not know which one is meant; the XML has it
			continue
		}
		files = append(files, archive.File{Name: f.Name, Description: f.Description, MIME: f.MIMEType, Relationship: "Supplement", Data: f.Data})
	}
	return files
}

// unprintable tells of characters that the pages cannot show.
func unprintable(missing []rune) []engine.Finding {
	if len(missing) == 0 {
		return nil
	}
	const most = 10
	codes := make([]string, min(len(missing), most))
	for i := range codes {
		codes[i] = fmt.Sprintf("U+%04X", missing[i])
	}
	return []engine.Finding{{
		Rule: "NOT-PRINTABLE", Layer: engine.LayerContainer, Level: engine.Warning,
		Message: fmt.Sprintf("The pages show a mark instead of %d characters that the fonts have not: %s. The XML has them.", len(missing), strings.Join(codes, ", ")),
		BTCodes: []string{}, Raw: "[NOT-PRINTABLE](container) The pages show every character of the invoice.",
	}}
}
