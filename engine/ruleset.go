package engine

import "slices"

// A Ruleset is one version of a family of rules: a folder <family>/<version>.
type Ruleset struct {
	Name    string
	Version string
	Layer   Layer
	Rules   []*Rule // in file and document order, inherited ones first
	SHA256  string
	Extends string // "family/version" that this version states its difference from

	sources   map[string]*Source // by family: of the own one, and of those that rules are taken over from
	without   []string
	only      []string
	constants map[string]string    // own ones and those of what it extends
	defined   map[string]LoadError // where the own ones are written, without a message
	byID      map[string]*Rule
}

// LeavesOut reports whether the ruleset takes over others of another one without this.
func (s *Ruleset) LeavesOut(id string) bool {
	return slices.Contains(s.without, id) || len(s.only) > 0 && !slices.Contains(s.only, id)
}

// Rule finds a rule by its id.
func (s *Ruleset) Rule(id string) (*Rule, bool) {
	r, ok := s.byID[id]
	return r, ok
}
