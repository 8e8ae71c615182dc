package engine

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"einvoice/engine/words"

	"gopkg.in/yaml.v3"
)

// A Source says who publishes the rules of a ruleset, and where their own words can be
// read. What findings say is in our words.
type Source struct {
	Artefact string `json:"artefact"`      // what is published, and by whom
	Version  string `json:"version"`       // of the artefact
	URL      string `json:"url,omitempty"` // where to read it
	// Newer is a version that has come after Version and that the rules are not of, and
	// NewerSince the day from which it is in force; "" for none that is known.
	Newer      string `json:"newer,omitempty"`
	NewerSince Day    `json:"newerSince,omitempty"`
	// Clause is the part of the standard or specification that has the rule; "" where the
	// ruleset does not say.
	Clause string `json:"clause,omitempty"`

	clauses []clauseOf // the longest ids first
}

// A clauseOf is the source of the rules of one clause.
type clauseOf struct {
	rules  string // an id; one that ends in * is the beginning of ids
	source *Source
}

// of is the source of a rule, with its clause.
func (s *Source) of(rule string) *Source {
	if s == nil {
		return nil
	}
	for _, c := range s.clauses {
		if Covers(c.rules, rule) {
			return c.source
		}
	}
	return s
}

// readSource reads the key source of a rule file.
func (f *ruleFile) readSource(n *yaml.Node) {
	s := &Source{}
	clauses := map[string]Located[string]{}
	f.mapping(n, "source", func(key string, value *yaml.Node) bool {
		switch key {
		case "artefact":
			s.Artefact = f.scalar(value)
		case "version":
			s.Version = f.scalar(value)
		case "url":
			s.URL = f.scalar(value)
		case "newer":
			s.Newer = f.scalar(value)
		case "newerSince":
			var err error
			if s.NewerSince, err = ParseDay(f.scalar(value)); err != nil {
				f.fail(value, "newerSince: %v", err)
			}
		case "clauses":
			clauses = f.values(value, "clauses")
		default:
			return false
		}
		return true
	})
	if n.Kind == yaml.MappingNode && (s.Artefact == "" || s.Version == "") {
		f.fail(n, "a source needs artefact and version")
	}
	if (s.Newer == "") != (s.NewerSince == "") {
		f.fail(n, "a source has newer and newerSince together: which version is newer, and since when")
	}
	for _, rules := range slices.Sorted(maps.Keys(clauses)) {
		s.addClause(rules, clauses[rules].Value)
	}
	f.source = s
}

// In is the source with its clause in a language; nil is English. Names of artefacts are as
// they are published.
func (s *Source) In(language *words.Language) *Source {
	if s == nil || s.Clause == "" || language == nil {
		return s
	}
	said := *s
	said.Clause = language.Say(s.Clause)
	return &said
}

// SourceOf is where the words of the publisher of a rule of the ruleset can be read; nil
// where the ruleset does not say. A rule that was taken over from an earlier version is of
// this version's source, one of another family of that family's.
func (s *Ruleset) SourceOf(r *Rule) *Source {
	family, _, _ := strings.Cut(path.Dir(r.file), "/")
	if source := s.sources[family]; source != nil {
		return source.of(r.ID)
	}
	return s.sources[s.Name].of(r.ID)
}

// takeSources adds the sources that only the base knows, and its clauses to those of the
// same family: a version says where its artefact is, and rules that it takes over stay in
// their part of the standard.
func (s *Ruleset) takeSources(base *Ruleset) {
	for family, source := range base.sources {
		if own := s.sources[family]; own != nil {
			source = own.withClauses(source.clauses)
		}
		s.sources[family] = source
	}
}

// withClauses is the source with clauses of another one, where it says nothing of their
// rules itself.
func (s *Source) withClauses(clauses []clauseOf) *Source {
	with := *s
	with.clauses = slices.Clone(s.clauses)
	for _, c := range clauses {
		if !slices.ContainsFunc(s.clauses, func(own clauseOf) bool { return own.rules == c.rules }) {
			with.addClause(c.rules, c.source.Clause)
		}
	}
	return &with
}

// addClause says of rules in which clause they are.
func (s *Source) addClause(rules, clause string) {
	of := *s
	of.Clause, of.clauses = clause, nil
	s.clauses = append(s.clauses, clauseOf{rules, &of})
	slices.SortStableFunc(s.clauses, func(a, b clauseOf) int { return cmp.Compare(len(b.rules), len(a.rules)) })
}

// sourcesOf are the sources of rules by their ids, of the first ruleset that has one. The newer
// version of a ruleset's own artefact stands in its Info, once in a report, and not in these.
func sourcesOf(rulesets []*Ruleset) map[string]*Source {
	all := map[string]*Source{}
	shared := map[*Source]*Source{}
	for _, s := range rulesets {
		info := s.Info()
		for _, r := range s.Rules {
			source := s.SourceOf(r)
			if source != nil && source.Artefact == info.Artefact && source.Newer == info.Newer {
				source = source.withoutNewer(shared)
			}
			if all[r.ID] == nil {
				all[r.ID] = source
			}
		}
	}
	return all
}

// withoutNewer is the source without its newer version, one of all rules that have it.
func (s *Source) withoutNewer(shared map[*Source]*Source) *Source {
	if s.Newer == "" {
		return s
	}
	if shared[s] == nil {
		without := *s
		without.Newer, without.NewerSince = "", ""
		shared[s] = &without
	}
	return shared[s]
}
