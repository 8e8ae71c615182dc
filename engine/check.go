package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"einvoice/model"
)

// Check reads every ruleset and compiles every rule, expression and message in
// every syntax. All mistakes come back together as LoadErrors. Strict also asks
// of each rule an example that fires and one that passes.
func (l *Library) Check(strict bool) error {
	families, err := l.Versions()
	if err != nil {
		return err
	}
	var failures LoadErrors
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, version := range families[family] {
			s, err := l.Ruleset(family + "/" + version)
			var inFile LoadErrors
			switch {
			case errors.As(err, &inFile):
				failures = append(failures, inFile...)
			case err != nil:
				failures = append(failures, LoadError{File: family + "/" + version, Message: err.Error()})
			default:
				failures = append(failures, l.checkRuleset(s, strict)...)
			}
		}
	}
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures).errOrNil()
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
	for _, code := range r.BTCodes {
		if !knownTerm(code) {
			failures = append(failures, errorAt(r.file, r.places["btCodes"], fmt.Errorf("%s is no term of EN 16931 or the XRechnung extension", code)))
		}
	}
	if r.row != nil {
		if _, err := r.row.patterns(contextParser()); err != nil {
			return LoadErrors{errorAt(r.file, r.node, err)}
		}
		if r.row.kind == rowCode {
			if _, err := r.row.known(); err != nil {
				return LoadErrors{errorAt(r.file, r.node, err)}
			}
		}
		return nil
	}
	applies := false
	for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
		form, ok := r.in(syntax)
		if !ok || syntax == "" && form.context == "" {
			continue
		}
		applies = true
		failures = append(failures, l.checkForm(form)...)
	}
	if !applies {
		failures = append(failures, errorAt(r.file, r.node, fmt.Errorf("rule %s applies to no syntax", r.ID)))
	}
	if strict {
		for _, fires := range []bool{true, false} {
			if fires && r.NeverFires != "" {
				continue
			}
			if !slices.ContainsFunc(r.Examples, func(e Example) bool { return e.Fires == fires }) {
				failures = append(failures, errorAt(r.file, r.node, fmt.Errorf("rule %s has no example that %s", r.ID, map[bool]string{true: "fires", false: "passes"}[fires])))
			}
		}
	}
	return failures
}

func (l *Library) checkForm(form ruleForm) (failures LoadErrors) {
	r := form.rule
	g, err := compileContext(form.context)
	if err != nil {
		return LoadErrors{errorAt(r.file, form.contextAt, err)}
	}
	if err := g.add(l, form); err != nil {
		failures = append(failures, errorAt(r.file, form.fieldsAt, err))
	}
	for _, p := range g.programs() {
		if _, err := l.compileAssertion(form.assert, p.this); err != nil {
			failures = append(failures, errorAt(r.file, form.assertAt, err))
			continue
		}
		if m := l.parseMessage(form.message, p.this); m.err != nil {
			failures = append(failures, errorAt(r.file, form.messageAt, m.err))
		}
	}
	return failures
}

var termCodes = sync.OnceValue(func() map[string]bool {
	codes := map[string]bool{"BG-2": true} // the process control group, whose terms stand at the top
	for _, t := range provider().byName {
		for i := range t.Fields {
			codes[t.Fields[i].BT] = true
		}
	}
	return codes
})

func knownTerm(code string) bool { return code != "" && termCodes()[code] }
