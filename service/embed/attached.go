package embed

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats/bundle"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// noticePagesUnread is the finding about pages without text; rulesets/findings says what it says.
const noticePagesUnread = "PAGES-UNREAD"

// Check adds to the report of a document the findings of the rules about PDFs. It reads the
// PDF as its recipient will; the XML was validated before. If the pages have no text, as those
// of a scan, a finding says that nothing looked for the amount due.
func Check(ctx context.Context, s *validate.Service, made *write.Made) error {
	s, err := validate.Usual(s)
	if err != nil {
		return err
	}
	if made == nil || made.Profile == nil {
		return errors.New("there is no document to check; give one that was made")
	}
	received, err := s.ReceiveMade(ctx, made.Data)
	if err != nil {
		return fmt.Errorf("the PDF that was made cannot be read: %w", err)
	}
	result, err := s.ValidateByRules(ctx, received, validate.Rules{Profile: made.Profile.ID, Rulesets: []string{catalogue.Read().Container}})
	if err != nil {
		return err
	}
	for _, f := range result.Report.Findings {
		if f.Layer == engine.LayerContainer {
			made.Report.Add(f)
		}
	}
	inv := received.Document.Invoice
	if c := received.Document.Container; c != nil && c.Printed == nil && inv.Totals != nil && inv.Totals.AmountDueForPayment.Valid {
		unread, err := s.Notice(noticePagesUnread, "", validate.Values{"amount": inv.Totals.AmountDueForPayment.Raw})
		if err != nil {
			return err
		}
		made.Report.Add(unread)
	}
	if !made.Report.Valid {
		return &write.Refused{Profile: made.Profile, Report: made.Report, Losses: made.Losses}
	}
	return nil
}

// Metadata returns what the XMP metadata of a PDF say about the invoice that is attached to
// it; nil for a profile that PDFs do not carry.
func Metadata(profile *engine.Profile) *archive.Invoice {
	if profile == nil || profile.Hybrid == nil {
		return nil
	}
	h := profile.Hybrid
	return &archive.Invoice{FileName: h.FileName, ConformanceLevel: h.ConformanceLevel, Version: h.Version}
}

// Files returns the invoice's XML and the documents that the invoice has as attachments,
// except those that are invoices themselves.
func Files(inv *model.Invoice, xml []byte, profile *engine.Profile) []archive.File {
	if inv == nil || profile == nil || profile.Hybrid == nil {
		return nil
	}
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
