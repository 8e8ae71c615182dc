package validate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// Rules choose the rules that a document is validated against. The zero Rules are
// those of the profile that it declares in BT-24.
type Rules struct {
	// Profile is used whatever the document declares.
	Profile string
	// Rulesets runs these alone, without a profile's overlays: "family" or
	// "family/version". A family that has a version for the document's profile
	// means that version, else its newest. A list of none is no list.
	Rulesets []string
	// Standard is what the document is asked to follow by name, such as facturx, which
	// may have levels of its own; "" for that of Profile, if any.
	Standard string
	// ContainerAdvises makes warnings of errors in the PDF around an invoice, so that
	// the invoice alone decides whether it is valid.
	ContainerAdvises bool
	// ComparePages reads the pages of a PDF and warns where they contradict the invoice.
	ComparePages bool
	// Overlays are the names of overlays to apply, beside those of the profile and before
	// them. One that is not for the document is told in the report and does nothing.
	Overlays []string
	// Kept are overlays that At may not take out of force, nor any of their rules and levels: a document for
	// which it would is refused.
	Kept []string
	// At is the day whose rules are run; "" for the issue date of the document.
	At engine.Day
	// Received is the day on which the document was received, for what says that this day
	// decides; "" for today.
	Received engine.Day
}

// alone reports whether the rulesets that are named run without a profile. An empty list, such as
// that of a flag without a value, names none.
func (r *Rules) alone() bool { return len(r.Rulesets) > 0 }

// CodeSyntaxMismatch is the code of the *problem.Error for a profile that does not go with
// the syntax of the document.
const CodeSyntaxMismatch = "SYNTAX-MISMATCH"

// Prepare reads the rulesets of most documents, so that a caller can do something else at the
// same time, such as read the first of them. It returns no error: whatever uses the rulesets
// reports their mistakes.
func (s *Service) Prepare(rules Rules) {
	refs := rules.Rulesets
	if len(refs) == 0 {
		p, err := s.library.DefaultProfile()
		if err != nil {
			return
		}
		refs = p.Rulesets
	}
	for _, ref := range refs {
		if _, err := s.library.Ruleset(ref); err != nil {
			return
		}
	}
}

// A Result is the outcome of validating one document.
type Result struct {
	Document *model.Document
	Report   *engine.Report
	Profile  *engine.Profile

	judge *judge
}

// GiveBack leaves the memory of the document to documents that are read later, which costs
// less than new memory. Report and Profile stay as they are. Nobody may use the document, or
// anything in it, afterwards. A program that keeps the document does not call GiveBack and
// loses nothing.
func (r *Result) GiveBack() {
	if r != nil {
		r.Document.GiveBack()
		r.Document = nil
	}
}

// CheckRules returns an error if the profile, a ruleset or an overlay does not exist or does
// not load, or At or Received is not a day, before any document is read.
func (s *Service) CheckRules(rules Rules) error {
	if err := s.check(rules); err != nil {
		return err
	}
	if rules.Profile != "" {
		if _, err := s.library.Profile(rules.Profile); err != nil {
			return err
		}
	}
	for _, ref := range rules.Rulesets {
		set, err := s.library.Ruleset(ref)
		if err == nil {
			err = notTogether(set)
		}
		if err != nil {
			return err
		}
	}
	_, err := s.library.Compose(rules.Overlays)
	return err
}

// Validate reads a document, which may be attached to a PDF, and checks it, and the PDF,
// against the rules. The error, a *problem.Error unless the context ended or the rules do not
// exist or do not load, says why the document could not be validated; what is wrong with the
// invoice is in the report.
func (s *Service) Validate(ctx context.Context, data []byte, rules Rules) (*Result, error) {
	received, err := s.Receive(ctx, data, Accept{PDF: true})
	if err != nil {
		return nil, err
	}
	return s.ValidateReceived(ctx, received, rules)
}

// ValidateReceived is Validate for a document that was read already, with the PDF
// that it is attached to.
func (s *Service) ValidateReceived(ctx context.Context, received *formats.Received, rules Rules) (*Result, error) {
	return s.validate(ctx, received, rules, s.furtherChecks)
}

// ValidateByRules is ValidateReceived without the checks that Config hands in.
func (s *Service) ValidateByRules(ctx context.Context, received *formats.Received, rules Rules) (*Result, error) {
	return s.validate(ctx, received, rules, nil)
}

// ValidateDocument is Validate for a document that was read already, or written.
func (s *Service) ValidateDocument(ctx context.Context, doc *model.Document, rules Rules) (*Result, error) {
	return s.validate(ctx, &formats.Received{Document: doc}, rules, nil)
}

// validate judges a document by the rules and by further checks. Levels are set when all
// findings are there, and at no other place.
func (s *Service) validate(ctx context.Context, received *formats.Received, rules Rules, further func(context.Context, *formats.Received, Rules, *engine.Report) error) (*Result, error) {
	if received == nil || !isRead(received.Document) || received.PDF != nil && received.PDF.Describe == nil {
		return nil, noDocument()
	}
	if err := describe(ctx, received); err != nil {
		return nil, err
	}
	result, err := s.judgeDocument(ctx, received.Document, rules)
	if err != nil {
		return nil, err
	}
	if further != nil {
		if err := further(ctx, received, rules, result.Report); err != nil {
			return nil, err
		}
	}
	if err := s.setLevels(ctx, result); err != nil {
		return nil, err
	}
	if rules.ContainerAdvises {
		result.Report.Advise(engine.LayerContainer)
	}
	return result, nil
}

// isRead reports whether there is a document to validate. One without a source is an invoice of
// a program's own: rules ask the elements that it has when it is written.
func isRead(doc *model.Document) bool {
	return doc != nil && doc.Invoice != nil && doc.Source != nil && len(doc.Source.Elements) > int(doc.Source.Root())
}

// noDocument is the error where nothing was handed in that was read.
func noDocument() error {
	return errors.New("there is no document to validate; send one that was read")
}

// furtherChecks are those that Config hands in.
func (s *Service) furtherChecks(ctx context.Context, received *formats.Received, rules Rules, report *engine.Report) error {
	if s.config.PDFCheck != nil && received.PDF != nil {
		if err := s.config.PDFCheck(ctx, s, received, report); err != nil {
			return err
		}
	}
	switch {
	case !rules.ComparePages:
		return nil
	case s.config.ComparePages == nil:
		return &problem.Error{Code: problem.CodeOption, Message: "this program has nothing linked that compares pages", Remedy: "set ComparePages of validate.Config to compare.Check"}
	}
	return s.config.ComparePages(ctx, s, received, report)
}

// judgeDocument checks a document against the rules and its schema.
func (s *Service) judgeDocument(ctx context.Context, doc *model.Document, rules Rules) (*Result, error) {
	profile, known, err := s.profile(rules, doc)
	if err != nil {
		return nil, err
	}
	if doc.Container != nil && known {
		doc.Container.Expected = expected(profile.Hybrid)
	}
	j, err := s.judge(ctx, rules, profile, doc)
	if err != nil {
		return nil, err
	}
	report, err := j.validator.ValidateOn(ctx, doc, j.Days)
	if err != nil {
		return nil, err
	}
	if err := s.checkSchema(doc, profile, rules.alone(), report); err != nil {
		return nil, err
	}
	report.Profile, report.Standard = profile.Name, profile.Standard
	j.tell(report, rules)
	result := &Result{Document: doc, Report: report, Profile: profile, judge: j}
	if err := s.reportWithoutRules(j, report); err != nil {
		return nil, err
	}
	if rules.alone() {
		report.Digest = s.digest(j, report.Rulesets, nil)
		return result, s.reportHeld(j, report)
	}
	report.Digest = s.digest(j, report.Rulesets, profile)
	return result, s.reportProfile(doc, profile, known, report)
}

// rulesets are those that a document is validated against.
func (s *Service) rulesets(rules Rules, profile *engine.Profile, doc *model.Document) ([]string, error) {
	if !rules.alone() && profile != nil {
		return withContainer(profile.Rulesets, doc), nil
	}
	refs := make([]string, len(rules.Rulesets))
	for i, ref := range rules.Rulesets {
		var err error
		if refs[i], err = s.version(ref, doc.Invoice); err != nil {
			return nil, err
		}
	}
	return withoutContainer(refs, doc)
}

// profile is the one that was asked for, or that the document declares. Inside a PDF, a
// profile may have to give its place to another one with the same identifier.
func (s *Service) profile(rules Rules, doc *model.Document) (profile *engine.Profile, known bool, err error) {
	if rules.Profile != "" {
		profile, err = s.library.Profile(rules.Profile)
		if err == nil && !profile.DefinedIn(doc.Syntax) {
			err = &problem.Error{
				Code:    CodeSyntaxMismatch,
				Message: fmt.Sprintf("%s is defined in %s alone, and the document is in %s", profile.Name, profile.Syntax.Label(), doc.Syntax.Label()),
				Remedy:  fmt.Sprintf("convert it to %s first, or ask for another profile", profile.Syntax.Label()),
			}
		}
		return profile, true, err
	}
	profile, known, err = s.library.Detect(doc.Invoice)
	if err == nil && !profile.DefinedIn(doc.Syntax) {
		profile, err = s.library.DefaultProfile()
		return profile, false, err
	}
	if err != nil || !known || doc.Container == nil || rules.alone() || profile.Hybrid == nil || profile.Hybrid.Profile == "" {
		return profile, known, err
	}
	profile, err = s.library.Profile(profile.Hybrid.Profile)
	return profile, true, err
}

func (s *Service) version(ref string, inv *model.Invoice) (string, error) {
	if strings.Contains(ref, "/") {
		return ref, nil
	}
	return s.library.VersionFor(ref, inv)
}

// reportProfile adds what is to be said of the profile itself, whatever its overlays
// are: that it is not the one that the document declares, or that its own rules are not
// in the library.
func (s *Service) reportProfile(doc *model.Document, profile *engine.Profile, known bool, report *engine.Report) error {
	switch substitute := profile.Substitute(); {
	case !known:
		return s.reportUnknownProfile(doc, profile, report)
	case substitute != nil:
		report.ValidatedAs = substitute.Name
		return s.reportMissingRules(doc, profile, report)
	}
	return nil
}

// reportUnknownProfile adds that a document was validated as another profile than it
// declares.
func (s *Service) reportUnknownProfile(doc *model.Document, used *engine.Profile, report *engine.Report) error {
	id := doc.Invoice.SpecificationID
	which, words := "declared", Values{"identifier": quote.Value(strings.TrimSpace(id.Raw)), "profile": used.Name}
	if !id.Present {
		which = "absent"
	}
	declared, known, err := s.library.Detect(doc.Invoice)
	if err != nil {
		return err
	}
	if known {
		which = "syntax"
		words["declared"], words["syntax"], words["written"] = declared.Name, declared.Syntax.Label(), doc.Syntax.Label()
	}
	f, err := s.Notice(noticeUnknownProfile, which, words)
	if err != nil {
		return err
	}
	f.Locate(doc, id.Ref)
	report.Add(f)
	return nil
}

// reportWithoutRules adds which rulesets, of those that a request or an overlay names, have no rule
// for the syntax of the document: a report names them among what it was validated against.
func (s *Service) reportWithoutRules(j *judge, report *engine.Report) error {
	sets, err := j.validator.Without(j.Document, j.Days)
	if err != nil {
		return err
	}
	for _, set := range sets {
		f, err := s.Notice(noticeWithoutRules, "", Values{"ruleset": set.Name, "written": j.Document.Syntax.Label()})
		if err != nil {
			return err
		}
		report.Add(f)
	}
	return nil
}

// reportMissingRules adds that a document was validated without the rules of its profile.
func (s *Service) reportMissingRules(doc *model.Document, profile *engine.Profile, report *engine.Report) error {
	f, err := s.Notice(noticeMissingRules, "", Values{"profile": profile.Name, "substitute": report.ValidatedAs})
	if err != nil {
		return err
	}
	f.Locate(doc, doc.Invoice.SpecificationID.Ref)
	report.Add(f)
	return nil
}
