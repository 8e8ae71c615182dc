package conformance

import (
	"slices"

	"einvoice/engine"
	"einvoice/service"
)

// An artefact is a published one whose verdicts are compared, with the layer of the
// findings that must be the same. Its name is that of the ruleset.
type artefact struct {
	name  string
	layer engine.Layer
}

// artefacts are that of the standard, and those with rules beyond it.
var artefacts = []artefact{
	{"en16931", engine.LayerEN16931},
	{"xrechnung", engine.LayerCIUS},
	{"peppol", engine.LayerCIUS},
}

// rulesFor are the rulesets that a document is validated with: that of the standard, and
// of the others the one that the verdict on the document is about, the first without any.
func rulesFor(v *Verdict) service.Rules {
	standard, further := artefacts[0], artefacts[1:]
	about := func(a artefact) bool { return v != nil && v.Fired[a.name] != nil }
	i := max(slices.IndexFunc(further, about), 0)
	return service.Rules{Rulesets: []string{standard.name, further[i].name}}
}
