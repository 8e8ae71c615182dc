package conformance

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/model"
)

// A CoverageReport says for every rule whether a document or an example shows that it
// works.
type CoverageReport struct {
	// Documents counts the documents that could be read.
	Documents int            `json:"documents"`
	Rules     []RuleCoverage `json:"rules"`
}

// A RuleCoverage is one rule of one ruleset version.
type RuleCoverage struct {
	Ruleset string `json:"ruleset"` // family/version that the rule is written in
	Rule    string `json:"rule"`
	ruletest.Seen
	// FiresInExample and PassesInExample count the examples with the expected result; for
	// a row of a table, the smallest documents.
	FiresInExample  int    `json:"firesInExample"`
	PassesInExample int    `json:"passesInExample"`
	Row             bool   `json:"row"`
	NeverFires      string `json:"neverFires,omitempty"`
	// Fault is what is wrong with the rule's coverage; empty if nothing is.
	Fault string `json:"fault,omitempty"`
	// Excuse is why the ruleset's rules may lack examples, as it says itself. A lack of cover is
	// told then, and is not a failure.
	Excuse string `json:"excuse,omitempty"`
}

// OK reports whether every rule is covered.
func (r *CoverageReport) OK() bool { return len(r.faults()) == 0 }

func (r *CoverageReport) faults() []RuleCoverage {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(c RuleCoverage) bool { return c.Fault == "" || c.Excuse != "" })
}

// excused counts the rules without cover in rulesets that say why their rules lack examples.
func (r *CoverageReport) excused() (n int) {
	for i := range r.Rules {
		if r.Rules[i].Fault != "" && r.Rules[i].Excuse != "" {
			n++
		}
	}
	return n
}

// Cover runs the rules of some families, or of all if none is given, on every document of
// the suites, each family in the version that the document declares, and on the rules'
// examples.
func Cover(ctx context.Context, library *engine.Library, suites []*Suite, families ...string) (*CoverageReport, error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	if len(families) == 0 {
		families = slices.Sorted(maps.Keys(versions))
	}
	overlays, err := library.OwnOverlays()
	if err != nil {
		return nil, err
	}
	for _, family := range families {
		if versions[family] == nil {
			return nil, fmt.Errorf("there is no family of rules %q; there are %s", family, strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
		}
	}
	c := coverer{library: library, families: families, overlays: library.Together(ofNoProfile(library, overlays)), validators: map[string]*engine.Validator{}}
	var work []func()
	for _, s := range suites {
		for _, one := range s.Cases {
			work = append(work, func() { c.document(ctx, one) })
		}
	}
	inParallel(ctx, work)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	if c.documents == 0 {
		return nil, ErrNothingCovered
	}
	report := &CoverageReport{Documents: c.documents, Rules: []RuleCoverage{}}
	for _, family := range c.families {
		for _, version := range versions[family] {
			s, err := library.Ruleset(family + "/" + version)
			if err != nil {
				return nil, err
			}
			report.Rules = append(report.Rules, c.ruleset(s)...)
		}
	}
	for _, name := range overlays {
		o, err := library.Overlay(name)
		if err != nil {
			return nil, err
		}
		if o.Rules() != nil {
			report.Rules = append(report.Rules, c.ruleset(o.Rules())...)
		}
	}
	return report, nil
}

// ofNoProfile are the overlays that are asked for by name.
func ofNoProfile(library *engine.Library, names []string) []string {
	profiles, err := library.Profiles()
	if err != nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(profiles, func(p *engine.Profile) bool { return slices.Contains(p.Overlays, name) })
	})
}

type coverer struct {
	library  *engine.Library
	families []string
	overlays [][]string // sets that may be together
	coverage ruletest.Coverage

	mu         sync.Mutex
	validators map[string]*engine.Validator
	documents  int
	err        error
}

func (c *coverer) document(ctx context.Context, one *Case) {
	data, err := one.Data()
	if err != nil {
		return // Run reports it
	}
	doc, err := formats.Read(data, hybrid.Options())
	if err != nil {
		return // it is not an invoice
	}
	err = c.judge(ctx, doc)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.documents++
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("%s: %w", one.Name, err)
	}
}

// judge runs the rules on a document, with the overlays that are for it.
func (c *coverer) judge(ctx context.Context, doc *model.Document) error {
	sets := c.overlays
	if len(sets) == 0 {
		sets = [][]string{nil}
	}
	for _, names := range sets {
		v, err := c.validator(ctx, doc, names)
		if err == nil {
			_, err = v.Validate(ctx, doc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// applying are the overlays of a set that are for a document.
func (c *coverer) applying(ctx context.Context, doc *model.Document, refs, names []string) ([]*engine.Overlay, error) {
	profile, _, err := c.library.Detect(doc.Invoice)
	if err != nil {
		return nil, err
	}
	stack, asked, err := c.library.OverlaysOf(profile, names)
	if err != nil {
		return nil, err
	}
	overlays, _, err := c.library.Applying(ctx, stack, asked, &engine.Judged{Document: doc, Profile: profile, Rulesets: refs, Days: engine.DaysOf(doc.Invoice, "", "")})
	return slices.DeleteFunc(overlays, func(o *engine.Overlay) bool { return !o.ChangesRules() }), err
}

// validator is the validator for the versions that a document declares.
func (c *coverer) validator(ctx context.Context, doc *model.Document, names []string) (*engine.Validator, error) {
	refs := make([]string, len(c.families))
	for i, family := range c.families {
		ref, err := c.library.VersionFor(family, doc.Invoice)
		if err != nil {
			return nil, err
		}
		refs[i] = ref
	}
	var overlays []*engine.Overlay
	if len(names) > 0 {
		var err error
		if overlays, err = c.applying(ctx, doc, refs, names); err != nil {
			return nil, err
		}
	}
	key := strings.Join(refs, " ")
	for _, o := range overlays {
		key += " " + o.Name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.validators[key]; v != nil {
		return v, nil
	}
	v, err := c.library.OverlaidValidator(overlays, refs...)
	if err != nil {
		return nil, err
	}
	c.coverage.Observe(v)
	c.validators[key] = v
	return v, nil
}

// ruleset is the coverage of the rules that are written in a version. Rules that it
// inherits are reported for the version that they are written in.
func (c *coverer) ruleset(s *engine.Ruleset) (rules []RuleCoverage) {
	type tried struct{ fires, passes int }
	examples := map[string]tried{}
	read := func(data []byte) (*model.Document, error) { return formats.Read(data, hybrid.Options()) }
	for _, r := range slices.Concat(ruletest.Examples(c.library, s.Rules, read), ruletest.Rows(c.library, s, read)) {
		if !r.OK() {
			continue
		}
		t := examples[r.Rule]
		if r.Fires {
			t.fires++
		} else {
			t.passes++
		}
		examples[r.Rule] = t
	}
	name := s.Name + "/" + s.Version
	for _, r := range s.Rules {
		if !strings.HasPrefix(r.File(), name+"/") && r.File() != name+".yaml" {
			continue
		}
		t := examples[r.ID]
		one := RuleCoverage{
			Ruleset: name, Rule: r.ID, Seen: c.coverage.Of(r), FiresInExample: t.fires, PassesInExample: t.passes,
			Row: r.Row != nil, NeverFires: r.NeverFires,
		}
		one.Fault, one.Excuse = one.fault(), s.WithoutExamples
		rules = append(rules, one)
	}
	return rules
}

func (c *RuleCoverage) fault() string {
	switch fired := c.Fired + c.FiresInExample; {
	case c.NeverFires == "" && fired == 0:
		return "never fired, in no suite and no example"
	case c.NeverFires != "" && fired > 0:
		return "fired, but says that it never does"
	case c.NeverFires == "" && c.Passed+c.PassesInExample == 0:
		return "never passed, in no suite and no example"
	}
	return ""
}
