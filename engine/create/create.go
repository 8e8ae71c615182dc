package create

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/pipeline"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/compute"
)

// A Creator makes documents; any number of goroutines may use it.
type Creator struct {
	library *engine.Library
	read    formats.Options
	// standard runs the rules of EN 16931 over what is not written yet.
	standard func() (*engine.Validator, error)

	mu        sync.Mutex
	pipelines map[pipelineKey]*pipeline.Pipeline
	scopes    map[string]scope // by profile
}

// New makes a creator over a library of rulesets. The options are for reading
// what was made, and documents to transform.
func New(library *engine.Library, read formats.Options) *Creator {
	return &Creator{
		library: library, read: read, pipelines: map[pipelineKey]*pipeline.Pipeline{}, scopes: map[string]scope{},
		standard: sync.OnceValues(func() (*engine.Validator, error) { return library.Validator("en16931") }),
	}
}

// Made is a document that was made.
type Made struct {
	Data      []byte // XML, or a PDF to which the XML is attached
	MediaType string
	FileName  string // for saving it: the invoice number
	Syntax    model.Syntax
	Root      string // name of the root element with its conventional prefix
	Profile   *engine.Profile
	// Losses are how the document differs from what it was made from.
	Losses []formats.Loss
	// Report is what the rules say of the document.
	Report *engine.Report
}

// Refused is the error of a document that violates rules: it is not handed out.
type Refused struct {
	Profile *engine.Profile
	Report  *engine.Report
	// Losses are the terms that the profile has not: what is wrong may be that they
	// are missing.
	Losses []formats.Loss
}

func (r *Refused) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was made: the invoice violates %d rules of %s", r.Report.Counts.Fatal, r.Profile.Name)
	for _, f := range r.Report.Findings {
		if f.Level == engine.Fatal {
			fmt.Fprintf(&b, "\n[%s] %s", f.Rule, f.Message)
		}
	}
	return b.String()
}

// A WrongOption is the error of a format, profile or syntax that there is not.
type WrongOption struct {
	Field string // of the request; empty for the format itself
	Err   error
}

func (e *WrongOption) Error() string { return e.Err.Error() }

// Unwrap is what is wrong with it.
func (e *WrongOption) Unwrap() error { return e.Err }

// Create makes a valid document out of a request. The request's invoice is completed
// in place; the losses are the terms that the profile has not. An error is a *WrongOption or a *Refused, unless the rules themselves
// cannot be run.
func (c *Creator) Create(ctx context.Context, format string, r *Request) (*Made, error) {
	o := r.Options
	if o == nil {
		o = &Options{}
	}
	plan, err := c.plan(format, o)
	if err != nil {
		return nil, err
	}
	inv := r.Invoice
	stamped := plan.stamp(inv, o)
	if code := plan.target.TypeCode; code != "" && !inv.TypeCode.Present {
		inv.TypeCode = model.NewText(code)
	}
	compute.Complete(inv, compute.Options{AccountingRate: o.VatAccountingCurrencyRate, AccountingVat: o.VatAmountInAccountingCurrency})
	if err := c.checkAttachments(ctx, inv, plan); err != nil {
		return nil, err
	}
	doc := &model.Document{Invoice: inv}
	conversion, err := c.write(doc, plan)
	if err != nil {
		return nil, err
	}
	report, err := c.check(ctx, conversion.Data, plan)
	if err != nil {
		return nil, err
	}
	WithoutPlaces(report)
	report.Add(append(placeFindings(conversion.Losses), stamped...)...)
	if !report.Valid {
		return nil, &Refused{plan.profile, report, conversion.left}
	}
	made := plan.made(conversion, conversion.left, report)
	if err := c.deliver(ctx, made, inv, plan, o); err != nil {
		return nil, err
	}
	return made, nil
}

func (p *plan) made(c *narrowed, losses []formats.Loss, report *engine.Report) *Made {
	return &Made{Data: c.Data, Syntax: p.syntax, Root: c.Root, Profile: p.profile, Losses: losses, Report: report}
}

// A narrowed conversion tells apart what its profile left out.
type narrowed struct {
	*formats.Conversion
	left []formats.Loss
}

// write makes the XML of what the profile has of a document's invoice.
func (c *Creator) write(doc *model.Document, p *plan) (*narrowed, error) {
	invoice, left, err := c.narrow(doc, p)
	if err != nil {
		return nil, err
	}
	narrow := *doc
	narrow.Invoice = invoice
	conversion, err := formats.Convert(&narrow, formats.Target{Syntax: p.syntax, CreditNote: p.creditNote})
	if err != nil {
		return nil, p.unwritable(err)
	}
	return &narrowed{conversion, left}, nil
}

// A plan is what is to be made.
type plan struct {
	target          *target
	profile         *engine.Profile
	syntax          model.Syntax
	businessProcess string
	creditNote      func(string) bool
}

func (c *Creator) plan(format string, o *Options) (*plan, error) {
	t, err := targetOf(format)
	if err != nil {
		return nil, &WrongOption{Err: err}
	}
	id, err := t.profile(o.Profile.Raw)
	if err != nil {
		return nil, &WrongOption{Field: "options.profile", Err: err}
	}
	syntax, err := t.syntax(o.Syntax.Raw)
	if err != nil {
		return nil, &WrongOption{Field: "options.syntax", Err: err}
	}
	profile, err := c.library.Profile(id)
	if err != nil {
		return nil, err
	}
	if profile.Stamp() == "" {
		return nil, fmt.Errorf("profile %s has no specification identifier to stamp; add one in rulesets/profiles", id)
	}
	creditNotes, err := c.library.CodeList("untdid-1001-credit-note")
	if err != nil {
		return nil, err
	}
	return &plan{t, profile, syntax, readTargets().BusinessProcesses[id], creditNotes.Contains}, nil
}

// stamp sets what the format and profile decide. An identifier that the request
// brought and that had to give way is told.
func (p *plan) stamp(inv *model.Invoice, o *Options) (told []engine.Finding) {
	id := p.profile.Stamp()
	if said := strings.TrimSpace(inv.SpecificationID.Raw); said != "" && said != id {
		told = append(told, engine.Finding{
			Rule: "STAMPED", Layer: engine.LayerProfile, Level: engine.Information,
			Message: fmt.Sprintf("The specification identifier %q gave way to that of %s. Leave specificationId out, or choose a profile with options.profile.", said, p.profile.Name),
			BTCodes: []string{"BT-24"}, Fields: []string{"specificationId"},
			Raw: "[STAMPED](profile) The specification identifier (BT-24) is that of the format and profile asked for.",
		})
	}
	inv.SpecificationID = model.NewText(id)
	switch {
	case o.BusinessProcess.Present:
		inv.BusinessProcessType = o.BusinessProcess
	case !inv.BusinessProcessType.Present && p.businessProcess != "":
		inv.BusinessProcessType = model.NewText(p.businessProcess)
	}
	return told
}

// checkAttachments holds the MIME codes of attachments against the rule about
// them before anything is written: their content may be large and anything.
func (c *Creator) checkAttachments(ctx context.Context, inv *model.Invoice, p *plan) error {
	if inv.SupportingDocuments == nil {
		return nil
	}
	v, err := c.standard()
	if err != nil {
		return err
	}
	// The rule is that of the standard: no profile widens the list.
	documents := &model.Document{Invoice: &model.Invoice{SupportingDocuments: inv.SupportingDocuments}}
	report, err := v.Validate(ctx, documents)
	if err != nil {
		return err
	}
	var found []engine.Finding
	for _, f := range report.Findings {
		if f.Rule == attachmentRule {
			found = append(found, f)
		}
	}
	if found == nil {
		return nil
	}
	report.Findings = nil
	report.Profile, report.Standard, report.Syntax = p.profile.Name, p.profile.Standard, string(p.syntax)
	report.Add(found...)
	return &Refused{Profile: p.profile, Report: report}
}

// attachmentRule is the rule about MIME codes of attachments.
const attachmentRule = "BR-CL-24"

// check holds a document against its schema and its profile.
func (c *Creator) check(ctx context.Context, data []byte, p *plan) (*engine.Report, error) {
	line, err := c.pipeline(pipelineKey{profile: p.profile.ID})
	if err != nil {
		return nil, err
	}
	result, err := line.Validate(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("the document that was made cannot be read: %w", err)
	}
	return result.Report, nil
}

// A pipelineKey is a profile, and the one ruleset to run instead of the profile's.
type pipelineKey struct{ profile, ruleset string }

func (c *Creator) pipeline(key pipelineKey) (*pipeline.Pipeline, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.pipelines[key]; ok {
		return p, nil
	}
	options := pipeline.Options{Profile: key.profile, Read: c.read}
	if key.ruleset != "" {
		options.Rulesets = []string{key.ruleset}
	}
	p, err := pipeline.New(c.library, options)
	if err == nil {
		c.pipelines[key] = p
	}
	return p, err
}

// unwritable turns a text that no document can hold into a finding.
func (p *plan) unwritable(err error) error {
	bad, ok := errors.AsType[*binding.NotXML](err)
	if !ok {
		return err
	}
	report := &engine.Report{Profile: p.profile.Name, Standard: p.profile.Standard, Syntax: string(p.syntax)}
	report.Add(engine.Finding{
		Rule: "XML-CHARACTER", Layer: engine.LayerSchema, Level: engine.Fatal,
		Message: fmt.Sprintf("The text holds the character U+%04X, which XML does not allow. Remove it.", bad.Char),
		BTCodes: []string{}, Fields: []string{bad.Field},
		Raw: "[XML-CHARACTER](schema) Texts hold only characters that XML allows.",
	})
	return &Refused{Profile: p.profile, Report: report}
}

// FileName is a name to save an invoice's document under, with an extension.
func FileName(inv *model.Invoice, extension string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, strings.TrimSpace(inv.Number.Raw))
	const longest = 100
	if name = strings.Trim(name, "-."); name == "" {
		name = "invoice"
	}
	return name[:min(len(name), longest)] + extension
}
