package engine

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"
)

// Constants are texts that rules share under a name, ${name}. A version that
// extends another may give them other values, and so write a new identifier or
// expression once instead of in every rule that uses it.

var placeholder = regexp.MustCompile(`\$\{([A-Za-z][A-Za-z0-9]*)\}`)

// namesIn are the constants that a node refers to.
func namesIn(n *yaml.Node) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(n.Value, -1) {
		names = append(names, m[1])
	}
	for _, c := range n.Content {
		names = append(names, namesIn(c)...)
	}
	return names
}

// readConstants reads the names and values of a file.
func (f *ruleFile) readConstants(n *yaml.Node) {
	f.constants = map[string]Located[string]{}
	f.mapping(n, "constants", func(name string, value *yaml.Node) bool {
		f.constants[name] = located(f.scalar(value), value)
		return placeholder.MatchString("${" + name + "}")
	})
}

// own gathers the constants that the files of a ruleset define.
func (s *Ruleset) own(files []*ruleFile) (failures LoadErrors) {
	s.constants, s.defined = map[string]string{}, map[string]LoadError{}
	for _, f := range files {
		for name, value := range f.constants {
			at := LoadError{File: f.name, Line: value.node.Line, Column: value.node.Column}
			if _, twice := s.constants[name]; twice {
				at.Message = fmt.Sprintf("constant %s is defined in two files", name)
				failures = append(failures, at)
				continue
			}
			s.constants[name], s.defined[name] = value.Value, at
		}
	}
	return failures
}

// resolve replaces ${name} in a rule by the constants and reads the rule.
func (s *Ruleset) resolve(r *Rule) (*Rule, LoadErrors) {
	f := &ruleFile{name: r.file, layer: r.Layer}
	names := namesIn(r.template)
	for _, name := range names {
		if _, ok := s.constants[name]; !ok {
			f.fail(r.template, "nothing gives ${%s} a value: name it under constants or in the rows of the repeat", name)
			return nil, f.errors
		}
	}
	filled := f.readRule(fill(r.template, s.constants))
	if filled == nil {
		return nil, f.errors
	}
	filled.Layer, filled.template, filled.constants = r.Layer, r.template, s.constants
	return filled, nil
}

// resolveAll resolves the rules that use constants.
func (s *Ruleset) resolveAll(rules []*Rule, failures LoadErrors) ([]*Rule, LoadErrors) {
	out := rules[:0]
	for _, r := range rules {
		if r.template != nil {
			filled, failed := s.resolve(r)
			failures = append(failures, failed...)
			r = filled
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return out, failures
}

// inherited is a rule of the base as this version has it: the same, unless it
// uses a constant that has another value in this version.
func (s *Ruleset) inherited(r *Rule, base *Ruleset) (*Rule, LoadErrors) {
	if r.template == nil || !slices.ContainsFunc(namesIn(r.template), func(name string) bool { return s.constants[name] != base.constants[name] }) {
		return r, nil
	}
	filled, failed := s.resolve(r)
	if filled == nil {
		return r, failed
	}
	return filled, nil
}

// takeConstants adds the constants that only the base defines.
func (s *Ruleset) takeConstants(base *Ruleset) {
	own := s.constants
	s.constants = maps.Clone(base.constants)
	maps.Copy(s.constants, own)
}

// Constant is where a constant that the ruleset itself defines is written.
func (s *Ruleset) Constant(name string) (file string, line int, found bool) {
	at, found := s.defined[name]
	return at.File, at.Line, found
}
