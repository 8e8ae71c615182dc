package authoring

import (
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/pattern"
)

// RunExamples runs the examples of the rules of a file that are written between two lines,
// from 1; those of all rules from the first line on for 0 as the last.
func (w *Workspace) RunExamples(name string, first, last int) ([]ruletest.Result, error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	version := w.rulesetOf(name)
	if version == "" {
		return nil, nil
	}
	s, err := library.Ruleset(version)
	if err != nil {
		return nil, err
	}
	var own []ruletest.Result
	for _, r := range ruletest.Examples(library, s.Rules, func(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }) {
		if r.File == name && r.Line >= first && (last == 0 || r.Line <= last) {
			own = append(own, r)
		}
	}
	return own, library.Ended()
}

// rulesetOf is the ruleset that has the rules of a file, which may be those that an overlay
// adds; "" for a file without rules.
func (w *Workspace) rulesetOf(name string) string {
	parts := strings.Split(name, "/")
	switch {
	case len(parts) == 3:
		return parts[0] + "/" + parts[1]
	case len(parts) == 2 && parts[0] == engine.FolderOfOverlays && len(w.Rules(name)) > 0:
		return strings.TrimSuffix(name, ".yaml")
	}
	return ""
}

// A Rule is where a rule of a file is written.
type Rule struct {
	ID          string
	First, Last int // lines
}

var startOfRule = pattern.Later(`^\s*- \{?id:\s*["']?([^,"'\s]+)`)

// Rules lists the rules that a file writes one by one, without those that it repeats.
func (w *Workspace) Rules(name string) []Rule {
	var rules []Rule
	lines := strings.Split(w.Text(name), "\n")
	for i, line := range lines {
		m := startOfRule().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if n := len(rules); n > 0 {
			rules[n-1].Last = i
		}
		rules = append(rules, Rule{ID: m[1], First: i + 1})
	}
	if n := len(rules); n > 0 {
		rules[n-1].Last = len(lines)
	}
	return rules
}
