package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service/validate"
)

// The layers of a comparison, in addition to those of findings.
const (
	LayerRead     = "read"     // whether the document can be read
	LayerSchema   = "schema"   // whether the document is schema-valid
	LayerExpected = "expected" // what the authors of a test expect
)

// The results of a comparison.
const (
	Agree  = "agree"
	Missed = "missed" // only the artefact reports it
	Extra  = "extra"  // only the validator reports it
)

// A comparison is the result for one rule, or one other property, of a document.
type comparison struct {
	layer, rule, level string
	what               string // Agree, Missed or Extra
	detail             string
}

// An outcome is everything that was compared for one case.
type outcome struct {
	testCase    *Case
	occurrences []occurrence // of the document in the recorded suites
	comparisons []comparison
	layers      []layerCount
	unreadable  error // why there is no document
}

// A layerCount is how much was compared in a layer of a document, and how much of it
// agrees. Each expectation counts separately.
type layerCount struct {
	layer           string
	compared, agree int
}

// compare compares a validation with the verdict and the expectations. failure is why the
// validator could not read the document.
func (o *outcome) compare(v *Verdict, result *validate.Result, failure error) {
	rules := v != nil && v.SchemaValid && !v.Stopped
	if failure != nil {
		if rules || len(o.testCase.Fires)+len(o.testCase.Passes) > 0 {
			o.comparisons = append(o.comparisons, comparison{LayerRead, codeOf(failure), "", Extra, failure.Error()})
			o.layers = append(o.layers, layerCount{LayerRead, 1, 0})
		}
		return
	}
	report := result.Report
	if v != nil && report.SchemaValid != nil {
		o.schema(v.SchemaValid, *report.SchemaValid)
	}
	if rules {
		for _, a := range artefacts() {
			if fired, ok := v.Fired[a.Ruleset]; ok {
				o.layer(a.Layer, fired, report.Findings)
			}
		}
	}
	o.expectations(report.Findings)
}

func (o *outcome) schema(want, got bool) {
	c := comparison{layer: LayerSchema, rule: "valid", what: Agree}
	l := layerCount{LayerSchema, 1, 1}
	if !want {
		c.rule = "invalid"
	}
	if want != got {
		c.what, l.agree = Missed, 0
	}
	o.comparisons = append(o.comparisons, c)
	o.layers = append(o.layers, l)
}

// layer compares the rules that fired in a layer, with their levels.
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
	l := layerCount{string(layer), 1, 1}
	add := func(f fired, what string) {
		o.comparisons = append(o.comparisons, comparison{layer: string(layer), rule: f.rule, level: string(f.level), what: what})
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
	l := layerCount{LayerExpected, len(o.testCase.Fires) + len(o.testCase.Passes), 0}
	if l.compared == 0 {
		return
	}
	add := func(rule, otherwise string, met bool) {
		c := comparison{layer: LayerExpected, rule: rule, what: otherwise}
		if met {
			c.what = Agree
			l.agree++
		}
		o.comparisons = append(o.comparisons, c)
	}
	for _, rule := range o.testCase.Fires {
		add(rule, Missed, fired(rule))
	}
	for _, rule := range o.testCase.Passes {
		add(rule, Extra, !fired(rule))
	}
	o.layers = append(o.layers, l)
}

// A Difference is one comparison in which the validator and the artefacts, or the authors
// of a test, do not agree.
type Difference struct {
	Suite    string `json:"suite"`
	Document string `json:"document"`
	Layer    string `json:"layer"`
	Rule     string `json:"rule"`
	Level    string `json:"level,omitempty"`
	What     string `json:"what"`
	Detail   string `json:"detail,omitempty"`
	// Accepted is the reason why the difference is accepted; empty if it is not.
	Accepted string `json:"accepted,omitempty"`

	occurrences []occurrence
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

// codeOf is the stable code of the error for a document that could not be validated.
func codeOf(err error) string {
	if p, ok := errors.AsType[*problem.Error](err); ok {
		return p.Code
	}
	return "UNREADABLE"
}
