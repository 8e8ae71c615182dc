package conformance

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/model/strictyaml"
	"einvoice/service/validate"
)

//go:embed artefacts.yaml
var artefactsYAML []byte

// artefacts are those whose verdicts are compared.
var artefacts = sync.OnceValue(readArtefacts)

// An artefact is one entry of artefacts.yaml.
type artefact struct {
	Ruleset string       `yaml:"ruleset"`
	Layer   engine.Layer `yaml:"layer"`
}

func readArtefacts() []artefact {
	var all []artefact
	if err := strictyaml.Decode(artefactsYAML, &all); err != nil || len(all) < 2 {
		panic(fmt.Sprintf("artefacts.yaml has %d artefacts: %v", len(all), err)) // part of the program
	}
	return all
}

// rulesFor are the rulesets that a document is validated with.
func rulesFor(v *Verdict) validate.Rules {
	standard, further := artefacts()[0], artefacts()[1:]
	about := func(a artefact) bool { return v != nil && v.Fired[a.Ruleset] != nil }
	i := max(slices.IndexFunc(further, about), 0)
	return validate.Rules{Rulesets: []string{standard.Ruleset, further[i].Ruleset}}
}
