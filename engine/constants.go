package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Constants are texts that rules share under a name, ${name}. A version that
// extends another may give them other values, and so write a new identifier or
// expression once instead of in every rule that uses it.

// cutPlaceholder finds the first ${name} of a text. Thousands of texts are looked through
// at start, which a regular expression would take milliseconds for.
func cutPlaceholder(text string) (before, name, after string, found bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], "${")
		if i < 0 {
			return text, "", "", false
		}
		from += i + len("${")
		length := strings.IndexByte(text[from:], '}')
		if length > 0 && isConstantName(text[from:from+length]) {
			return text[:from-len("${")], text[from : from+length], text[from+length+1:], true
		}
	}
}

func isConstantName(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != ""
}

// FillConstants replaces each ${name} that has a value.
func FillConstants(text string, value func(name string) (string, bool)) string {
	before, name, after, found := cutPlaceholder(text)
	if !found {
		return text
	}
	var filled strings.Builder
	for ; found; before, name, after, found = cutPlaceholder(after) {
		filled.WriteString(before)
		if v, ok := value(name); ok {
			filled.WriteString(v)
		} else {
			filled.WriteString("${" + name + "}")
		}
	}
	filled.WriteString(before)
	return filled.String()
}

// NamesIn are the constants that a node refers to.
func NamesIn(n *yaml.Node) []string {
	var names []string
	for rest := n.Value; ; {
		_, name, after, found := cutPlaceholder(rest)
		if !found {
			break
		}
		if rest = after; !isFilledLater(n, name) {
			names = append(names, name)
		}
	}
	for _, c := range n.Content {
		names = append(names, NamesIn(c)...)
	}
	return names
}

// placeholderIn is the value in a node that refers to a constant.
func placeholderIn(n *yaml.Node, name string) *yaml.Node {
	for _, c := range n.Content {
		if slices.Contains(NamesIn(c), name) {
			return placeholderIn(c, name)
		}
	}
	return n
}

// readConstants reads the names and values of a file.
func (f *ruleFile) readConstants(n *yaml.Node) {
	f.constants = map[string]Located[string]{}
	f.mapping(n, "constants", func(name string, value *yaml.Node) bool {
		f.constants[name] = located(f.scalar(value), value)
		return f.constantName(name, value)
	})
}

// constantName reports a name that no ${name} can have.
func (f *ruleFile) constantName(name string, value *yaml.Node) bool {
	if !isConstantName(name) {
		f.fail(value, "%q is not a name of a constant or parameter: it begins with a letter and has letters and digits", name)
	}
	return true
}

// own gathers the constants that the files of a ruleset define.
func (s *Ruleset) own(files []*ruleFile) (failures LoadErrors) {
	s.constants, s.Defined = map[string]string{}, map[string]LoadError{}
	for _, f := range files {
		for name, value := range f.constants {
			at := LoadError{File: f.name, Line: value.Node.Line, Column: value.Node.Column}
			if _, twice := s.constants[name]; twice {
				at.Message = fmt.Sprintf("constant %s is defined in two files", name)
				failures = append(failures, at)
				continue
			}
			s.constants[name], s.Defined[name] = value.Value, at
		}
	}
	return failures
}

// resolve replaces ${name} in a rule by the constants and reads the rule.
func (s *Ruleset) resolve(r *Rule) (*Rule, LoadErrors) {
	if s.growth.over {
		return nil, nil // told already
	}
	f := &ruleFile{name: r.file, layer: r.Layer}
	names := NamesIn(r.Template)
	for _, name := range names {
		if _, ok := s.constants[name]; !ok {
			f.fail(placeholderIn(r.Template, name), "nothing gives ${%s} a value: name it under constants or in the rows of the repeat%s", name, Suggest(name, slices.Sorted(maps.Keys(s.constants))))
			return nil, f.errors
		}
	}
	node := fill(r.Template, s.constants, &s.growth)
	if s.growth.over {
		return nil, LoadErrors{s.growth.mistake(r.file, r.Template)}
	}
	filled := f.readRule(node)
	if filled == nil {
		return nil, f.errors
	}
	filled.Layer, filled.Template, filled.Constants = r.Layer, r.Template, s.constants
	return filled, nil
}

// resolveAll resolves the rules that use constants.
func (s *Ruleset) resolveAll(rules []*Rule, failures LoadErrors) ([]*Rule, LoadErrors) {
	out := rules[:0]
	for _, r := range rules {
		if r.Template != nil {
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
	if r.Template == nil || !slices.ContainsFunc(NamesIn(r.Template), func(name string) bool { return s.constants[name] != base.constants[name] }) {
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
	at, found := s.Defined[name]
	return at.File, at.Line, found
}
