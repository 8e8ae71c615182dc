package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"einvoice/engine/expr"
	"einvoice/engine/xpath"
)

// Warnings are what is probably a mistake in the library's own rules: terms that an
// assertion reads and btCodes lacks, and the reverse; terms that may be absent and that the
// assertion does not ask about. The library must have passed Check.
func (l *Library) Warnings() (warnings LoadErrors, err error) {
	sets, err := l.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		for _, r := range l.OwnRules(s) {
			warnings = append(warnings, r.checkTerms()...)
			warnings = append(warnings, r.checkRawDates()...)
			warnings = append(warnings, r.checkAbsences()...)
		}
	}
	l.placeInBlocks(warnings)
	slices.SortStableFunc(warnings, compareErrors)
	return slices.Compact(warnings), nil
}

// codeInText is the code of a term or group in a sentence.
var codeInText = regexp.MustCompile(`B[TG]-[A-Z0-9-]*[A-Z0-9]`)

// checkTerms compares btCodes with what is read, of rules that are over the invoice in
// every form. btCodes lack what every form reads: a term that one syntax asks in addition
// is not what findings in the other are about. They need not be read where message or text
// name them, as those of an identifier of which the scheme is asked.
func (r *Rule) checkTerms() LoadErrors {
	if r.Row != nil {
		return nil
	}
	var asserted, inAll []string
	mentioned := codeInText.FindAllString(r.Message.Value+" "+r.Text, -1)
	for i, form := range r.forms() {
		if xpath.SelectsInSource(form.Context.Value) {
			return nil
		}
		reads, names, err := form.terms()
		if err != nil {
			return nil // reported by Check
		}
		if i == 0 {
			inAll = reads
		}
		inAll = slices.DeleteFunc(slices.Clone(inAll), func(code string) bool { return !slices.Contains(reads, code) })
		asserted, mentioned = append(asserted, reads...), append(mentioned, names...)
	}
	var lacks, idle []string
	for _, code := range inAll {
		isPart := func(of string) bool { return of == code || strings.HasPrefix(code, of+"-") } // BT-125-1 of BT-125
		if !slices.ContainsFunc(r.BTCodes.Value, isPart) && !slices.Contains(lacks, code) {
			lacks = append(lacks, code)
		}
	}
	for _, code := range r.BTCodes.Value {
		if strings.HasPrefix(code, "BT-") && !slices.Contains(asserted, code) && !slices.Contains(mentioned, code) {
			idle = append(idle, code)
		}
	}
	var warnings LoadErrors
	if lacks != nil {
		warnings = append(warnings, r.BTCodes.mistake(r.file, fmt.Errorf("rule %s reads %s, which btCodes lacks", r.ID, strings.Join(lacks, ", "))))
	}
	if idle != nil {
		warnings = append(warnings, r.BTCodes.mistake(r.file, fmt.Errorf("btCodes of rule %s has %s, which the rule does not read", r.ID, strings.Join(idle, ", "))))
	}
	return warnings
}

// checkRawDates warns of what is written of a date in forms for several syntaxes, which
// write dates differently.
func (r *Rule) checkRawDates() (warnings LoadErrors) {
	if r.Row != nil || r.On != "" || r.Context.Value == "" || xpath.SelectsInSource(r.Context.Value) {
		return nil
	}
	g, err := newRuleGroup(r.Context.Value)
	if err != nil {
		return nil // reported by Check
	}
	for _, this := range g.types() {
		codes, err := expr.RawDates(r.Assert.Value, this)
		if err == nil && len(codes) > 0 {
			return LoadErrors{r.Assert.mistake(r.file, fmt.Errorf("rule %s takes raw(...) of a date (%s), which UBL writes as 2026-11-20 and CII as 20261120: compare dates as dates", r.ID, strings.Join(codes, ", ")))}
		}
	}
	return nil
}

// checkAbsences warns of terms that may be absent, and without which a rule over the invoice
// cannot be decided, so that it counts as violated. What the context asks for in brackets is
// there.
func (r *Rule) checkAbsences() (warnings LoadErrors) {
	if r.Row != nil {
		return nil
	}
	for _, form := range r.forms() {
		if xpath.SelectsInSource(form.Context.Value) {
			continue
		}
		g, err := newRuleGroup(form.Context.Value)
		if err != nil {
			return nil // reported by Check
		}
		for _, this := range g.types() {
			unasked, err := expr.Unasked(form.Assert.Value, this)
			if err != nil {
				return nil // reported by Check
			}
			for _, a := range unasked {
				if !asksInBrackets(form.Context.Value, a.Path) {
					warnings = append(warnings, form.Assert.mistake(r.file, fmt.Errorf("rule %s cannot be decided where %s is absent, and then counts as violated: ask first, as in !has(%s) || ..., or say what counts instead with orElse(%[3]s, ...)", r.ID, nameOfTerm(a), a.Path)))
				}
			}
		}
	}
	return warnings
}

func nameOfTerm(a expr.Absence) string {
	if a.Field.BT == "" {
		return a.Path
	}
	return fmt.Sprintf("%s (%s)", a.Field.BT, a.Path)
}

// asksInBrackets tells whether a context such as /invoice[paymentDueDate] names a field of a
// path.
func asksInBrackets(context, path string) bool {
	asked := wordsInBrackets(context)
	return slices.ContainsFunc(strings.Split(path, ".")[1:], func(name string) bool { return slices.Contains(asked, name) })
}

// wordsInBrackets are the words in the predicates of a context.
func wordsInBrackets(context string) (words []string) {
	depth := 0
	for _, word := range strings.FieldsFunc(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(context), func(c rune) bool {
		return c != '[' && c != ']' && !isNameRune(c)
	}) {
		switch {
		case word == "[":
			depth++
		case word == "]":
			depth--
		case depth > 0:
			words = append(words, word)
		}
	}
	return words
}

// terms are the codes of terms that the assertion reads, and of those that context, fields
// and message name.
func (f *Form) terms() (asserted, mentioned []string, err error) {
	g, err := newRuleGroup(f.Context.Value)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range g.selection.Types() {
		this := expr.Group(t)
		reads, err := expr.Terms(f.Assert.Value, this)
		if err != nil {
			return nil, nil, err
		}
		asserted = append(asserted, reads...)
		for _, text := range messageExpressions(f.Message.Value) {
			if reads, err = expr.Terms(text, this); err == nil {
				mentioned = append(mentioned, reads...)
			}
		}
		for _, text := range f.Fields.Value {
			if path, err := parseFieldPath(text, t); err == nil {
				mentioned = append(mentioned, path.steps[len(path.steps)-1].BT)
			}
		}
	}
	for _, word := range strings.FieldsFunc(f.Context.Value, func(c rune) bool { return !isNameRune(c) }) {
		for _, t := range modelTypes() {
			if field, ok := t.Field(word); ok && field.BT != "" {
				mentioned = append(mentioned, field.BT)
			}
		}
	}
	return asserted, mentioned, nil
}

func isNameRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
