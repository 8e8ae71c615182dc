package engine

import (
	"slices"
	"sync"
)

// A Coverage counts what each rule did over many documents, for whoever must
// know that every rule is exercised. The zero Coverage is ready to use, by any
// number of validators and goroutines at a time.
type Coverage struct {
	mu    sync.Mutex
	rules map[*Rule]*Seen
}

// Seen is what one rule did, counted in documents.
type Seen struct {
	Ran    int `json:"ran"`    // the rule was looked at
	Fired  int `json:"fired"`  // it was violated
	Passed int `json:"passed"` // it found its context and was content with all of it
}

// Of tells what a rule did. A version that inherits a rule shares it, and its
// count, with the version that wrote it.
func (c *Coverage) Of(r *Rule) Seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.rules[r]; s != nil {
		return *s
	}
	return Seen{}
}

// Observe counts in c what the validator's rules do from now on. It is to be
// called before the validator is shared.
func (v *Validator) Observe(c *Coverage) { v.coverage = c }

// decisions are what the rules with an assertion, and the violated rows, decided
// in one document: false once violated.
type decisions map[*Rule]bool

func (d decisions) add(r *Rule, holds bool) {
	before, known := d[r]
	d[r] = holds && (before || !known)
}

// add counts one document. A row has no decision of its own unless it fires:
// what it forbids is simply not met.
func (c *Coverage) add(p *plan, d decisions) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rules == nil {
		c.rules = map[*Rule]*Seen{}
	}
	for _, r := range p.rules {
		s := c.rules[r]
		if s == nil {
			s = &Seen{}
			c.rules[r] = s
		}
		s.Ran++
		switch holds, decided := d[r]; {
		case decided && !holds:
			s.Fired++
		case decided || r.row != nil:
			s.Passed++
		}
	}
}

// IsRow reports whether the rule is a row of a table.
func (r *Rule) IsRow() bool { return r.row != nil }

// Rows tries every row of a ruleset's tables on the smallest document that
// violates it and the smallest that does not, as Examples does with the examples
// of the other rules.
func (l *Library) Rows(s *Ruleset, read ReadDocument) []ExampleResult {
	own := &Ruleset{Name: s.Name, Version: s.Version, Rules: slices.DeleteFunc(slices.Clone(s.Rules), func(r *Rule) bool { return r.row == nil })}
	v := newValidator(l, []*Ruleset{own})
	var results []ExampleResult
	for _, r := range own.Rules {
		if r.NeverFires != "" {
			continue
		}
		for _, fires := range []bool{true, false} {
			result := ExampleResult{Rule: r.ID, File: r.file, Line: r.node.Line, Fires: fires}
			if err := r.row.try(v, read, fires); err != nil {
				result.Error = err.Error()
			}
			results = append(results, result)
		}
	}
	return results
}
