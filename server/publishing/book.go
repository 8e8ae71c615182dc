// Package publishing has the rules that are in force: compiled, loaded again when their folder is
// edited, and published into it by clients.
package publishing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/shipped"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/catalogue"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/workbench"
)

// A Book is one state of the rulesets, compiled. It never changes: a reload
// makes another one, and requests in flight finish on the one they began with.
type Book struct {
	Library  *engine.Library
	Service  *operation.Kit
	Desk     *workbench.Desk // of the page /app
	Profiles []*engine.Profile
	Sets     []*engine.Ruleset // every version of every family
	Newest   []*engine.Ruleset // the newest of each
	Overlays []string          // names of all
	Usual    []string          // names of those that apply where a request chooses none
	Loaded   time.Time

	own       fs.FS    // the edited rulesets; nil for the built-in ones alone
	Edited    []byte   // a snapshot of them, as a ZIP
	Published []string // overlays that were published
}

// newBook opens rulesets: the built-in ones and, where there are any, those from outside
// on top of them. The overlays of the shelf that apply where a request chooses none are joined
// by those that are mandatory and those that were published.
func newBook(own fs.FS, s *Shelf, published []string) (*Book, error) {
	config := s.Config
	var folder fs.FS
	if own != nil {
		folder = engine.Layered(own, rulesets.FS)
	}
	library, err := shipped.Or(folder)
	if err != nil {
		return nil, err
	}
	b := &Book{Library: library, own: own, Loaded: time.Now().UTC()}
	b.Service = operation.New(library, config)
	if b.Overlays, err = library.OverlayNames(); err != nil {
		return nil, err
	}
	for setting, names := range map[string][]string{"overlay": s.Usual, "mandatory-overlay": s.Mandatory} {
		if err := b.Service.CheckRules(validate.Rules{Overlays: names}); err != nil {
			return nil, fmt.Errorf("setting %s: %w", setting, err)
		}
	}
	if b.Usual, err = b.joined(With(s.Usual, s.Mandatory), published); err != nil {
		return nil, err
	}
	if err := b.Service.CheckRules(validate.Rules{Overlays: b.Usual}); err != nil {
		return nil, fmt.Errorf("the overlays that apply to everyone: %w", err)
	}
	b.Desk = workbench.New(b.Service, workbench.Config{Service: config, Overlays: b.Usual, Mandatory: s.Mandatory, Own: own, Archive: s.Archive})
	return b, nil
}

// try compiles the rulesets completely. Those from outside are checked first, and their
// examples run.
func (b *Book) try(ctx context.Context) error {
	if b.own != nil {
		defer b.Library.Until(ctx)()
		if err := validate.CheckLibrary(b.Library, false); err != nil {
			return err
		}
		if err := tryExamples(b.Library); err != nil {
			return err
		}
	}
	if err := b.readSets(); err != nil {
		return err
	}
	if err := b.checkProfiles(); err != nil {
		return err
	}
	return b.warmUp(ctx)
}

// With are names with those of others that are not among them.
func With(names, others []string) []string {
	for _, name := range others {
		if !slices.Contains(names, name) {
			names = append(names[:len(names):len(names)], name)
		}
	}
	return names
}

// joined are the usual overlays with those that were published and are there. One that a
// profile names applies by the profile, and does not say what it rests on.
func (b *Book) joined(usual, published []string) ([]string, error) {
	all := slices.Clone(usual)
	for _, name := range published {
		if slices.Contains(all, name) || !slices.Contains(b.Overlays, name) {
			continue
		}
		o, err := b.Library.Overlay(name)
		if err != nil {
			return nil, err
		}
		if len(o.On.Profiles)+len(o.On.Rulesets) > 0 {
			all = append(all, name)
		}
	}
	return all, nil
}

// mostFailed bounds how many failed examples an error lists.
const mostFailed = 10

// tryExamples runs the examples of the edited rules.
func tryExamples(library *engine.Library) error {
	sets, err := library.OwnRulesets()
	if err != nil {
		return err
	}
	var failures []error
	for _, set := range sets {
		for _, r := range ruletest.Examples(library, library.OwnRules(set), readExample) {
			if !r.OK() {
				failures = append(failures, fmt.Errorf("%s:%d: %s: %s", r.File, r.Line, r.Rule, r.Error))
			}
		}
	}
	if err := library.Ended(); err != nil {
		return err
	}
	if len(failures) > mostFailed {
		failures = append(failures[:mostFailed], fmt.Errorf("examples that fail beside these: %d", len(failures)-mostFailed))
	}
	return errors.Join(failures...)
}

func readExample(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

func (b *Book) readSets() error {
	versions, err := b.Library.Versions()
	if err != nil {
		return err
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for i, version := range versions[family] {
			set, err := b.Library.Ruleset(family + "/" + version)
			if err != nil {
				return err
			}
			b.Sets = append(b.Sets, set)
			if i == len(versions[family])-1 {
				b.Newest = append(b.Newest, set)
			}
		}
	}
	return nil
}

// checkProfiles finds profiles that cannot be run before a document declares them, and
// standards without a profile.
func (b *Book) checkProfiles() (err error) {
	if b.Profiles, err = b.Library.Profiles(); err != nil {
		return err
	}
	for _, p := range b.Profiles {
		if _, err := b.Library.Validator(p.Rulesets...); err != nil {
			return fmt.Errorf("profile %s: %w", p.ID, err)
		}
	}
	for _, f := range catalogue.Formats() {
		if f.Check == nil {
			continue
		}
		if err := b.Service.CheckRules(validate.Rules{Rulesets: f.Check.Rulesets}); err != nil {
			return fmt.Errorf("format %s: %w", f.Name, err)
		}
	}
	return nil
}

// warmUp validates an invoice of each syntax and makes it one of each format, so
// that what compiles on first use is compiled before a client waits for it.
func (b *Book) warmUp(ctx context.Context) error {
	for _, syntax := range model.Syntaxes() {
		data, err := fs.ReadFile(rulesets.FS, fmt.Sprintf("examples/base-%s.xml", syntax))
		if err != nil {
			return err
		}
		if err := b.warmUpRules(ctx, data); err != nil {
			return err
		}
		formats := catalogue.ToCreateInXML()
		if syntax == model.CII { // that of the PDFs' attachments
			formats = append(formats, catalogue.ToCreateInPDF()[0]) // the others are made with the same rules
		}
		for _, format := range formats {
			doc, err := b.Service.Read(ctx, data, validate.Accept{})
			if err != nil {
				return err
			}
			if _, err := transform.Document(ctx, b.Service.Pages, format, doc, transform.Options{}); err != nil {
				return fmt.Errorf("try the rulesets on making an invoice of %s: %w", format, err)
			}
		}
	}
	return nil
}

func (b *Book) warmUpRules(ctx context.Context, data []byte) error {
	doc, err := b.Service.Read(ctx, data, validate.Accept{})
	if err != nil {
		return err
	}
	for _, f := range catalogue.Formats() {
		if f.Check == nil || f.Check.PDF == catalogue.PDFRequired {
			continue
		}
		rules, err := b.Service.RulesOf(f, doc.Invoice)
		if err != nil {
			return err
		}
		rules.Overlays = b.Usual
		if _, err := b.Service.Validate(ctx, data, rules); err != nil {
			return fmt.Errorf("try the rulesets on an invoice: %w", err)
		}
	}
	return nil
}
