// Package lint checks a library of rules beyond what loading it says: that every expression
// compiles, every rule has its examples, every file is read, every name leads to something,
// and every language has the words.
//
//	err := lint.Check(library, strict) // engine.LoadErrors, each with its place
//	warnings, err := lint.Warnings(library)
package lint

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/syntax"
)

// Check reads every ruleset, compiles every rule, expression and message for every
// syntax, and reads profiles, overlays, code lists, the findings that the program
// makes, and the languages of both; of a layered library, those of the upper folder. It returns
// all mistakes together as LoadErrors, or the error of the context that ends its checks
// ([engine.Library.Until]). With strict, each rule must also have an example that fires and one
// that passes.
func Check(l *engine.Library, strict bool) error {
	if failures := checkFolder(l); len(failures) > 0 {
		return failures // much else would only follow from these
	}
	refs, err := toCheck(l)
	if err != nil {
		return err
	}
	var failures engine.LoadErrors
	var sets []*engine.Ruleset
	for _, ref := range refs {
		s, err := l.Ruleset(ref)
		if err != nil {
			failures = append(failures, engine.MistakesIn(ref, err)...)
			continue
		}
		sets = append(sets, s)
		mistaken := checkRuleset(l, s, strict)
		failures = append(failures, mistaken...)
		if len(mistaken) > 0 && !strict {
			continue // what they ask for is not known yet; strictly, an example that lacks is a mistake as well
		}
		decisions := l.DecisionsOf(s)
		failures = append(failures, decisions.Contradictions()...)
		if strict { // a warning otherwise: rules that decide nothing keep no others from use
			failures = append(failures, decisions.Idle()...)
		}
	}
	notices, noticesErr := l.Notices()
	for _, check := range []func() engine.LoadErrors{
		func() engine.LoadErrors { return checkPublished(l, sets) },
		func() engine.LoadErrors { return engine.MistakesIn("profiles", checkProfiles(l)) },
		l.CheckCodeLists,
		l.CheckTables,
		func() engine.LoadErrors { return engine.MistakesIn("findings", noticesErr) },
		func() engine.LoadErrors { return checkOverlays(l, notices, strict) },
		func() engine.LoadErrors {
			if len(failures) > 0 {
				return nil // what uses them may not have loaded
			}
			return append(checkUnused(l, sets), checkTogether(l)...)
		},
		func() engine.LoadErrors { return checkLanguages(l, notices, strict) },
	} {
		if err := l.Ended(); err != nil {
			return err
		}
		failures = append(failures, check()...)
	}
	if err := l.Ended(); err != nil {
		return err // what was found until then is not all
	}
	l.PlaceInBlocks(failures)
	failures = withoutRepeated(failures)
	slices.SortStableFunc(failures, compareErrors)
	return failures.ErrOrNil()
}

// withoutRepeated leaves out mistakes that another check told too, and those that only quote
// another one, such as those of rules that ask a code list which does not load.
func withoutRepeated(failures engine.LoadErrors) engine.LoadErrors {
	told := make(map[string]bool, len(failures))
	for i := range failures {
		told[failures[i].Error()] = true
	}
	seen := make(map[engine.LoadError]bool, len(failures))
	return slices.DeleteFunc(failures, func(e engine.LoadError) bool {
		if seen[e] {
			return true
		}
		seen[e] = true
		_, inMessage, _ := strings.Cut(e.Message, "}: ") // of an expression in a message
		return told[e.Message] || told[inMessage]
	})
}

// toCheck are the ruleset versions to check: all, or of a layered library those of the
// upper folder and those that build upon them. What is below was checked when it was made.
func toCheck(l *engine.Library) ([]string, error) {
	own, below := l.Own()
	if below == nil {
		return allVersions(l)
	}
	refs, err := engine.OwnVersions(own)
	if err != nil || !slices.ContainsFunc(refs, func(ref string) bool { return isIn(below, ref) }) {
		return refs, err
	}
	all, err := allVersions(l)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(ref string) bool { return !buildsUpon(l, ref, refs) }), nil
}

// buildsUpon reports whether a version is one of others or extends one. A version that does
// not load does, so that its mistakes are told.
func buildsUpon(l *engine.Library, ref string, others []string) bool {
	for ref != "" && !slices.Contains(others, ref) {
		s, err := l.Ruleset(ref)
		if err != nil {
			return true
		}
		ref = s.Extends
	}
	return ref != ""
}

// allVersions are the versions of all families, sorted.
func allVersions(l *engine.Library) (refs []string, err error) {
	families, err := l.Versions()
	if err != nil {
		return nil, err
	}
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, version := range families[family] {
			refs = append(refs, family+"/"+version)
		}
	}
	return refs, nil
}

// checkProfiles reads the profiles, and looks for the rulesets and overlays that those of
// the library's own folder name.
func checkProfiles(l *engine.Library) error {
	profiles, err := l.Profiles()
	if err != nil {
		return err
	}
	own, _ := l.Own()
	for _, p := range profiles {
		if !isIn(own, p.File) {
			continue
		}
		for _, ref := range p.Rulesets {
			s, err := l.Ruleset(ref)
			if err == nil && s.Layer == engine.LayerBatch {
				err = errOfJobs(ref)
			}
			if err != nil && !isLoadErrors(err) { // these are reported with their ruleset
				return mistakeInProfile(p, err)
			}
		}
		if _, _, err := l.OverlaysOf(p, nil); err != nil && !isLoadErrors(err) {
			return mistakeInProfile(p, err)
		}
	}
	return nil
}

func mistakeInProfile(p *engine.Profile, err error) error {
	return engine.LoadError{File: p.File, Message: fmt.Sprintf("profile %s: %v", p.ID, err)}
}

func isLoadErrors(err error) bool {
	_, is := errors.AsType[engine.LoadErrors](err)
	return is
}

func compareErrors(a, b engine.LoadError) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// checkRuleset checks the rules that a version does not take over as they are.
func checkRuleset(l *engine.Library, s *engine.Ruleset, strict bool) (failures engine.LoadErrors) {
	rules, env := l.OwnRules(s), l.EnvironmentOf(nil)
	found := make([]engine.LoadErrors, len(rules))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // parsing the expressions takes most of the time
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rules) && l.Ended() == nil; i = int(next.Add(1)) - 1 {
				found[i] = checkRule(env, rules[i], strict && s.WithoutExamples == "")
			}
		})
	}
	wait.Wait()
	return slices.Concat(found...)
}

func checkRule(env *expr.Environment, r *engine.Rule, strict bool) (failures engine.LoadErrors) {
	for _, code := range r.BTCodes.Value {
		if _, known := engine.TermName(code); !known {
			failures = append(failures, r.BTCodes.Mistake(r.File(), fmt.Errorf("%s is not a term of EN 16931 or the XRechnung extension%s", code, engine.Meant(codeMeant(code)))))
		}
	}
	if r.Row != nil {
		if err := r.Row.Check(); err != nil {
			return engine.LoadErrors{engine.ErrorAt(r.File(), r.Node, err)}
		}
		return nil
	}
	forms := r.Forms()
	for _, form := range forms {
		failures = append(failures, engine.CheckForm(env, form)...)
	}
	failures = append(failures, checkSyntaxes(r)...)
	failures = append(failures, checkBatch(r)...)
	if len(forms) == 0 {
		failures = append(failures, engine.ErrorAt(r.File(), r.Node, fmt.Errorf("rule %s applies to no syntax", r.ID)))
	}
	if strict {
		failures = append(failures, checkExamples(r)...)
		failures = append(failures, checkNamesTerms(r)...)
	}
	return failures
}

// checkNamesTerms reports a rule over the invoice that reads terms and names none: findings would
// not say what they are about. Elements of the source document need not be a term.
func checkNamesTerms(r *engine.Rule) engine.LoadErrors {
	var read []string
	for _, form := range r.Forms() {
		if len(r.BTCodes.Value) > 0 || xpath.SelectsInSource(form.Context.Value) {
			return nil
		}
		reads, _, err := termsOf(&form)
		if err != nil {
			return nil // told with the form
		}
		read = append(read, reads...)
	}
	if slices.Sort(read); len(read) == 0 {
		return nil
	}
	return engine.LoadErrors{r.BTCodes.Mistake(r.File(), fmt.Errorf("rule %s reads terms and names none, so findings would not say what they are about: write btCodes: [%s]", r.ID, strings.Join(slices.Compact(read), ", ")))}
}

// codeMeant is the code of a term that is written in small letters, or without its hyphen;
// "" for none.
func codeMeant(code string) string {
	upper := strings.ToUpper(strings.TrimSpace(code))
	for _, kind := range []string{"BT", "BG"} {
		if number, is := strings.CutPrefix(upper, kind); is {
			upper = kind + "-" + strings.TrimLeft(number, "-_ 0")
		}
	}
	if _, known := engine.TermName(upper); !known {
		return ""
	}
	return upper
}

// alwaysHolds is the assertion of a variant that can reject nothing, for the reason that
// the variant has.
const alwaysHolds = "true"

// checkExamples reports a rule without an example that fires, or one that passes, and
// variants without such examples in their syntax: nothing else would notice a mistake in
// what they decide by themselves. A form that no syntax has is for requests, which are not a
// document yet, and is tried on invoices without one.
func checkExamples(r *engine.Rule) (failures engine.LoadErrors) {
	for _, fires := range []bool{true, false} {
		if fires && r.NeverFires != "" {
			continue
		}
		verb := map[bool]string{true: "fires", false: "passes"}[fires]
		if !slices.ContainsFunc(r.Examples(), func(e engine.Example) bool { return e.Fires == fires }) {
			failures = append(failures, engine.ErrorAt(r.File(), r.Node, fmt.Errorf("rule %s has no example that %s", r.ID, verb)))
			continue
		}
		if isForRequests(r) && !slices.ContainsFunc(r.Examples(), func(e engine.Example) bool { return e.Fires == fires && e.Syntax == "" }) {
			failures = append(failures, r.Assert.Mistake(r.File(), fmt.Errorf("rule %s has no example that %s without a syntax, and its first form is for requests alone, as every syntax has a form of its own: add {%s: ...}, or leave out context and assert", r.ID, verb, verb)))
		}
		for i := range r.Variants {
			v := &r.Variants[i]
			if !v.Applies || !v.Assert.Written() && !v.Context.Written() || fires && v.Assert.Value == alwaysHolds {
				continue
			}
			if !slices.ContainsFunc(r.Examples(), func(e engine.Example) bool { return e.Fires == fires && e.Syntax == v.Syntax }) {
				at := v.Assert.Or(v.Context)
				failures = append(failures, engine.ErrorAt(r.File(), at.Node, fmt.Errorf("rule %s has no example that %s in %s, where it has a form of its own: add {in: %s, %s: ...}", r.ID, verb, v.Syntax, v.Syntax, verb)))
			}
		}
	}
	return failures
}

// checkSyntaxes reports contexts over documents of another syntax than the one that a rule
// or variant is about.
func checkSyntaxes(r *engine.Rule) (failures engine.LoadErrors) {
	contexts := map[model.Syntax]engine.Located[string]{r.On: r.Context}
	for i := range r.Variants {
		if v := &r.Variants[i]; v.Context.Written() {
			contexts[v.Syntax] = v.Context
		}
	}
	delete(contexts, "") // of any
	for on, context := range contexts {
		u, err := xpath.Parse(context.Value)
		if err != nil {
			continue // reported with the form
		}
		for _, path := range u.Paths {
			if of, _ := syntax.OfRoot(path.Steps[0].Name); of != nil && of.ID != string(on) {
				failures = append(failures, context.Mistake(r.File(), fmt.Errorf("%s is of %s, and the rule is about %s here: the context selects nothing", path.Steps[0].Name, of.ID, on)))
			}
		}
	}
	return failures
}

// isForRequests reports whether every syntax has an assertion of its own, so that the first one
// decides invoices without a document alone.
func isForRequests(r *engine.Rule) bool {
	if r.Context.Value == "" || r.On != "" {
		return false
	}
	return !slices.ContainsFunc(engine.Syntaxes, func(s model.Syntax) bool {
		return s != "" && !slices.ContainsFunc(r.Variants, func(v engine.Variant) bool {
			return v.Syntax == s && v.Root == "" && (!v.Applies || v.Assert.Written())
		})
	})
}
