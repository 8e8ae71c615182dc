// Package pipeline is the life of a validation, from bytes to a report: read,
// find the profile, run its rulesets, check the schema. The command line, the HTTP API and the
// conformance runs all validate through it.
//
//	p := pipeline.New(library, pipeline.Options{})
//	result, err := p.Validate(ctx, data)
package pipeline

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/verapdf"
	"einvoice/formats/schema"
	"einvoice/model"
	"einvoice/rulesets"
)

// Options choose what a document is held against. Without any, the profile it
// declares in BT-24 decides.
type Options struct {
	// Profile forces a profile, whatever the document declares.
	Profile string
	// Rulesets runs these alone, without a profile's overlays: "family" or
	// "family/version". A family that has a version for the document's profile
	// means that version, else its newest.
	Rulesets []string
	// ContainerAdvises makes warnings of errors in the PDF around an invoice: the
	// invoice alone is judged.
	ContainerAdvises bool
	// VeraPDF judges the PDF as well; nil for its own rules alone.
	VeraPDF *verapdf.Program
	Read    formats.Options
}

// A Pipeline validates documents; any number of goroutines may use it.
type Pipeline struct {
	library *engine.Library
	options Options

	mu         sync.Mutex
	validators map[string]*engine.Validator // by the rulesets they run
}

// builtInSchemas are shared by all pipelines: what schemas say never changes.
var builtInSchemas = schema.NewLibrary(rulesets.FS, "schemas")

// A Result is what came of one document.
type Result struct {
	Document *model.Document
	Report   *engine.Report
	Profile  *engine.Profile
	// Container is the PDF that the document was attached to; nil for other input.
	Container *pdf.Container
}

// New makes a pipeline over a library of rulesets.
func New(library *engine.Library, options Options) (*Pipeline, error) {
	p := &Pipeline{library: library, options: options, validators: map[string]*engine.Validator{}}
	if options.Profile != "" {
		if _, err := library.Profile(options.Profile); err != nil {
			return nil, err
		}
	}
	for _, ref := range options.Rulesets {
		if _, err := library.Ruleset(ref); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Validate reads a document, which may be attached to a PDF, and holds it, and the
// PDF, against the rules. The error says why nothing can be said of it; what is
// wrong with the invoice is in the report.
func (p *Pipeline) Validate(ctx context.Context, data []byte) (*Result, error) {
	received, err := formats.Receive(data, p.options.Read)
	if err != nil {
		return nil, err
	}
	return p.ValidateReceived(ctx, received)
}

// ValidateReceived is Validate for a document that was read already, with the PDF
// that it came in.
func (p *Pipeline) ValidateReceived(ctx context.Context, received *formats.Received) (*Result, error) {
	if err := describe(ctx, received); err != nil {
		return nil, err
	}
	result, err := p.ValidateDocument(ctx, received.Document)
	if err != nil {
		return nil, err
	}
	result.Container = received.Container
	if err := p.judgeArchive(ctx, received, result.Report); err != nil {
		return nil, err
	}
	if p.options.ContainerAdvises {
		result.Report.Advise(engine.LayerContainer)
	}
	return result, nil
}

// ValidateDocument is Validate for a document that was read already, or made.
func (p *Pipeline) ValidateDocument(ctx context.Context, doc *model.Document) (*Result, error) {
	profile, known, err := p.profile(doc.Invoice)
	if err != nil {
		return nil, err
	}
	if doc.Container != nil && known {
		doc.Container.Expected = expected(profile.Hybrid)
	}
	refs, err := p.rulesets(profile, doc)
	if err != nil {
		return nil, err
	}
	v, err := p.validator(refs)
	if err != nil {
		return nil, err
	}
	report, err := v.Validate(ctx, doc)
	if err != nil {
		return nil, err
	}
	if err := p.checkSchema(doc, profile, report); err != nil {
		return nil, err
	}
	report.Profile, report.Standard = profile.Name, profile.Standard
	if p.options.Rulesets == nil {
		profile.Apply(report, doc)
		if !known {
			report.Add(unknownProfile(doc, profile))
		}
	}
	return &Result{Document: doc, Report: report, Profile: profile}, nil
}

// rulesets are those that a document is held against.
func (p *Pipeline) rulesets(profile *engine.Profile, doc *model.Document) ([]string, error) {
	if p.options.Rulesets == nil {
		return withContainer(profile.Rulesets, doc), nil
	}
	refs := make([]string, len(p.options.Rulesets))
	for i, ref := range p.options.Rulesets {
		var err error
		if refs[i], err = p.version(ref, doc.Invoice); err != nil {
			return nil, err
		}
	}
	return withoutContainer(refs, doc)
}

func (p *Pipeline) profile(inv *model.Invoice) (profile *engine.Profile, known bool, err error) {
	if p.options.Profile != "" {
		profile, err = p.library.Profile(p.options.Profile)
		return profile, true, err
	}
	return p.library.Detect(inv)
}

func (p *Pipeline) version(ref string, inv *model.Invoice) (string, error) {
	if strings.Contains(ref, "/") {
		return ref, nil
	}
	return p.library.VersionFor(ref, inv)
}

func (p *Pipeline) validator(refs []string) (*engine.Validator, error) {
	key := strings.Join(refs, ",")
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.validators[key]; ok {
		return v, nil
	}
	v, err := p.library.Validator(refs...)
	if err == nil {
		p.validators[key] = v
	}
	return v, err
}

// unknownProfile tells that a document was validated as another profile than it
// declares.
func unknownProfile(doc *model.Document, used *engine.Profile) engine.Finding {
	id := doc.Invoice.SpecificationID
	declared := fmt.Sprintf("declares the specification identifier %q, which no profile knows", strings.TrimSpace(id.Raw))
	if !id.Present {
		declared = "declares no specification identifier"
	}
	f := engine.Finding{
		Rule: "PROFILE-UNKNOWN", Layer: engine.LayerProfile, Level: engine.Information,
		Message: fmt.Sprintf("The invoice %s, so it was validated as %s. Put the identifier of a known profile into BT-24, or choose a profile.", declared, used.Name),
		BTCodes: []string{"BT-24"}, Fields: []string{"specificationId"},
		Raw: "[PROFILE-UNKNOWN](profile) The specification identifier (BT-24) names a known profile.",
	}
	f.Locate(doc, id.Ref)
	return f
}
