package report

import (
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
)

// levelNames are the words for levels in reports for people and in SARIF.
var levelNames = map[engine.Level]string{engine.Fatal: "error", engine.Warning: "warning", engine.Information: "note"}

// Verdict is the outcome of a validation in a sentence, or in two where rules of the
// profile were not there to be checked, in a language.
func Verdict(r *engine.Report, language *words.Language) string {
	text := language.Say(verdict(r) + ".")
	if r.ValidatedAs != "" {
		text += " " + language.Say(missingRules(r))
	}
	return text
}

func verdict(r *engine.Report) string {
	against := fmt.Sprintf("%s in %s", rulesOf(r), model.Syntax(r.Syntax).Label())
	text := fmt.Sprintf("The invoice is valid (%s)", against)
	switch {
	case !r.Valid:
		text = fmt.Sprintf("The invoice (%s) violates %s", against, Count(violated(r), "rule"))
		if r.Counts.Warning > 0 {
			text += " and has " + Count(r.Counts.Warning, "warning")
		}
		return text
	case r.ValidatedAs != "":
		text = "The invoice is valid against " + against
	}
	if r.Counts.Warning > 0 {
		text += ", with " + Count(r.Counts.Warning, "warning")
	}
	return text
}

// rulesOf names what the document was held against.
func rulesOf(r *engine.Report) string {
	if r.ValidatedAs != "" {
		return r.ValidatedAs
	}
	return r.Profile
}

// validity is whether the invoice is valid; against what, where that is not its profile.
func validity(r *engine.Report) string {
	switch {
	case !r.Valid:
		return "not valid"
	case r.ValidatedAs != "":
		return "valid against " + r.ValidatedAs
	}
	return "valid"
}

// missingRules says why rules of the profile were not checked.
func missingRules(r *engine.Report) string {
	if r.NotAsked {
		return fmt.Sprintf("Not all rules of %s were asked for; the others were not checked.", r.Profile)
	}
	return fmt.Sprintf("The rules of %s are not part of this program and were not checked.", r.Profile)
}

// Violations lists each violated rule of level fatal once, as "[RULE] message" of its
// first finding, with the words around it in a language.
func Violations(r *engine.Report, language *words.Language) []string {
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

// statement is what the rule of a finding says, without the id and layer before it.
func statement(f *engine.Finding) string {
	if _, text, found := strings.Cut(f.Raw, ") "); found {
		return text
	}
	return f.Raw
}

// rule finds the rule of a finding among the rulesets that were run; nil where it is
// none, as that of the schema check.
func (o *Options) rule(r *engine.Report, id string) (*engine.Rule, *engine.Ruleset) {
	if o.Library == nil {
		return nil, nil
	}
	for _, info := range r.Rulesets {
		set, err := o.Library.Ruleset(info.Name + "/" + info.Version)
		if err != nil {
			continue
		}
		if rule, ok := set.Rule(id); ok {
			return rule, set
		}
	}
	return nil, nil
}
