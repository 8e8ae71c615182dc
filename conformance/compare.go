package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service"
)

// The layers of a comparison besides those of findings.
const (
	LayerRead     = "read"     // that the document can be read at all
	LayerSchema   = "schema"   // valid against its XML schema or not
	LayerExpected = "expected" // what the authors of a test expect
)

// artefacts are the recorded verdicts that are compared, with the layer of the
// findings that must equal them.
var artefacts = []struct {
	name  string
	layer engine.Layer
}{
	{"en16931", engine.LayerEN16931},
	{"xrechnung", engine.LayerCIUS},
}

// compared are the rulesets that decide these layers.
var compared = service.Rules{Rulesets: []string{"en16931", "xrechnung"}}

// How the validator and the artefacts stand to each other.
const (
	Agree  = "agree"
	Missed = "missed" // the artefact says so and the validator does not
	Extra  = "extra"  // the validator says so and the artefact does not
)

// A check is one thing that was compared on a document.
type check struct {
	layer, rule, level string
	what               string
	detail             string
}

// An outcome is what came of one case.
type outcome struct {
	of         *Case
	places     []place // where the document's recorded verdict stands
	checks     []check
	layers     []layerOutcome
	unreadable error // the case itself could not be had
}

// layerOutcome says how a document did in a layer. Each expectation counts by
// itself.
type layerOutcome struct {
	layer           string
	compared, agree int
}

// compare holds a validation against the verdict and the expectations; failure
// is why the validator could not read the document.
func (o *outcome) compare(v *Verdict, result *service.Result, failure error) {
	rules := v != nil && v.SchemaValid && !v.Stopped
	if failure != nil {
		if rules || len(o.of.Fires)+len(o.of.Passes) > 0 {
			o.checks = append(o.checks, check{LayerRead, codeOf(failure), "", Extra, failure.Error()})
			o.layers = append(o.layers, layerOutcome{LayerRead, 1, 0})
		}
		return
	}
	report := result.Report
	if v != nil && report.SchemaValid != nil {
		o.schema(v.SchemaValid, *report.SchemaValid)
	}
	if rules {
		for _, a := range artefacts {
			if fired, ok := v.Fired[a.name]; ok {
				o.layer(a.layer, fired, report.Findings)
			}
		}
	}
	o.expectations(report.Findings)
}

func (o *outcome) schema(want, got bool) {
	c := check{layer: LayerSchema, rule: "valid", what: Agree}
	l := layerOutcome{LayerSchema, 1, 1}
	if !want {
		c.rule = "invalid"
	}
	if want != got {
		c.what, l.agree = Missed, 0
	}
	o.checks = append(o.checks, c)
	o.layers = append(o.layers, l)
}

// layer compares the rules of a layer with their levels.
func (o *outcome) layer(layer engine.Layer, want map[string]engine.Level, findings []engine.Finding) {
	type fired struct {
		rule  string
		level engine.Level
	}
	got := map[fired]bool{}
	for i := range findings {
		if findings[i].Layer == layer {
			got[fired{findings[i].Rule, findings[i].Level}] = true
		}
	}
	l := layerOutcome{string(layer), 1, 1}
	add := func(f fired, what string) {
		o.checks = append(o.checks, check{layer: string(layer), rule: f.rule, level: string(f.level), what: what})
		if what != Agree {
			l.agree = 0
		}
	}
	for rule, level := range want {
		f := fired{rule, level}
		if got[f] {
			add(f, Agree)
		} else {
			add(f, Missed)
		}
		delete(got, f)
	}
	for f := range got {
		add(f, Extra)
	}
	o.layers = append(o.layers, l)
}

func (o *outcome) expectations(findings []engine.Finding) {
	fired := func(rule string) bool {
		return slices.ContainsFunc(findings, func(f engine.Finding) bool { return f.Rule == rule })
	}
	l := layerOutcome{LayerExpected, len(o.of.Fires) + len(o.of.Passes), 0}
	if l.compared == 0 {
		return
	}
	add := func(rule, otherwise string, met bool) {
		c := check{layer: LayerExpected, rule: rule, what: otherwise}
		if met {
			c.what = Agree
			l.agree++
		}
		o.checks = append(o.checks, c)
	}
	for _, rule := range o.of.Fires {
		add(rule, Missed, fired(rule))
	}
	for _, rule := range o.of.Passes {
		add(rule, Extra, !fired(rule))
	}
	o.layers = append(o.layers, l)
}

// A Difference is one thing that the validator and the artefacts, or the authors
// of a test, see differently.
type Difference struct {
	Suite    string `json:"suite"`
	Document string `json:"document"`
	Layer    string `json:"layer"`
	Rule     string `json:"rule"`
	Level    string `json:"level,omitempty"`
	What     string `json:"what"`
	Detail   string `json:"detail,omitempty"`
	// Accepted is the reason why the difference is expected, empty if it is not.
	Accepted string `json:"accepted,omitempty"`

	places []place
}

func (d Difference) String() string {
	s := fmt.Sprintf("%s %s %s", d.What, d.Layer, d.Rule)
	if d.Level != "" {
		s += " " + d.Level
	}
	s += ": " + d.Suite + "/" + d.Document
	if d.Detail != "" {
		s += ": " + d.Detail
	}
	return s
}

func compareDifferences(a, b Difference) int {
	return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.What, b.What), cmp.Compare(a.Document, b.Document))
}

// codeOf is the stable code of why a document could not be validated.
func codeOf(err error) string {
	if p, ok := errors.AsType[*problem.Error](err); ok {
		return p.Code
	}
	return "UNREADABLE"
}
