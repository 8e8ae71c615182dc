package engine

// A Ruleset is one version of a family of rules: a folder <family>/<version>.
type Ruleset struct {
	Name    string
	Version string
	Layer   Layer
	Rules   []*Rule // in file and document order, inherited ones first
	SHA256  string
	Extends string // "family/version" that this version states its difference from

	without   []string
	only      []string
	constants map[string]string    // own ones and those of what it extends
	defined   map[string]LoadError // where the own ones are written, without a message
	byID      map[string]*Rule
}

// Rule finds a rule by its id.
func (s *Ruleset) Rule(id string) (*Rule, bool) {
	r, ok := s.byID[id]
	return r, ok
}
