package lint

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/pattern"
)

// Warnings are what is probably a mistake in the library's own rules: terms that an
// assertion reads and btCodes lacks, and the reverse; terms that may be absent and that the
// assertion does not ask about. The library must have passed Check.
func Warnings(l *engine.Library) (warnings engine.LoadErrors, err error) {
	sets, err := l.OwnRulesets()
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		for _, r := range l.OwnRules(s) {
			if err := l.Ended(); err != nil {
				return nil, err
			}
			warnings = append(warnings, checkRuleTerms(r)...)
			warnings = append(warnings, checkRawDates(r)...)
			warnings = append(warnings, checkAbsences(r)...)
			warnings = append(warnings, checkPatterns(r)...)
		}
		decisions := l.DecisionsOf(s)
		warnings = append(append(warnings, decisions.Doubts()...), decisions.Idle()...)
		warnings = append(warnings, checkDefaults(l, s)...)
	}
	warnings = append(append(warnings, overlayWarnings(l)...), checkFresh(l, engine.Today())...)
	l.PlaceInBlocks(warnings)
	slices.SortStableFunc(warnings, compareErrors)
	told := map[engine.LoadError]bool{} // a pair of rules of an overlay is looked at with both
	return slices.DeleteFunc(warnings, func(w engine.LoadError) bool {
		again := told[w]
		told[w] = true
		return again
	}), nil
}

// codeInText is the code of a term or group in a sentence.
var codeInText = pattern.Later(`B[TG]-[A-Z0-9-]*[A-Z0-9]`)

// checkTerms compares btCodes with what is read, of rules that are over the invoice in
// every form. btCodes lack what every form reads: a term that one syntax asks in addition
// is not what findings in the other are about. They need not be read where message or text
// name them, as those of an identifier of which the scheme is asked.
func checkRuleTerms(r *engine.Rule) engine.LoadErrors {
	if r.Row != nil || r.Layer == engine.LayerBatch { // what a job knows of a document has no codes
		return nil
	}
	var asserted, inAll []string
	mentioned := codeInText().FindAllString(r.Message.Value+" "+r.Text, -1)
	for i, form := range r.Forms() {
		if xpath.SelectsInSource(form.Context.Value) {
			return nil
		}
		reads, names, err := termsOf(&form)
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
	var warnings engine.LoadErrors
	if lacks != nil {
		warnings = append(warnings, r.BTCodes.Mistake(r.File(), fmt.Errorf("rule %s reads %s, which btCodes lacks", r.ID, strings.Join(lacks, ", "))))
	}
	if idle != nil {
		warnings = append(warnings, r.BTCodes.Mistake(r.File(), fmt.Errorf("btCodes of rule %s has %s, which the rule does not read", r.ID, strings.Join(idle, ", "))))
	}
	return warnings
}

// checkRawDates warns of what is written of a date in forms for several syntaxes, which
// write dates differently.
func checkRawDates(r *engine.Rule) (warnings engine.LoadErrors) {
	if r.Row != nil || r.On != "" || r.Context.Value == "" || xpath.SelectsInSource(r.Context.Value) {
		return nil
	}
	types, err := typesOf(r.Context.Value)
	if err != nil {
		return nil // reported by Check
	}
	for _, t := range types {
		codes, err := expr.RawDates(r.Assert.Value, expr.Group(t))
		if err == nil && len(codes) > 0 {
			return engine.LoadErrors{r.Assert.Mistake(r.File(), fmt.Errorf("rule %s takes raw(...) of a date (%s), which UBL writes as 2026-11-20 and CII as 20261120: compare dates as dates", r.ID, strings.Join(codes, ", ")))}
		}
	}
	return nil
}

// checkAbsences warns of terms that may be absent, and without which a rule over the invoice
// cannot be decided, so that it counts as violated. What the context asks for in brackets is
// there.
func checkAbsences(r *engine.Rule) (warnings engine.LoadErrors) {
	if r.Row != nil {
		return nil
	}
	for _, form := range r.Forms() {
		if xpath.SelectsInSource(form.Context.Value) {
			continue
		}
		types, err := typesOf(form.Context.Value)
		if err != nil {
			return nil // reported by Check
		}
		for _, t := range types {
			unasked, err := expr.Unasked(form.Assert.Value, expr.Group(t))
			if err != nil {
				return nil // reported by Check
			}
			for _, a := range unasked {
				if !asksInBrackets(form.Context.Value, a.Path) {
					warnings = append(warnings, form.Assert.Mistake(r.File(), fmt.Errorf("rule %s cannot be decided where %s is absent, and then counts as violated: ask first, as in !has(%s) || ..., or say what counts instead with orElse(%[3]s, ...)", r.ID, nameOfTerm(a), a.Path)))
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

// asksInBrackets reports whether a context such as /invoice[paymentDueDate] names a field of a
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

// typesOf are the types of the groups that a context over the invoice can select.
func typesOf(context string) ([]*model.Type, error) {
	u, err := xpath.Parse(context)
	if err != nil {
		return nil, err
	}
	selection, err := xpath.OverModel(u)
	if err != nil {
		return nil, err
	}
	return selection.Types(), nil
}

// termsOf are the codes of terms that the assertion reads, and of those that context, fields
// and message name.
func termsOf(f *engine.Form) (asserted, mentioned []string, err error) {
	types, err := typesOf(f.Context.Value)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range types {
		this := expr.Group(t)
		reads, err := expr.Terms(f.Assert.Value, this)
		if err != nil {
			return nil, nil, err
		}
		asserted = append(asserted, reads...)
		for _, text := range engine.MessageExpressions(f.Message.Value) {
			if reads, err = expr.Terms(text, this); err == nil {
				mentioned = append(mentioned, reads...)
			}
		}
		for _, text := range f.Fields.Value {
			if field, err := engine.FieldNamed(text, t); err == nil {
				mentioned = append(mentioned, field.BT)
			}
		}
	}
	for _, word := range strings.FieldsFunc(f.Context.Value, func(c rune) bool { return !isNameRune(c) }) {
		for _, t := range engine.ModelTypes() {
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
