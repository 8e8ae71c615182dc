package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Check reads every ruleset, compiles every rule, expression and message for every
// syntax, and reads the findings that the program makes. It returns all mistakes
// together as LoadErrors. With strict, each rule must also have an example that
// fires and one that passes.
func (l *Library) Check(strict bool) error {
	families, err := l.Versions()
	if err != nil {
		return err
	}
	var failures LoadErrors
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, version := range families[family] {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				failures = append(failures, mistakesIn(family+"/"+version, err)...)
				continue
			}
			failures = append(failures, l.checkRuleset(s, strict)...)
		}
	}
	if _, err := l.Notices(); err != nil {
		failures = append(failures, mistakesIn("findings", err)...)
	}
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures).errOrNil()
}

// mistakesIn are the mistakes that kept a folder from loading.
func mistakesIn(folder string, err error) LoadErrors {
	if inFiles, ok := errors.AsType[LoadErrors](err); ok {
		return inFiles
	}
	return LoadErrors{{File: folder, Message: err.Error()}}
}

func compareErrors(a, b LoadError) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func (l *Library) checkRuleset(s *Ruleset, strict bool) (failures LoadErrors) {
	for _, r := range s.Rules {
		failures = append(failures, l.checkRule(r, strict)...)
	}
	return failures
}

func (l *Library) checkRule(r *Rule, strict bool) (failures LoadErrors) {
	for _, code := range r.BTCodes.Value {
		if _, known := TermName(code); !known {
			failures = append(failures, r.BTCodes.mistake(r.file, fmt.Errorf("%s is no term of EN 16931 or the XRechnung extension", code)))
		}
	}
	if r.Row != nil {
		if err := r.Row.check(); err != nil {
			return LoadErrors{errorAt(r.file, r.node, err)}
		}
		return nil
	}
	applies := false
	for _, syntax := range syntaxes {
		form, ok := r.Form(syntax)
		if !ok || syntax == "" && form.Context.Value == "" {
			continue
		}
		applies = true
		failures = append(failures, l.checkForm(form)...)
	}
	if !applies {
		failures = append(failures, errorAt(r.file, r.node, fmt.Errorf("rule %s applies to no syntax", r.ID)))
	}
	if strict {
		failures = append(failures, r.checkExamples()...)
	}
	return failures
}

func (w *Row) check() error {
	if _, err := w.selecting(contextParser()); err != nil {
		return err
	}
	if w.Kind != RowCode {
		return nil
	}
	_, err := w.known()
	return err
}

// checkExamples reports a rule without an example that fires, or one that passes.
func (r *Rule) checkExamples() (failures LoadErrors) {
	for _, fires := range []bool{true, false} {
		if fires && r.NeverFires != "" {
			continue
		}
		if !slices.ContainsFunc(r.Examples, func(e Example) bool { return e.Fires == fires }) {
			failures = append(failures, errorAt(r.file, r.node, fmt.Errorf("rule %s has no example that %s", r.ID, map[bool]string{true: "fires", false: "passes"}[fires])))
		}
	}
	return failures
}

func (l *Library) checkForm(form Form) (failures LoadErrors) {
	file := form.rule.file
	g, err := newRuleGroup(form.Context.Value)
	if err != nil {
		return LoadErrors{form.Context.mistake(file, err)}
	}
	if err := g.add(l.env, form, 0); err != nil {
		failures = append(failures, form.Fields.mistake(file, err))
	}
	for _, this := range g.types() {
		if _, err := l.env.Condition(form.Assert.Value, this); err != nil {
			failures = append(failures, form.Assert.mistake(file, err))
			continue
		}
		if m := compileMessage(l.env, form.Message.Value, this); m.err != nil {
			failures = append(failures, form.Message.mistake(file, m.err))
		}
	}
	return failures
}
