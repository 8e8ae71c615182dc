package conformance

import (
	"cmp"
	"slices"
	"time"

	"einvoice/engine"
)

// A Report is the result of a run.
type Report struct {
	Suites []SuiteReport `json:"suites"`
	// Compared counts the documents for which something was compared.
	Compared int `json:"compared"`
	// Unknown counts the files without a verdict and without expectations.
	Unknown    int `json:"unknown"`
	Unreadable int `json:"unreadable"`
	// Differences are all differences; accepted ones have a reason.
	Differences []Difference `json:"differences"`
	// Stale are accepted differences that no longer occur.
	Stale []ExpectedDifference `json:"stale"`
	Took  time.Duration        `json:"-"`
}

// A SuiteReport is the result for one suite.
type SuiteReport struct {
	Suite      string        `json:"suite"`
	Documents  int           `json:"documents"`
	Compared   int           `json:"compared"`
	Unknown    int           `json:"unknown"`
	Unreadable []string      `json:"unreadable"`
	Layers     []LayerReport `json:"layers"`
	Rules      []RuleReport  `json:"rules"`
}

// A LayerReport counts documents or, in the layer "expected", expectations.
type LayerReport struct {
	Layer    string `json:"layer"`
	Compared int    `json:"compared"`
	Agree    int    `json:"agree"`
}

// A RuleReport counts the documents on which a rule fired, by who reports it.
type RuleReport struct {
	Layer    string `json:"layer"`
	Rule     string `json:"rule"`
	Level    string `json:"level,omitempty"`
	Agree    int    `json:"agree"`
	Missed   int    `json:"missed"`
	Extra    int    `json:"extra"`
	Accepted int    `json:"accepted"` // of those missed and extra
	// Example is the first document with a difference; one whose difference is not accepted
	// is preferred.
	Example string `json:"example,omitempty"`
	// Detail is why the example could not be validated.
	Detail string `json:"detail,omitempty"`

	unaccepted bool // the difference of the example is not accepted
}

// OK reports whether there are only accepted differences.
func (r *Report) OK() bool { return r.Unreadable == 0 && len(r.Stale) == 0 && r.Unaccepted() == 0 }

// Unaccepted counts the differences that are not listed.
func (r *Report) Unaccepted() int {
	n := 0
	for i := range r.Differences {
		if r.Differences[i].Accepted == "" {
			n++
		}
	}
	return n
}

// layerOrder is the order of the layers in reports.
var layerOrder = []string{LayerRead, LayerSchema, string(engine.LayerEN16931), string(engine.LayerCIUS), LayerExpected}

func newReport(all []suiteOutcome, expected []ExpectedDifference) *Report {
	r := &Report{Differences: []Difference{}, Stale: []ExpectedDifference{}}
	met := make([]bool, len(expected))
	for _, s := range all {
		b := suiteBuilder{SuiteReport{Suite: s.suite.Name, Documents: len(s.outcomes), Unreadable: []string{}, Layers: []LayerReport{}}, map[ruleKey]*RuleReport{}}
		for _, o := range s.outcomes {
			r.Differences = append(r.Differences, b.add(o, expected, met)...)
		}
		suite := b.finish()
		r.Suites = append(r.Suites, suite)
		r.Compared += suite.Compared
		r.Unknown += suite.Unknown
		r.Unreadable += len(suite.Unreadable)
	}
	for i := range expected {
		if !met[i] && expected[i].stale(all) {
			r.Stale = append(r.Stale, expected[i])
		}
	}
	return r
}

type ruleKey struct{ layer, rule, level string }

type suiteBuilder struct {
	SuiteReport
	rules map[ruleKey]*RuleReport
}

// add counts one document and returns its differences. It marks in met which of the
// expected differences they are.
func (b *suiteBuilder) add(o *outcome, expected []ExpectedDifference, met []bool) (differences []Difference) {
	switch {
	case o.unreadable != nil:
		b.Unreadable = append(b.Unreadable, o.unreadable.Error())
	case len(o.layers) == 0:
		b.Unknown++
	default:
		b.Compared++
	}
	for _, l := range o.layers {
		i := slices.IndexFunc(b.Layers, func(r LayerReport) bool { return r.Layer == l.layer })
		if i < 0 {
			i = len(b.Layers)
			b.Layers = append(b.Layers, LayerReport{Layer: l.layer})
		}
		b.Layers[i].Compared += l.compared
		b.Layers[i].Agree += l.agree
	}
	for _, c := range o.comparisons {
		r := b.rule(ruleKey{c.layer, c.rule, c.level})
		switch c.what {
		case Agree:
			r.Agree++
			continue
		case Missed:
			r.Missed++
		default:
			r.Extra++
		}
		d := Difference{Suite: b.Suite, Document: o.testCase.Name, Layer: c.layer, Rule: c.rule, Level: c.level, What: c.what, Detail: c.detail, occurrences: o.occurrences}
		for i := range expected {
			if expected[i].accepts(&d) {
				met[i] = true
				d.Accepted = expected[i].Reason
			}
		}
		r.addExample(&d)
		differences = append(differences, d)
	}
	slices.SortFunc(differences, compareDifferences)
	return differences
}

func (b *suiteBuilder) rule(k ruleKey) *RuleReport {
	r := b.rules[k]
	if r == nil {
		r = &RuleReport{Layer: k.layer, Rule: k.rule, Level: k.level}
		b.rules[k] = r
	}
	return r
}

// addExample counts an accepted difference, and makes the document the example if it is
// the first one, or the first whose difference is not accepted.
func (r *RuleReport) addExample(d *Difference) {
	if d.Accepted != "" {
		r.Accepted++
	}
	if r.Example == "" || d.Accepted == "" && !r.unaccepted {
		r.Example, r.Detail, r.unaccepted = d.Document, d.Detail, d.Accepted == ""
	}
}

func (b *suiteBuilder) finish() SuiteReport {
	b.Rules = make([]RuleReport, 0, len(b.rules))
	for _, r := range b.rules {
		b.Rules = append(b.Rules, *r)
	}
	slices.SortFunc(b.Rules, func(x, y RuleReport) int {
		return cmp.Or(
			cmp.Compare(slices.Index(layerOrder, x.Layer), slices.Index(layerOrder, y.Layer)),
			cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Level, y.Level))
	})
	slices.SortFunc(b.Layers, func(x, y LayerReport) int {
		return cmp.Compare(slices.Index(layerOrder, x.Layer), slices.Index(layerOrder, y.Layer))
	})
	return b.SuiteReport
}
