package proving

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/numeral"
)

// Options say what is compared with what.
type Options struct {
	Rulesets  []string // of ours
	Originals []string // published files, compiled
	On        string   // folder of documents to change, beside those that ship
	Documents int      // for each assert, in a round
	Rounds    int      // of those that did not fire or did not pass
	Saxon     Saxon
	// Keep is asked to keep a document that both decided; nil to keep none.
	Keep func(data []byte, syntax model.Syntax, fired map[string]engine.Level) error
}

// A Proof is what was seen of every rule.
type Proof struct {
	Originals []Original   `json:"originals"`
	Documents int          `json:"documents"` // that both decided
	Unfit     int          `json:"unfit"`     // that were made and do not fit their schema
	Stopped   int          `json:"stopped"`   // on which the published file stopped
	Rules     []*RuleProof `json:"rules"`
	// Unknown are ids that fire in the published file and that none of the rulesets has.
	Unknown map[string]int `json:"unknown,omitempty"`
	Stops   []Stop         `json:"stops,omitempty"`
	Faults  []Fault        `json:"faults,omitempty"`
}

// An Original is a published file.
type Original struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// A RuleProof is what was seen of a rule. Documents that were not made for it count only if
// it fired on them, here or there.
type RuleProof struct {
	Rule    string `json:"rule"`
	Equal   int    `json:"equal"`
	Fired   int    `json:"fired"` // of those, on how many it fired
	Differs int    `json:"differs"`
	// Example is a document on which it differs, Fires and Passes are some of ours that show
	// both: as few changes as were seen.
	Example *Document `json:"example,omitempty"`
	Fires   *Document `json:"fires,omitempty"`
	Passes  *Document `json:"passes,omitempty"`
}

// A Document is how a document was made, and what was said of it.
type Document struct {
	Base    string       `json:"base"`
	Changes []Change     `json:"changes,omitempty"`
	Ours    engine.Level `json:"ours,omitempty"` // at which it fired, "" if it did not
	Theirs  engine.Level `json:"theirs,omitempty"`
	Syntax  model.Syntax `json:"syntax"`
	size    int
	ours    bool
}

// A Stop is a document on which a published file stopped.
type Stop struct {
	Original string   `json:"original"`
	Rule     string   `json:"rule"` // whose expression it is
	Line     int      `json:"line"`
	Why      string   `json:"why"`
	Count    int      `json:"count"`
	Smallest Document `json:"smallest"`
}

// Prove makes documents and compares. progress is told what is being done.
func Prove(ctx context.Context, library *engine.Library, o Options, progress func(string)) (*Proof, error) {
	if err := o.Saxon.Ready(); err != nil {
		return nil, err
	}
	on, err := bases(library, o.On)
	if err != nil {
		return nil, err
	}
	p, err := newProving(library, o)
	if err != nil {
		return nil, err
	}
	p.bases = on
	var sheets []*sheet
	for _, file := range o.Originals {
		s, err := readSheet(file)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, s)
		digest, err := s.digest()
		if err != nil {
			return nil, err
		}
		p.proof.Originals = append(p.proof.Originals, Original{file, digest})
		for round := range max(o.Rounds, 1) {
			if err := p.round(ctx, s, round, progress); err != nil {
				return nil, err
			}
		}
	}
	out := p.finish()
	out.Faults, err = p.faults(library, sheets)
	return out, err
}

func (p *proving) finish() *Proof {
	for _, why := range slices.Sorted(maps.Keys(p.stops)) {
		p.proof.Stops = append(p.proof.Stops, *p.stops[why])
	}
	slices.SortFunc(p.proof.Rules, func(a, b *RuleProof) int { return strings.Compare(a.Rule, b.Rule) })
	return p.proof
}

func newProving(library *engine.Library, o Options) (*proving, error) {
	v, err := library.Validator(o.Rulesets...)
	if err != nil {
		return nil, err
	}
	p := &proving{options: o, validator: v, proof: &Proof{Unknown: map[string]int{}}, rules: map[string]*RuleProof{}, has: map[model.Syntax]map[string]bool{}, seen: map[[32]byte]*made{}, stops: map[string]*Stop{}}
	for _, ref := range o.Rulesets {
		s, err := library.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		for _, r := range s.Rules {
			p.add(r)
		}
	}
	return p, nil
}

type proving struct {
	options   Options
	validator *engine.Validator
	bases     []*base
	proof     *Proof
	rules     map[string]*RuleProof
	has       map[model.Syntax]map[string]bool // rules with a form for a syntax
	seen      map[[32]byte]*made               // documents
	stops     map[string]*Stop
}

func (p *proving) add(r *engine.Rule) {
	if p.rules[r.ID] == nil {
		p.rules[r.ID] = &RuleProof{Rule: r.ID}
		p.proof.Rules = append(p.proof.Rules, p.rules[r.ID])
	}
	for _, s := range []model.Syntax{model.UBL, model.CII} {
		if _, applies := r.Form(s); applies {
			if p.has[s] == nil {
				p.has[s] = map[string]bool{}
			}
			p.has[s][r.ID] = true
		}
	}
}

// round makes documents for the asserts of a file; after the first round, for those that were
// not seen to fire and to pass.
func (p *proving) round(ctx context.Context, s *sheet, round int, progress func(string)) error {
	var all []*made
	syntax := s.syntax()
	asserts := 0
	for _, a := range s.asserts {
		if !p.has[syntax][a.ID] {
			continue
		}
		if r := p.rules[a.ID]; round > 0 && r.Fired > 0 && r.Equal > r.Fired {
			continue
		}
		asserts++
		many := p.options.Documents
		if round > 0 {
			many *= 3
		}
		for _, m := range a.documents(p.bases, many, round) {
			if m.data = m.write(); m.data == nil {
				continue
			}
			sum := sha256.Sum256(m.data)
			if p.seen[sum] != nil {
				p.seen[sum].aimed[a.ID] = true
				continue
			}
			p.seen[sum] = m
			all = append(all, m)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	progress(fmt.Sprintf("%s: round %d, %s, %s", s.file, round+1, numeral.Count(asserts, "assert"), numeral.Count(len(all), "document")))
	const batch = 4000
	for part := range slices.Chunk(all, batch) {
		if err := p.compare(ctx, s, part); err != nil {
			return err
		}
	}
	return nil
}

// compare has both decide documents.
func (p *proving) compare(ctx context.Context, s *sheet, all []*made) error {
	ours, err := p.decide(ctx, all)
	if err != nil {
		return err
	}
	var fit []*made
	var verdicts []fired
	var data [][]byte
	for i, m := range all {
		if ours[i] == nil {
			p.proof.Unfit++
			continue
		}
		fit, verdicts, data = append(fit, m), append(verdicts, ours[i]), append(data, m.data)
	}
	theirs, stops, err := p.options.Saxon.run(ctx, s.file, data)
	if err != nil {
		return err
	}
	for i, m := range fit {
		if theirs[i] == nil {
			p.stopped(s, m, stops[i])
			continue
		}
		p.proof.Documents++
		p.hold(m, verdicts[i], theirs[i])
		if p.options.Keep != nil {
			if err := p.options.Keep(m.data, m.base.doc.Syntax, theirs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *proving) stopped(s *sheet, m *made, at stop) {
	p.proof.Stopped++
	key := fmt.Sprintf("%s %06d %s", s.file, at.line, at.why)
	d := documentOf(m)
	if p.stops[key] == nil {
		p.stops[key] = &Stop{Original: s.file, Rule: s.at(at.line), Line: at.line, Why: at.why, Smallest: *d}
	}
	one := p.stops[key]
	one.Count++
	if d.less(&one.Smallest) {
		one.Smallest = *d
	}
}

// decide has our rules decide documents; one that does not fit its schema, or cannot be read,
// has no verdict.
func (p *proving) decide(ctx context.Context, all []*made) ([]fired, error) {
	out := make([]fired, len(all))
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, m := range all {
		wait.Add(1)
		limit <- struct{}{}
		go func() {
			defer wait.Done()
			out[i], errs[i] = p.decideOne(ctx, m)
			<-limit
		}()
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", all[i], err)
		}
	}
	return out, nil
}

func (p *proving) decideOne(ctx context.Context, m *made) (fired, error) {
	doc, err := formats.Read(m.data, formats.Options{})
	if err != nil || len(m.base.schema.Check(doc.Source, 1)) > 0 {
		return nil, nil //nolint:nilerr // what does not fit is not compared
	}
	return levelsOf(ctx, p.validator, doc)
}

// undecided stands for the level of a rule that could not be decided.
const undecided engine.Level = "undecided"

// levelsOf are the rules that fire on a document.
func levelsOf(ctx context.Context, v *engine.Validator, doc *model.Document) (fired, error) {
	report, err := v.Validate(ctx, doc)
	if err != nil {
		return nil, err
	}
	out := fired{}
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Failed {
			out[f.Rule] = undecided
			continue
		}
		if old, is := out[f.Rule]; !is || old != engine.Fatal {
			out[f.Rule] = f.Level
		}
	}
	return out, nil
}

// hold compares two verdicts, rule by rule.
func (p *proving) hold(m *made, ours, theirs fired) {
	syntax := m.base.doc.Syntax
	for id := range theirs {
		if !p.has[syntax][id] {
			p.proof.Unknown[id]++
		}
	}
	for id := range p.has[syntax] {
		a, b := ours[id], theirs[id]
		if a == "" && b == "" && !m.aimed[id] {
			continue
		}
		r := p.rules[id]
		d := documentOf(m)
		d.Ours, d.Theirs = a, b
		switch {
		case a != b:
			r.Differs++
			keep(&r.Example, d)
		case a != "":
			r.Equal++
			r.Fired++
			keep(&r.Fires, d)
		default:
			r.Equal++
			keep(&r.Passes, d)
		}
	}
}

func documentOf(m *made) *Document {
	return &Document{Base: m.base.name, Changes: m.changes, Syntax: m.base.doc.Syntax, size: m.base.size, ours: m.base.ours}
}

// less prefers documents that ship, then fewer changes, then smaller documents.
func (d *Document) less(other *Document) bool {
	if d.ours != other.ours {
		return d.ours
	}
	if len(d.Changes) != len(other.Changes) {
		return len(d.Changes) < len(other.Changes)
	}
	return d.size < other.size
}

func keep(at **Document, d *Document) {
	if *at == nil || d.less(*at) {
		*at = d
	}
}

// String is the document as an example of a rule.
func (d *Document) String() string {
	return (&made{base: &base{name: d.Base}, changes: d.Changes}).String()
}

// Differs counts the rules that differ.
func (p *Proof) Differs() (n int) {
	for _, r := range p.Rules {
		if r.Differs > 0 {
			n++
		}
	}
	return n
}
