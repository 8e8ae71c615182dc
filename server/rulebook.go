package server

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
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/catalogue"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/workbench"
)

// A rulebook is one state of the rulesets, compiled. It never changes: a reload
// makes another one, and requests in flight finish on the one they began with.
type rulebook struct {
	library  *engine.Library
	service  *operation.Kit
	desk     *workbench.Desk // of the page /app
	profiles []*engine.Profile
	sets     []*engine.Ruleset // every version of every family
	newest   []*engine.Ruleset // the newest of each
	overlays []string          // names of all
	usual    []string          // names of those that apply where a request chooses none
	loaded   time.Time

	own       fs.FS    // the edited rulesets; nil for the built-in ones alone
	edited    []byte   // a snapshot of them, as a ZIP
	published []string // overlays that were published
}

// mostElements is less than the readers allow: a server shares its memory.
const mostElements = 1_000_000

// What a PDF may decompress to: so many times the largest body, and so many times its own
// size beyond what every PDF may.
const (
	mostDecoded  = 4
	decodedRatio = 24
)

// newRulebook opens rulesets: the built-in ones and, where there are any, those from outside
// on top of them. usual are the overlays that apply where a request chooses none; those that
// were published join them.
func newRulebook(own fs.FS, config operation.Config, usual, published []string, archive fs.FS) (*rulebook, error) {
	fsys := fs.FS(rulesets.FS)
	if own != nil {
		fsys = engine.Layered(own, fsys)
	}
	library, err := engine.Open(fsys)
	if err != nil {
		return nil, err
	}
	b := &rulebook{library: library, own: own, loaded: time.Now().UTC()}
	b.service = operation.New(library, config)
	if b.overlays, err = library.OverlayNames(); err != nil {
		return nil, err
	}
	if err := b.service.CheckRules(validate.Rules{Overlays: usual}); err != nil {
		return nil, fmt.Errorf("setting overlay: %w", err)
	}
	if b.usual, err = b.joined(usual, published); err != nil {
		return nil, err
	}
	b.desk = workbench.New(b.service, workbench.Config{Service: config, Overlays: b.usual, Own: own, Archive: archive})
	return b, nil
}

// try compiles the rulesets completely. Those from outside are checked first, and their
// examples run.
func (b *rulebook) try(ctx context.Context) error {
	if b.own != nil {
		if err := validate.CheckLibrary(b.library, false); err != nil {
			return err
		}
		if err := tryExamples(b.library); err != nil {
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

// joined are the usual overlays with those that were published and are there. One that a
// profile names applies by the profile, and does not say what it rests on.
func (b *rulebook) joined(usual, published []string) ([]string, error) {
	all := slices.Clone(usual)
	for _, name := range published {
		if slices.Contains(all, name) || !slices.Contains(b.overlays, name) {
			continue
		}
		o, err := b.library.Overlay(name)
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
	if len(failures) > mostFailed {
		failures = append(failures[:mostFailed], fmt.Errorf("and %d more examples", len(failures)-mostFailed))
	}
	return errors.Join(failures...)
}

func readExample(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

// serviceConfig is how the services of the rulebooks work.
func serviceConfig(c *Config) operation.Config {
	config := readOptions(c.MaxBody)
	config.Parse = parse.Limits{Pages: c.ParsePages, Pixels: c.ParsePixels}
	return config
}

// readOptions bound what reading a document may cost.
func readOptions(maxBody int64) operation.Config {
	return operation.Config{
		Read: formats.Options{Limits: xmlparse.Limits{Bytes: int(maxBody), Elements: mostElements}},
		PDF:  pdf.Limits{Bytes: int(maxBody), Decoded: mostDecoded * int(maxBody), Ratio: decodedRatio},
	}
}

func (b *rulebook) readSets() error {
	versions, err := b.library.Versions()
	if err != nil {
		return err
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for i, version := range versions[family] {
			set, err := b.library.Ruleset(family + "/" + version)
			if err != nil {
				return err
			}
			b.sets = append(b.sets, set)
			if i == len(versions[family])-1 {
				b.newest = append(b.newest, set)
			}
		}
	}
	return nil
}

// checkProfiles finds profiles that cannot be run before a document declares them, and
// standards without a profile.
func (b *rulebook) checkProfiles() (err error) {
	if b.profiles, err = b.library.Profiles(); err != nil {
		return err
	}
	for _, p := range b.profiles {
		if _, err := b.library.Validator(p.Rulesets...); err != nil {
			return fmt.Errorf("profile %s: %w", p.ID, err)
		}
	}
	for _, f := range catalogue.Formats() {
		if f.Check == nil {
			continue
		}
		if err := b.service.CheckRules(validate.Rules{Rulesets: f.Check.Rulesets}); err != nil {
			return fmt.Errorf("format %s: %w", f.Name, err)
		}
	}
	return nil
}

// warmUp validates an invoice of each syntax and makes it one of each format, so
// that what compiles on first use is compiled before a client waits for it.
func (b *rulebook) warmUp(ctx context.Context) error {
	for _, syntax := range model.Syntaxes() {
		data, err := fs.ReadFile(rulesets.FS, fmt.Sprintf("examples/base-%s.xml", syntax))
		if err != nil {
			return err
		}
		if err := b.warmUpRules(ctx, data); err != nil {
			return err
		}
		for _, format := range catalogue.ToCreate() {
			doc, err := b.service.Read(ctx, data, validate.Accept{})
			if err != nil {
				return err
			}
			if _, err := transform.Document(ctx, b.service.Pages, format, doc, transform.Options{}); err != nil {
				return fmt.Errorf("try the rulesets on making an invoice of %s: %w", format, err)
			}
		}
	}
	return nil
}

func (b *rulebook) warmUpRules(ctx context.Context, data []byte) error {
	doc, err := b.service.Read(ctx, data, validate.Accept{})
	if err != nil {
		return err
	}
	for _, f := range catalogue.Formats() {
		if f.Check == nil || f.Check.PDF == catalogue.PDFRequired {
			continue
		}
		rules, err := b.service.RulesOf(f, doc.Invoice)
		if err != nil {
			return err
		}
		if _, err := b.service.Validate(ctx, data, rules); err != nil {
			return fmt.Errorf("try the rulesets on an invoice: %w", err)
		}
	}
	return nil
}
