package ruletest

import (
	"sync"

	"einvoice/engine"
)

// A Coverage counts what each rule did over many documents, to show that every
// rule is exercised. The zero Coverage is ready to use, by any number of
// validators and goroutines at a time.
type Coverage struct {
	mu    sync.Mutex
	rules map[written]*Seen
}

// written is where a rule is written: overlays run it in a form of their own.
type written struct{ file, id string }

func writtenOf(r *engine.Rule) written { return written{r.File(), r.ID} }

// Seen is what one rule did, counted in documents.
type Seen struct {
	Ran    int `json:"ran"`    // the rule was looked at
	Fired  int `json:"fired"`  // it was violated
	Passed int `json:"passed"` // it found its context and all of it was right
}

// Of tells what a rule did. A version that inherits a rule shares it, and its
// count, with the version that wrote it.
func (c *Coverage) Of(r *engine.Rule) Seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.rules[writtenOf(r)]; s != nil {
		return *s
	}
	return Seen{}
}

// Observe counts what the validator's rules do from now on. It is to be called
// before the validator is shared.
func (c *Coverage) Observe(v *engine.Validator) { v.Observe(c.add) }

// add counts one document. A row that is not violated has passed: nothing in the
// document is what it forbids.
func (c *Coverage) add(rules []*engine.Rule, decided map[*engine.Rule]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rules == nil {
		c.rules = map[written]*Seen{}
	}
	for _, r := range rules {
		s := c.rules[writtenOf(r)]
		if s == nil {
			s = &Seen{}
			c.rules[writtenOf(r)] = s
		}
		s.Ran++
		switch holds, known := decided[r]; {
		case known && !holds:
			s.Fired++
		case known || r.Row != nil:
			s.Passed++
		}
	}
}
