package embed

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/syntax"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// CodeNotEmbeddable is the code of the *problem.Error for an XML that no PDF carries by the
// rules of Factur-X and ZUGFeRD.
const CodeNotEmbeddable = "XML-NOT-EMBEDDABLE"

// noticePDFChanged is the finding about a change of the pages; rulesets/findings says what it
// says.
const noticePDFChanged = "PDF-CHANGED"

// Options say how an invoice is attached to a PDF.
type Options struct {
	Date model.Date // when the PDF says it was made; the invoice's issue date without it
	// Relationship is that of the XML to the pages (AFRelationship): Alternative, Source or
	// Data; that of the profile without it.
	Relationship string
	Level4F      bool           // PDF/A-4f in place of PDF/A-3
	Files        []archive.File // to attach as well
	Fonts        *archive.Fonts // for fonts that the PDF names and does not have; may be nil
	Limits       pdf.Limits     // of the PDF
}

// Document converts any PDF to PDF/A-3 and attaches an invoice in CII to it, by the rules of
// the profile that the invoice declares. The invoice must be valid. An error is a
// *problem.Error, a *write.Refused, or an *archive.Refused if the PDF cannot become PDF/A-3,
// unless the context ended or the rules themselves cannot be run.
func Document(ctx context.Context, s *validate.Service, pages, xml []byte, e Options) (*write.Made, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	doc, err := s.Read(ctx, xml, validate.Accept{})
	if err != nil {
		return nil, err
	}
	profile, err := hybridProfile(s, doc)
	if err != nil {
		return nil, err
	}
	result, err := s.ValidateDocument(ctx, doc, validate.Rules{Profile: profile.ID})
	if err != nil {
		return nil, err
	}
	if !result.Report.Valid {
		return nil, &write.Refused{Profile: profile, Report: result.Report}
	}
	converted, err := validate.Within(ctx, s, func(options formats.Options) (*archive.Converted, error) {
		files := Files(doc.Invoice, xml, profile)
		if e.Relationship != "" {
			files[0].Relationship = e.Relationship
		}
		return archive.ConvertWith(pages, embedMetadata(doc, profile, e), append(files, e.Files...), hybrid.Within(e.Limits, options), e.Fonts)
	})
	if err != nil {
		return nil, err
	}
	made := &write.Made{
		Data: converted.Data, MediaType: write.MediaTypePDF, FileName: write.FileName(doc.Invoice, ".pdf"),
		Syntax: doc.Syntax, Root: doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String(), Profile: profile, Report: result.Report,
	}
	if err := Check(ctx, s, made); err != nil {
		return nil, err
	}
	return made, reportChanges(s, made.Report, converted.Changes)
}

// check refuses a relationship that no invoice has to its pages, and files that readers
// would take for the invoice.
func (e *Options) check() error {
	if err := write.CheckDate(e.Date); err != nil {
		return err
	}
	if err := CheckRelationship(e.Relationship); err != nil {
		return err
	}
	for _, f := range e.Files {
		if pdf.IsInvoice(f.Name, f.Data) {
			return &problem.Error{
				Code: problem.CodeOption, Message: "the file " + quote.Value(f.Name) + " is an invoice, and readers would not know which one is meant",
				Remedy: "attach one invoice", Field: "files",
			}
		}
	}
	return nil
}

// CheckRelationship reports a relationship that no invoice has to its pages, as a
// *problem.Error. None at all is that of the profile.
func CheckRelationship(name string) error {
	if name == "" || slices.Contains(invoiceRelationships, name) {
		return nil
	}
	return &problem.Error{
		Code: problem.CodeOption, Message: "the XML of an invoice has no relationship " + quote.Value(name) + " to the pages",
		Remedy: "use one of " + strings.Join(invoiceRelationships, ", "), Field: "options.relationship",
	}
}

// invoiceRelationships are those of the XML that is the invoice (AFRelationship).
var invoiceRelationships = []string{"Alternative", "Source", "Data"}

func embedMetadata(doc *model.Document, profile *engine.Profile, e Options) archive.Metadata {
	date := e.Date
	if !date.Valid { // a valid invoice has its own
		date = doc.Invoice.IssueDate
	}
	m := archive.Metadata{Invoice: Metadata(profile), Level4F: e.Level4F}
	if date.Valid {
		m.Date = new(date.Time())
	}
	return m
}

// hybridProfile is the profile by whose rules a PDF carries a document.
func hybridProfile(s *validate.Service, doc *model.Document) (*engine.Profile, error) {
	if s := syntax.Named(string(doc.Syntax)); s == nil || !s.Hybrid {
		return nil, &problem.Error{
			Code:    CodeNotEmbeddable,
			Message: "the XML is " + doc.Syntax.Label() + ", and a PDF carries an invoice in CII",
			Remedy:  "transform it to zugferd or facturx, which makes the pages as well, or convert it to CII first",
		}
	}
	profile, known, err := s.Library().Detect(doc.Invoice)
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
		return s.Library().Profile(profile.Hybrid.Profile)
	}
	return profile, nil
}

// reportChanges adds what was changed to make pages PDF/A-3.
func reportChanges(s *validate.Service, report *engine.Report, changes []archive.Change) error {
	findings := make([]engine.Finding, 0, len(changes))
	for _, change := range changes {
		which := "document"
		if change.Page > 0 {
			which = "page"
		}
		f, err := s.Notice(noticePDFChanged, which, validate.Values{"page": strconv.Itoa(change.Page), "change": change.What})
		if err != nil {
			return err
		}
		findings = append(findings, f)
	}
	report.Add(findings...)
	return nil
}
