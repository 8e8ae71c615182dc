package server

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"einvoice/engine"
	"einvoice/engine/create"
	"einvoice/engine/pipeline"
	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/verapdf"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/rulesets"
)

// A rulebook is one state of the rulesets, compiled. It never changes: a reload
// makes another one, and requests in flight finish on the one they began with.
type rulebook struct {
	library  *engine.Library
	judge    *verapdf.Program // of PDFs; nil for none
	profiles []*engine.Profile
	sets     []*engine.Ruleset // every version of every family
	newest   []*engine.Ruleset // the newest of each

	declared  *pipeline.Pipeline            // what the document's own profile asks
	xrechnung *pipeline.Pipeline            // the newest XRechnung, whatever is declared
	core      *pipeline.Pipeline            // EN 16931 alone, and what is to be said of the PDF around it
	hybrids   map[string]*pipeline.Pipeline // of Factur-X and ZUGFeRD, by the profile in the metadata
	creator   *create.Creator

	read   formats.Options
	loaded time.Time
}

// mostElements is less than the readers allow: a server shares its memory.
const mostElements = 1_000_000

// mostDecoded is how many times the largest body a PDF may be decompressed: memory
// for it is not in what bodies may take together.
const mostDecoded = 4

// newRulebook compiles rulesets completely. Those that came from outside are
// checked first.
func newRulebook(ctx context.Context, fsys fs.FS, check bool, maxBody int64, judge *verapdf.Program) (*rulebook, error) {
	library, err := engine.Open(fsys)
	if err != nil {
		return nil, err
	}
	if check {
		if err := library.Check(false); err != nil {
			return nil, err
		}
	}
	b := &rulebook{
		judge: judge, library: library, loaded: time.Now().UTC(),
		read: formats.Options{
			Limits: xmlparse.Limits{Bytes: int(maxBody), Elements: mostElements},
			PDF:    pdf.Limits{Bytes: int(maxBody), Decoded: mostDecoded * int(maxBody)},
		},
	}
	// What is made is larger than what it is made from: XML says more of itself than
	// JSON does.
	larger := b.read
	larger.Limits.Bytes *= 4
	b.creator = create.New(library, larger)
	if err := b.readSets(); err != nil {
		return nil, err
	}
	if err := b.makePipelines(); err != nil {
		return nil, err
	}
	return b, b.warmUp(ctx)
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

func (b *rulebook) makePipelines() (err error) {
	if b.profiles, err = b.library.Profiles(); err != nil {
		return err
	}
	for _, p := range b.profiles { // a profile that names no ruleset would fail only when it is met
		if _, err := b.library.Validator(p.Rulesets...); err != nil {
			return fmt.Errorf("profile %s: %w", p.ID, err)
		}
	}
	newest, err := b.newestOf("xrechnung")
	if err != nil {
		return err
	}
	if b.declared, err = pipeline.New(b.library, pipeline.Options{Read: b.read, VeraPDF: b.judge}); err != nil {
		return err
	}
	if b.xrechnung, err = pipeline.New(b.library, pipeline.Options{Read: b.read, Profile: newest}); err != nil {
		return err
	}
	b.core, err = pipeline.New(b.library, pipeline.Options{Read: b.read, Rulesets: []string{"en16931", "container"}, ContainerAdvises: true, VeraPDF: b.judge})
	if err != nil {
		return err
	}
	b.hybrids = map[string]*pipeline.Pipeline{}
	for _, p := range b.profiles {
		if p.Standard != "facturx" || p.Hybrid == nil {
			continue
		}
		if b.hybrids[p.Hybrid.ConformanceLevel], err = pipeline.New(b.library, pipeline.Options{Read: b.read, Profile: p.ID, VeraPDF: b.judge}); err != nil {
			return err
		}
	}
	return nil
}

// newestOf finds the profile of a standard that runs the newest version of its
// ruleset. A version that no profile runs yet is being prepared, and is passed
// over.
func (b *rulebook) newestOf(standard string) (profile string, err error) {
	for _, set := range slices.Backward(b.sets) { // by family, oldest first
		for _, p := range b.profiles {
			if set.Name == standard && p.Standard == standard && slices.Contains(p.Rulesets, set.Name+"/"+set.Version) {
				return p.ID, nil
			}
		}
	}
	return "", fmt.Errorf("no profile of standard %s runs a version of the ruleset %s", standard, standard)
}

// warmUp validates an invoice of each syntax and makes it one of each format, so
// that what compiles on first use is compiled before a client waits for it.
func (b *rulebook) warmUp(ctx context.Context) error {
	for _, name := range []string{"examples/base-ubl.xml", "examples/base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			return err
		}
		for _, p := range []*pipeline.Pipeline{b.declared, b.xrechnung, b.core} {
			if _, err := p.Validate(ctx, data); err != nil {
				return fmt.Errorf("try the rulesets on an invoice: %w", err)
			}
		}
		for _, format := range create.Formats() {
			doc, err := formats.Read(data, b.read)
			if err != nil {
				return err
			}
			if _, err := b.creator.Transform(ctx, format, doc, create.Transform{}); err != nil {
				return fmt.Errorf("try the rulesets on making an invoice of %s: %w", format, err)
			}
		}
	}
	return nil
}

// validate holds a document against what the target asks.
func (b *rulebook) validate(ctx context.Context, t *target, up upload) (*pipeline.Result, error) {
	up.pdf = up.pdf && t.pdf
	received, err := reading(ctx, b, up, func(options formats.Options) (*formats.Received, error) {
		if err := t.needsPDF(up.data); err != nil {
			return nil, err
		}
		options.XMLOnly = !t.pdf
		return formats.Receive(up.data, options)
	})
	if err != nil {
		return nil, err
	}
	if err := t.accepts(received.Document.Syntax); err != nil {
		return nil, err
	}
	p, err := b.pipelineFor(t, received.Document.Invoice)
	if err != nil {
		return nil, err
	}
	result, err := p.ValidateReceived(ctx, received)
	if err == nil && t.standard != "" {
		result.Report.Standard = t.standard
	}
	return result, err
}

func (b *rulebook) pipelineFor(t *target, inv *model.Invoice) (*pipeline.Pipeline, error) {
	if t.standard == "en16931" {
		return b.core, nil
	}
	profile, known, err := b.library.Detect(inv)
	if err != nil {
		return nil, err
	}
	if t.standard == "xrechnung" && profile.Standard != "xrechnung" {
		return b.xrechnung, nil
	}
	// Plain EN 16931 is the profile EN 16931 of Factur-X, which has the same identifier.
	if t.hybrid && known && profile.Hybrid != nil && b.hybrids[profile.Hybrid.ConformanceLevel] != nil {
		return b.hybrids[profile.Hybrid.ConformanceLevel], nil
	}
	return b.declared, nil
}

// rule finds a rule that a report speaks of; nil for those of the schema.
func (b *rulebook) rule(report *engine.Report, id string) (*engine.Rule, *engine.Ruleset) {
	for _, info := range report.Rulesets {
		set, err := b.library.Ruleset(info.Name + "/" + info.Version)
		if err != nil {
			continue
		}
		if r, ok := set.Rule(id); ok {
			return r, set
		}
	}
	return nil, nil
}
