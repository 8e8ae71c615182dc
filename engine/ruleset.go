package engine

import (
	"slices"

	"einvoice/model"
)

// A Ruleset is one version of a family of rules: a folder <family>/<version>.
type Ruleset struct {
	Name    string
	Version string
	Layer   Layer
	Rules   []*Rule // in file and document order, inherited ones first
	SHA256  string
	Extends string // "family/version" that this version states its difference from
	// Effective is when the version is in force.
	Effective Period
	// Parameters are those that an overlay may set, also those of what it extends.
	Parameters []*Parameter

	// Languages are those that its messages are in beside English, where that is not all that
	// the library has: rules of a country are in the languages of the country.
	Languages []string
	// WithoutExamples says why rules may lack examples; "" where each has them.
	WithoutExamples string

	withoutIn map[string][]model.Syntax // rules that are not taken over in some syntaxes
	sources   map[string]*Source        // by family: of the own one, and of those that rules are taken over from
	without   []string
	only      []string
	levels    []LevelChange        // of rules that it takes over
	constants map[string]string    // own ones and those of what it extends
	Defined   map[string]LoadError // where the own ones are written, without a message
	ByID      map[string]*Rule
	growth    growth // of the constants in its rules
}

// LeavesOut reports whether the ruleset takes over others of another one without this.
func (s *Ruleset) LeavesOut(id string) bool {
	return slices.Contains(s.without, id) || len(s.only) > 0 && !slices.Contains(s.only, id)
}

// Rule finds a rule by its id.
func (s *Ruleset) Rule(id string) (*Rule, bool) {
	r, ok := s.ByID[id]
	return r, ok
}

// Info describes the version.
func (s *Ruleset) Info() RulesetInfo {
	info := RulesetInfo{Name: s.Name, Version: s.Version, SHA256: s.SHA256, Rules: len(s.Rules)}
	if s.Effective != (Period{}) {
		info.Effective = &s.Effective
	}
	if source := s.sources[s.Name]; source != nil {
		info.Artefact, info.ArtefactVersion = source.Artefact, source.Version
		info.Newer, info.NewerSince = source.Newer, source.NewerSince
	}
	return info
}

// At is the version with the rules that are in force on a day.
func (s *Ruleset) At(day Day) *Ruleset {
	at := *s
	at.Rules, at.ByID = nil, map[string]*Rule{}
	for _, r := range s.Rules {
		if r.Effective.Has(day) {
			at.Rules = append(at.Rules, r)
			at.ByID[r.ID] = r
		}
	}
	return &at
}
