package report

import (
	"strings"

	"einvoice/engine"
)

// levelNames are the words for levels in reports for people and in SARIF.
var levelNames = map[engine.Level]string{engine.Fatal: "error", engine.Warning: "warning", engine.Information: "note"}

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
