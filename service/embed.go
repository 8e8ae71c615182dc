package service

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/syntax"
)

// CodeNotEmbeddable is the code of the *problem.Error for an XML that no PDF carries by
// the rules of Factur-X and ZUGFeRD.
const CodeNotEmbeddable = "XML-NOT-EMBEDDABLE"

// Embedding says how an invoice is attached to a PDF.
type Embedding struct {
	Date model.Date // when the PDF says it was made; the invoice's issue date without it
	// Relationship is that of the XML to the pages (AFRelationship): Alternative, Source or
	// Data; that of the profile without it.
	Relationship string
	Level4F      bool           // PDF/A-4f in place of PDF/A-3
	Files        []archive.File // to attach as well
	Fonts        *archive.Fonts // for fonts that the PDF names and does not have; may be nil
}

// Embed makes PDF/A-3 of any PDF and attaches an invoice in CII to it, by the rules of
// the profile that the invoice declares. The invoice must be valid. An error is a
// *problem.Error, a *Refused, or a *archive.Refused where the PDF cannot be made PDF/A-3,
// unless the rules themselves cannot be run.
func (s *Service) Embed(ctx context.Context, pages, xml []byte, e Embedding) (*Made, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	doc, err := s.Read(ctx, xml, Accept{})
	if err != nil {
		return nil, err
	}
	profile, err := s.hybridProfile(doc)
	if err != nil {
		return nil, err
	}
	result, err := s.ValidateDocument(ctx, doc, Rules{Profile: profile.ID})
	if err != nil {
		return nil, err
	}
	if !result.Report.Valid {
		return nil, &Refused{Profile: profile, Report: result.Report}
	}
	converted, err := within(ctx, s.config.Read, func(options formats.Options) (*archive.Converted, error) {
		files := attachments(doc.Invoice, xml, profile)
		if e.Relationship != "" {
			files[0].Relationship = e.Relationship
		}
		return archive.ConvertWith(pages, embedMetadata(doc, profile, e), append(files, e.Files...), options.PDF, e.Fonts)
	})
	if err != nil {
		return nil, err
	}
	made := &Made{
		Data: converted.Data, MediaType: MediaTypePDF, FileName: FileName(doc.Invoice, ".pdf"),
		Syntax: doc.Syntax, Root: doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String(), Profile: profile, Report: result.Report,
	}
	if err := s.checkContainer(ctx, made); err != nil {
		return nil, err
	}
	return made, s.reportChanges(made.Report, converted.Changes)
}

// check refuses a relationship that no invoice has to its pages, and files that readers
// would take for the invoice.
func (e *Embedding) check() error {
	if e.Relationship != "" && !slices.Contains(invoiceRelationships, e.Relationship) {
		return &problem.Error{
			Code: CodeOption, Message: "the XML of an invoice has no relationship " + quote.Value(e.Relationship) + " to the pages",
			Remedy: "use one of " + strings.Join(invoiceRelationships, ", "), Field: "options.relationship",
		}
	}
	for _, f := range e.Files {
		if pdf.IsInvoice(f.Name, f.Data) {
			return &problem.Error{
				Code: CodeOption, Message: "the file " + quote.Value(f.Name) + " is an invoice, and readers would not know which one is meant",
				Remedy: "attach one invoice", Field: "files",
			}
		}
	}
	return nil
}

// invoiceRelationships are those of the XML that is the invoice (AFRelationship).
var invoiceRelationships = []string{"Alternative", "Source", "Data"}

func embedMetadata(doc *model.Document, profile *engine.Profile, e Embedding) archive.Metadata {
	date := e.Date
	if !date.Valid { // a valid invoice has its own
		date = doc.Invoice.IssueDate
	}
	return archive.Metadata{Date: date.Time(), Invoice: hybridOf(profile), Level4F: e.Level4F}
}

// hybridProfile is the profile by whose rules a PDF carries a document.
func (s *Service) hybridProfile(doc *model.Document) (*engine.Profile, error) {
	if s := syntax.Named(string(doc.Syntax)); s == nil || !s.Hybrid {
		return nil, &problem.Error{
			Code:    CodeNotEmbeddable,
			Message: "the XML is " + doc.Syntax.Label() + ", and a PDF carries an invoice in CII",
			Remedy:  "transform it to zugferd or facturx, which makes the pages as well, or convert it to CII first",
		}
	}
	profile, known, err := s.library.Detect(doc.Invoice)
	switch {
	case err != nil:
		return nil, err
	case !known || profile.Hybrid == nil:
		return nil, &problem.Error{
			Code:    CodeNotEmbeddable,
			Message: "the specification identifier (BT-24) " + quote.Value(strings.TrimSpace(doc.Invoice.SpecificationID.Raw)) + " is of no profile that a PDF carries",
			Remedy:  "declare a profile of Factur-X or ZUGFeRD, plain EN 16931 or XRechnung, or transform the document to one",
		}
	case profile.Hybrid.Profile != "":
		return s.library.Profile(profile.Hybrid.Profile)
	}
	return profile, nil
}

// reportChanges adds what was changed to make pages PDF/A-3.
func (s *Service) reportChanges(report *engine.Report, changes []archive.Change) error {
	findings := make([]engine.Finding, 0, len(changes))
	for _, change := range changes {
		which := "document"
		if change.Page > 0 {
			which = "page"
		}
		f, err := s.notice(noticePDFChanged, which, values{"page": strconv.Itoa(change.Page), "change": change.What})
		if err != nil {
			return err
		}
		findings = append(findings, f)
	}
	report.Add(findings...)
	return nil
}
