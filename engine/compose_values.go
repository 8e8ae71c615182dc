package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CheckValues reports values of parameters with which a rule does not load any more, alone
// or with those that other overlays give, at the places of the values.
func (l *Library) CheckValues(o *Overlay) (failures LoadErrors) {
	if len(o.Parameters) == 0 {
		return nil
	}
	for _, s := range l.versionsOf(l.Reached(o)) {
		for _, r := range s.Rules {
			failures = append(failures, l.checkValuesIn(o, s, r)...)
		}
	}
	return failures
}

// mostValues bounds how many combinations of values a rule is tried with.
const mostValues = 256

// checkValuesIn tries a rule with the values of the parameters in it: those of the overlay,
// and each that another overlay may give beside them.
func (l *Library) checkValuesIn(o *Overlay, s *Ruleset, r *Rule) (failures LoadErrors) {
	if r.Template == nil {
		return nil
	}
	names := NamesIn(r.Template)
	var own []string
	sets := []map[string]string{{}}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if s.Parameter(name) == nil {
			continue
		}
		values := []string{s.constants[name]}
		if value, has := o.Parameters[name]; has {
			own, values = append(own, name), []string{value.Value}
		} else {
			values = append(values, l.valuesOf(name)...)
		}
		sets = combined(sets, name, values)
	}
	if own == nil {
		return nil
	}
	at := o.Parameters[own[0]]
	for _, values := range sets {
		with := *s
		with.constants = maps.Clone(s.constants)
		maps.Copy(with.constants, values)
		filled, mistakes := with.resolve(r)
		if len(mistakes) == 0 {
			for _, form := range filled.Forms() {
				mistakes = append(mistakes, CheckForm(l.EnvironmentOf(nil), form)...)
			}
		}
		if len(mistakes) > 0 {
			return LoadErrors{at.Mistake(o.File, fmt.Errorf("with %s, rule %s (%s:%d) does not load: %s", saidValues(values), r.ID, r.file, r.Node.Line, mistakes[0].Message))}
		}
	}
	return nil
}

// combined are sets of values with each value of another parameter, while there is room.
func combined(sets []map[string]string, name string, values []string) (out []map[string]string) {
	for _, set := range sets {
		for i, value := range values {
			if i > 0 && len(out) >= mostValues {
				break
			}
			with := maps.Clone(set)
			with[name] = value
			out = append(out, with)
		}
	}
	return out
}

func saidValues(values map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, name+" "+values[name])
	}
	return strings.Join(parts, ", ")
}

// valuesOf are the values that overlays of the library give to parameters of a name.
func (l *Library) valuesOf(name string) (values []string) {
	names, err := l.OverlayNames()
	if err != nil {
		return nil
	}
	for _, overlay := range names {
		if o, err := l.Overlay(overlay); err == nil {
			if value, has := o.Parameters[name]; has && !slices.Contains(values, value.Value) {
				values = append(values, value.Value)
			}
		}
	}
	return values
}
