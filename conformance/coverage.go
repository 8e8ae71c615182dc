package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
)

// A CoverageReport says of every rule whether anything shows that it works.
type CoverageReport struct {
	// Documents counts the documents that could be read.
	Documents int            `json:"documents"`
	Rules     []RuleCoverage `json:"rules"`
}

// A RuleCoverage is one rule of one ruleset version.
type RuleCoverage struct {
	Ruleset string `json:"ruleset"` // family/version that writes the rule
	Rule    string `json:"rule"`
	ruletest.Seen
	// FiresInExample and PassesInExample count the examples, for a row of a table
	// the smallest documents, that came out as they say.
	FiresInExample  int    `json:"firesInExample"`
	PassesInExample int    `json:"passesInExample"`
	Row             bool   `json:"row"`
	NeverFires      string `json:"neverFires,omitempty"`
	// Fault is what is wrong with the rule's coverage, empty if nothing is.
	Fault string `json:"fault,omitempty"`
}

// OK reports whether every rule is covered.
func (r *CoverageReport) OK() bool { return len(r.faults()) == 0 }

func (r *CoverageReport) faults() []RuleCoverage {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(c RuleCoverage) bool { return c.Fault == "" })
}

// Cover runs the rules of some families, of all if none is named, over every
// document of the suites, each family in the version that the document asks for,
// and their examples.
func Cover(ctx context.Context, library *engine.Library, suites []*Suite, families ...string) (*CoverageReport, error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	if len(families) == 0 {
		families = slices.Sorted(maps.Keys(versions))
	}
	for _, family := range families {
		if versions[family] == nil {
			return nil, fmt.Errorf("there is no family of rules %q; there are %s", family, strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
		}
	}
	c := coverer{library: library, families: families, validators: map[string]*engine.Validator{}}
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
		return nil, ErrNothingCompared
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
	return report, nil
}

type coverer struct {
	library  *engine.Library
	families []string
	coverage ruletest.Coverage

	mu         sync.Mutex
	validators map[string]*engine.Validator
	documents  int
	err        error
}

func (c *coverer) document(ctx context.Context, one *Case) {
	data, err := one.Data()
	if err != nil {
		return // a run of the comparison reports it
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		return // no invoice
	}
	v, err := c.validator(doc)
	if err == nil {
		_, err = v.Validate(ctx, doc)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.documents++
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("%s: %w", one.Name, err)
	}
}

// validator observes the versions that a document asks for.
func (c *coverer) validator(doc *model.Document) (*engine.Validator, error) {
	refs := make([]string, len(c.families))
	for i, family := range c.families {
		ref, err := c.library.VersionFor(family, doc.Invoice)
		if err != nil {
			return nil, err
		}
		refs[i] = ref
	}
	key := strings.Join(refs, " ")
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.validators[key]; v != nil {
		return v, nil
	}
	v, err := c.library.Validator(refs...)
	if err != nil {
		return nil, err
	}
	c.coverage.Observe(v)
	c.validators[key] = v
	return v, nil
}

// ruleset gives the coverage of the rules that a version writes itself; those it
// inherits are told where they are written.
func (c *coverer) ruleset(s *engine.Ruleset) (rules []RuleCoverage) {
	type tried struct{ fires, passes int }
	examples := map[string]tried{}
	read := func(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }
	for _, r := range slices.Concat(ruletest.Examples(c.library, s, read), ruletest.Rows(c.library, s, read)) {
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
		if !strings.HasPrefix(r.File(), name+"/") {
			continue
		}
		t := examples[r.ID]
		one := RuleCoverage{
			Ruleset: name, Rule: r.ID, Seen: c.coverage.Of(r), FiresInExample: t.fires, PassesInExample: t.passes,
			Row: r.Row != nil, NeverFires: r.NeverFires,
		}
		one.Fault = one.fault()
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

// WriteText writes each ruleset in figures and the rules with faults, or all
// rules.
func (r *CoverageReport) WriteText(w io.Writer, allRules bool) error {
	out := bufio.NewWriter(w)
	var names []string
	for i := range r.Rules {
		if name := r.Rules[i].Ruleset; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		r.writeRuleset(out, name)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "\nRULE\tRULESET\tRAN\tFIRED\tPASSED\tEXAMPLES THAT FIRE\tAND PASS\t\n"
	for _, c := range r.Rules {
		if !allRules && c.Fault == "" {
			continue
		}
		fmt.Fprintf(table, "%s%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\n", head, c.Rule, c.Ruleset, c.Ran, c.Fired, c.Passed, c.FiresInExample, c.PassesInExample, c.Fault)
		head = ""
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d rules over %d documents: %d without sufficient cover\n", len(r.Rules), r.Documents, len(r.faults()))
	return out.Flush()
}

func (r *CoverageReport) writeRuleset(out io.Writer, name string) {
	var rules, inSuite, inExample, smallest, never int
	for _, c := range r.Rules {
		if c.Ruleset != name {
			continue
		}
		rules++
		switch {
		case c.NeverFires != "":
			never++
		case c.Fired > 0:
			inSuite++
		case c.FiresInExample > 0 && c.Row:
			smallest++
		case c.FiresInExample > 0:
			inExample++
		}
	}
	fmt.Fprintf(out, "%s: %d rules; fired in a suite %d, only in an example %d, only on a row's smallest document %d; known never to fire %d\n",
		name, rules, inSuite, inExample, smallest, never)
}

// WriteJSON writes the whole report.
func (r *CoverageReport) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		OK bool `json:"ok"`
		*CoverageReport
	}{r.OK(), r})
}
