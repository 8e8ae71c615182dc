// Package verdict says the outcome of a validation in a sentence, for reports, the service and
// programs in other languages.
//
//	fmt.Println(verdict.Sentence(result.Report, nil)) // The invoice is valid (XRechnung 3.0 in UBL).
package verdict

import (
	"fmt"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/model/numeral"
)

// Sentence returns the outcome of a validation in one sentence, or in two if rules of the
// profile could not be checked, in a language; nil is English.
func Sentence(r *engine.Report, language *words.Language) string {
	r = given(r)
	text := language.Say(outcome(r) + ".")
	if r.ValidatedAs != "" {
		text += " " + language.Say(MissingRules(r))
	}
	return text
}

func outcome(r *engine.Report) string {
	against := fmt.Sprintf("%s in %s", Rules(r), model.Syntax(r.Syntax).Label())
	text := fmt.Sprintf("The invoice is valid (%s)", against)
	switch {
	case !r.Valid:
		text = fmt.Sprintf("The invoice (%s) violates %s", against, numeral.Count(violated(r), "rule"))
		if r.Counts.Warning > 0 {
			text += " and has " + numeral.Count(r.Counts.Warning, "warning")
		}
		return text
	case r.ValidatedAs != "":
		text = "The invoice is valid against " + against
	}
	if r.Counts.Warning > 0 {
		text += ", with " + numeral.Count(r.Counts.Warning, "warning")
	}
	return text
}

// Rules returns the name of the rules that the document was checked against.
func Rules(r *engine.Report) string {
	r = given(r)
	if r.ValidatedAs != "" {
		return r.ValidatedAs
	}
	return r.Profile
}

// MissingRules returns the reason why rules of the profile were not checked; "" if all were.
func MissingRules(r *engine.Report) string {
	r = given(r)
	switch {
	case r.ValidatedAs == "":
		return ""
	case r.NotAsked:
		return fmt.Sprintf("Not all rules of %s were asked for; the others were not checked.", r.Profile)
	}
	return fmt.Sprintf("The rules of %s are not part of this program and were not checked.", r.Profile)
}

// Violations returns each violated rule of level fatal once, as "[RULE] message" of its first
// finding, with the words around it in a language; nil is English.
func Violations(r *engine.Report, language *words.Language) []string {
	r = given(r)
	places := map[string]int{}
	var first []*engine.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Level != engine.Fatal {
			continue
		}
		if places[f.Rule]++; places[f.Rule] == 1 {
			first = append(first, f)
		}
	}
	for _, o := range r.Omitted {
		if o.Level == engine.Fatal {
			places[o.Rule] += o.Count
		}
	}
	texts := make([]string, len(first))
	for i, f := range first {
		texts[i] = fmt.Sprintf("[%s] %s", f.Rule, f.Message)
		if n := places[f.Rule]; n > 1 {
			texts[i] += " " + language.Say(fmt.Sprintf("(%d places)", n))
		}
	}
	return texts
}

// violated counts the rules of level fatal that have a finding.
func violated(r *engine.Report) int {
	rules := map[string]bool{}
	for i := range r.Findings {
		if r.Findings[i].Level == engine.Fatal {
			rules[r.Findings[i].Rule] = true
		}
	}
	return len(rules)
}

// given is the report, or one that says nothing for nil.
func given(r *engine.Report) *engine.Report {
	if r == nil {
		return &engine.Report{}
	}
	return r
}
