package engine

import (
	"einvoice/engine/lookup"
	"fmt"
	"strings"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A Parameter is a value that rules hold as ${name}, as a constant, and that an overlay
// may set.
type Parameter struct {
	Name    string
	Type    string // one of parameterTypes
	Default string
	Text    string // what it is for

	at   *yaml.Node
	file string
}

// parameterTypes say whether a text is a value of a type.
var parameterTypes = map[string]func(text string) bool{
	"text":    func(text string) bool { return !strings.ContainsAny(text, "'\"`\\\n\r{}$") },
	"decimal": func(text string) bool { return model.NewNumber(text).Valid },
	"integer": func(text string) bool {
		n := model.NewNumber(text)
		return n.Valid && !strings.ContainsAny(text, ".eE")
	},
	"date": func(text string) bool { _, err := ParseDay(text); return err == nil },
}

const parameterTypeNames = "text, decimal, integer, date"

// Accepts says what is wrong with a value of the parameter.
func (p *Parameter) Accepts(value string) error {
	is := parameterTypes[p.Type]
	switch {
	case is(value):
		return nil
	case p.Type == "text":
		return fmt.Errorf("%q is not a value of the parameter %s: quotation marks, backslashes, braces and $ are not allowed in it", value, p.Name)
	}
	return fmt.Errorf("%q is not a value of the parameter %s, which is of type %s: write it as %s", value, p.Name, p.Type, lookup.Forms[lookup.Kind(p.Type)])
}

// readParameters reads the parameters that a version declares.
func (f *ruleFile) readParameters(n *yaml.Node) {
	f.mapping(n, "parameters", func(name string, value *yaml.Node) bool {
		p := &Parameter{Name: name, at: value, file: f.name}
		given := false
		known := f.mapping(value, "a parameter", func(key string, value *yaml.Node) bool {
			switch key {
			case "type":
				if p.Type = f.scalar(value); parameterTypes[p.Type] == nil {
					f.fail(value, "unknown type %q: use one of %s", p.Type, parameterTypeNames)
				}
			case "default":
				given, p.Default = true, f.scalar(value)
			case "text":
				p.Text = f.scalar(value)
			default:
				return false
			}
			return true
		})
		switch {
		case value.Kind != yaml.MappingNode:
			return true
		case !known: // what lacks may be there under another name
		case p.Type == "" || !given || p.Text == "":
			f.fail(value, "the parameter %s needs type, default and text", name)
		case parameterTypes[p.Type] != nil:
			if err := p.Accepts(p.Default); err != nil {
				f.fail(value, "the default: %v", err)
			}
		}
		f.parameters = append(f.parameters, p)
		return f.constantName(name, value)
	})
}

// ownParameters gathers the parameters that the files of a ruleset declare. Rules find
// their values among the constants.
func (s *Ruleset) ownParameters(files []*ruleFile) (failures LoadErrors) {
	for _, f := range files {
		for _, p := range f.parameters {
			at := LoadError{File: f.name, Line: p.at.Line, Column: p.at.Column}
			if _, twice := s.constants[p.Name]; twice {
				at.Message = fmt.Sprintf("%s is a constant or parameter already: give the parameter another name", p.Name)
				failures = append(failures, at)
				continue
			}
			s.constants[p.Name], s.Defined[p.Name] = p.Default, at
			s.Parameters = append(s.Parameters, p)
		}
	}
	return failures
}

// takeParameters adds those of the base, which this version must not declare again.
func (s *Ruleset) takeParameters(base *Ruleset) (failures LoadErrors) {
	for _, p := range base.Parameters {
		if at, again := s.Defined[p.Name]; again {
			at.Message = fmt.Sprintf("%s is a parameter of %s: an overlay sets it, and it is declared once", p.Name, s.Extends)
			failures = append(failures, at)
			continue
		}
		s.Parameters = append(s.Parameters, p)
	}
	return failures
}

// Parameter finds a parameter by its name.
func (s *Ruleset) Parameter(name string) *Parameter {
	for _, p := range s.Parameters {
		if p.Name == name {
			return p
		}
	}
	return nil
}
