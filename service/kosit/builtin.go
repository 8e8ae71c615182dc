package kosit

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/model/source"
	"einvoice/model/template"
)

//go:embed scenarios.xml.tmpl
var scenariosTemplate string

// scenariosXML writes a scenarios.xml.
var scenariosXML = sync.OnceValue(func() *template.Template {
	return template.Text(scenariosTemplate, template.Functions{"xml": escape})
})

// A writtenScenario is what the template writes of a scenario.
type writtenScenario struct {
	Name, Prefix, URI, CBC, RAM string
	Match                       string
	Schema                      *resource
	Schematron                  []*resource
	Report                      *resource
	Levels                      []writtenLevel
	Accept                      string
}

type writtenLevel struct{ Level, Rules string }

// BuiltIn makes the scenarios of the configuration for XRechnung from the profiles of the
// library.
func BuiltIn(library *engine.Library) (*Configuration, error) {
	known := readCatalogue()
	written := make([]*writtenScenario, len(known.Scenarios))
	for i := range known.Scenarios {
		var err error
		if written[i], err = writeScenario(library, &known.Scenarios[i]); err != nil {
			return nil, fmt.Errorf("scenario %s: %w", known.Scenarios[i].Name, err)
		}
	}
	var out bytes.Buffer
	err := scenariosXML().Execute(&out, "", map[string]any{"Catalogue": known, "Scenarios": written, "NoScenario": &known.Reports[len(known.Reports)-1]})
	if err != nil {
		return nil, err
	}
	return Load(library, out.Bytes())
}

func writeScenario(library *engine.Library, b *builtInScenario) (*writtenScenario, error) {
	known := readCatalogue()
	profile, err := library.Profile(b.Profile)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(known.Schemas, func(r resource) bool { return r.Root == b.Root })
	if at < 0 {
		return nil, fmt.Errorf("there is no schema for %s", b.Root)
	}
	schema := &known.Schemas[at]
	prefix, _, _ := strings.Cut(b.Root, ":")
	w := &writtenScenario{
		Name: b.Name, Prefix: prefix, URI: source.Prefixes[prefix], CBC: source.Prefixes["cbc"], RAM: source.Prefixes["ram"],
		Match:  fmt.Sprintf("exists(/%s/%s[. = '%s'])", b.Root, schema.Identifier, profile.Stamp()),
		Schema: schema, Report: &known.Reports[0], Accept: known.AcceptMatch,
	}
	own, err := ownOf(library, profile)
	if err != nil {
		return nil, err
	}
	for _, ref := range profile.Rulesets {
		if slices.Contains(own.rulesets, ref) {
			continue
		}
		family, _, _ := strings.Cut(ref, "/")
		at := slices.IndexFunc(known.Schematron, func(r resource) bool { return r.Family == family && r.Syntax == schema.Syntax })
		if at < 0 {
			return nil, fmt.Errorf("there is no Schematron file for the ruleset %s", ref)
		}
		w.Schematron = append(w.Schematron, &known.Schematron[at])
	}
	if b.Overlay == "" {
		return w, nil
	}
	overlay, err := library.Overlay(b.Overlay)
	if err != nil {
		return nil, err
	}
	for _, change := range overlay.Levels {
		if d := &change.Documents; (d.Root == "" || d.Root == b.Root) && (d.Syntax == "" || d.Syntax == schema.Syntax) {
			w.Levels = append(w.Levels, writtenLevel{levelOf(change.Level), strings.Join(change.Rules, " ")})
		}
	}
	return w, nil
}
