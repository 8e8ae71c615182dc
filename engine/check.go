package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Check reads every ruleset, compiles every rule, expression and message for every
// syntax, and reads the findings that the program makes and the languages of both. It returns all mistakes
// together as LoadErrors. With strict, each rule must also have an example that
// fires and one that passes.
func (l *Library) Check(strict bool) error {
	if failures := l.checkFolder(); len(failures) > 0 {
		return failures // much else would only follow from these
	}
	families, err := l.Versions()
	if err != nil {
		return err
	}
	var failures LoadErrors
	var sets []*Ruleset
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, version := range families[family] {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				failures = append(failures, mistakesIn(family+"/"+version, err)...)
				continue
			}
			sets = append(sets, s)
			failures = append(failures, l.checkRuleset(s, strict)...)
		}
	}
	if err := l.checkProfiles(); err != nil {
		failures = append(failures, mistakesIn("profiles", err)...)
	}
	failures = append(failures, l.checkCodeLists()...)
	if len(failures) == 0 { // otherwise, what uses them may not have loaded
		failures = append(failures, l.checkUnused(sets)...)
	}
	notices, err := l.Notices()
	if err != nil {
		failures = append(failures, mistakesIn("findings", err)...)
	}
	failures = append(failures, l.checkLanguages(sets, notices)...)
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures).errOrNil()
}

// checkProfiles reads the profiles, and looks for the rulesets that they name.
func (l *Library) checkProfiles() error {
	profiles, err := l.Profiles()
	if err != nil {
		return err
	}
	for _, p := range profiles {
		for _, ref := range p.Rulesets {
			if _, err := l.Ruleset(ref); err != nil && !isLoadErrors(err) { // these are reported with their ruleset
				return fmt.Errorf("profile %s: %w", p.ID, err)
			}
		}
	}
	return nil
}

func isLoadErrors(err error) bool {
	_, is := errors.AsType[LoadErrors](err)
	return is
}

// checkCodeLists reads every code list.
func (l *Library) checkCodeLists() (failures LoadErrors) {
	files, err := fs.Glob(l.fsys, "codelists/*.yaml")
	if err != nil {
		return mistakesIn("codelists", err)
	}
	for _, file := range files {
		if _, err := l.CodeList(strings.TrimSuffix(path.Base(file), ".yaml")); err != nil {
			failures = append(failures, mistakesIn(file, err)...)
		}
	}
	return failures
}

// mistakesIn are the mistakes that kept a folder from loading.
func mistakesIn(folder string, err error) LoadErrors {
	if inFiles, ok := errors.AsType[LoadErrors](err); ok {
		return inFiles
	}
	if inFile, ok := errors.AsType[LoadError](err); ok {
		return LoadErrors{inFile}
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
