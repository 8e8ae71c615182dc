package service

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/bundle"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page"
	"einvoice/model"
)

// made is a document that is valid, or of which the report says why it is not.
func (out *output) made(w *writing, inv *model.Invoice, losses []formats.Loss, report *engine.Report) *Made {
	return &Made{
		Data: w.Data, MediaType: MediaTypeXML, FileName: FileName(inv, ".xml"),
		Syntax: out.syntax, Root: w.Root, Profile: out.profile, Losses: losses, Report: report,
	}
}

// deliver puts a valid XML into pages, where the format asks for them. The pages show
// the whole invoice, also what the profile left out of the XML.
func (s *Service) deliver(ctx context.Context, inv *model.Invoice, out *output, made *Made) (*Made, error) {
	if !out.format.Create.PDF {
		return made, nil
	}
	pages, err := s.draw(drawPDF, inv, out.options.Look.Raw, page.Options{
		Language: out.options.Language.Raw, Date: out.options.Date.Time(),
		Invoice: hybridOf(out.profile), Files: attachments(inv, made.Data, out.profile),
	})
	if err != nil {
		return nil, err
	}
	made.Data, made.MediaType, made.FileName = pages.Data, MediaTypePDF, FileName(inv, ".pdf")
	if err := s.checkContainer(ctx, made); err != nil {
		return nil, err
	}
	return made, s.reportPages(made.Report, pages)
}

// checkContainer adds to the report what the rules over PDFs find in a PDF that was
// made. It is read as its recipient will read it; its XML was validated before.
func (s *Service) checkContainer(ctx context.Context, made *Made) error {
	received, err := formats.Receive(made.Data, s.madeLimits())
	if err != nil {
		return fmt.Errorf("the PDF that was made cannot be read: %w", err)
	}
	result, err := s.validateWithPDF(ctx, received, Rules{Profile: made.Profile.ID, Rulesets: []string{readCatalogue().Container}})
	if err != nil {
		return err
	}
	for _, f := range result.Report.Findings {
		if f.Layer == engine.LayerContainer {
			made.Report.Add(f)
		}
	}
	if !made.Report.Valid {
		return &Refused{Profile: made.Profile, Report: made.Report, Losses: made.Losses}
	}
	return nil
}

func hybridOf(profile *engine.Profile) *archive.Invoice {
	h := profile.Hybrid
	return &archive.Invoice{FileName: h.FileName, ConformanceLevel: h.ConformanceLevel, Version: h.Version}
}

// attachments are the invoice's XML and the documents that the invoice brings, except
// those that are invoices themselves.
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

// reportPages adds findings about what pages do not show.
func (s *Service) reportPages(report *engine.Report, pages *page.Rendered) error {
	if err := s.reportUnprintable(report, pages.Missing); err != nil {
		return err
	}
	return s.reportUnshown(report, pages.Unshown)
}

// reportUnshown adds a finding about terms that the look leaves out.
func (s *Service) reportUnshown(report *engine.Report, unshown []page.Unshown) error {
	if len(unshown) == 0 {
		return nil
	}
	terms := make([]string, len(unshown))
	for i, u := range unshown {
		terms[i] = strings.TrimSpace(u.Label + " " + u.Term)
	}
	f, err := s.notice(noticeNotShown, "", values{"count": strconv.Itoa(len(terms)), "terms": strings.Join(terms, ", ")})
	if err != nil {
		return err
	}
	report.Add(f)
	return nil
}

// reportUnprintable adds a finding about characters that the pages cannot show.
func (s *Service) reportUnprintable(report *engine.Report, missing []rune) error {
	if len(missing) == 0 {
		return nil
	}
	const most = 10
	codes := make([]string, min(len(missing), most))
	for i := range codes {
		codes[i] = fmt.Sprintf("U+%04X", missing[i])
	}
	f, err := s.notice(noticeNotPrintable, "", values{"count": strconv.Itoa(len(missing)), "characters": strings.Join(codes, ", ")})
	if err != nil {
		return err
	}
	report.Add(f)
	return nil
}
