package report

import (
	"fmt"
	"io"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model/quote"
	"einvoice/service/report/junit"
	"einvoice/service/verdict"
)

// A junitWriter writes a suite for each document, with a case for each rule that was
// violated, and one for its verdict.
type junitWriter struct {
	w       io.Writer
	options Options
	all     junit.Report
}

func newJUnit(w io.Writer, options Options) Writer {
	return &junitWriter{w: w, options: options, all: junit.Report{Name: "einvoice"}}
}

func (j *junitWriter) Encode(o *Outcome) (Part, error) {
	name := quote.Spelled(o.Name)
	suite := &junit.Suite{Name: name}
	if suite.Name == "" {
		suite.Name = "invoice.xml"
	}
	if o.Err != nil {
		failed := FailureOf(o.Err, j.options.Words)
		suite.Add(junit.Case{Class: suite.Name, Name: "read", File: name, Line: failed.Line, Error: &junit.Failure{Message: failed.Message, Type: failed.Code}})
		return suite, nil
	}
	shown := j.options.findings(o)
	more := notShown(o, len(shown), j.options.Words)
	if more != "" {
		more += "\n"
	}
	suite.Add(junit.Case{Class: suite.Name, Name: j.options.Words.Say("validated as " + verdict.Rules(o.Report)), File: name, Out: j.chosen(o) + j.warnings(shown) + more})
	for _, c := range junitViolations(suite.Name, shown, j.options.Words) {
		c.File = name
		suite.Add(c)
	}
	if o.Report.Counts.Fatal > 0 && suite.Failures == 0 { // none of the errors is shown
		suite.Add(junit.Case{Class: suite.Name, Name: "verdict", Failure: &junit.Failure{Message: verdict.Sentence(o.Report, j.options.Words), Type: string(engine.Fatal)}})
	}
	return suite, nil
}

// junitViolations has a failed case for each violated rule, with all its places.
func junitViolations(class string, findings []engine.Finding, language *words.Language) []junit.Case {
	var cases []junit.Case
	var places []*strings.Builder // of each case
	index := map[string]int{}
	for i := range findings {
		f := &findings[i]
		if f.Level != engine.Fatal {
			continue
		}
		at, known := index[f.Rule]
		if !known {
			at = len(cases)
			index[f.Rule] = at
			c := junit.Case{Class: class, Name: f.Rule, Failure: &junit.Failure{Message: f.Message, Type: string(f.Layer)}}
			if f.Line != nil {
				c.Line = *f.Line
			}
			cases, places = append(cases, c), append(places, &strings.Builder{})
		}
		places[at].WriteString(junitLine(f, language))
	}
	for i, text := range places {
		cases[i].Failure.Text = text.String()
	}
	return cases
}

// chosen says by which rules a document was judged.
func (j *junitWriter) chosen(o *Outcome) string {
	var b strings.Builder
	for _, line := range chosenRules(o.Report) {
		b.WriteString(j.options.Words.Say(line) + "\n")
	}
	return b.String()
}

// warnings are the findings that fail nothing.
func (j *junitWriter) warnings(shown []engine.Finding) string {
	var b strings.Builder
	for i := range shown {
		if f := &shown[i]; f.Level != engine.Fatal {
			b.WriteString(labelled(j.options.Words.Say(levelNames[f.Level])+" "+f.Rule, junitLine(f, j.options.Words), j.options.Words))
		}
	}
	return b.String()
}

func junitLine(f *engine.Finding, language *words.Language) string {
	text := f.Message
	if f.Line != nil && f.Column != nil {
		text = labelled(language.Say(fmt.Sprintf("line %d, column %d", *f.Line, *f.Column)), text, language)
	}
	if whose := provenance(f, language); whose != "" {
		text += " " + whose
	}
	if f.Location != "" {
		text += " (" + f.Location + ")"
	}
	return text + "\n"
}

func (j *junitWriter) Write(part Part) error {
	j.all.Add(part.(*junit.Suite))
	return nil
}

func (j *junitWriter) Close(s *Summary) error {
	j.all.Time = fmt.Sprintf("%.3f", s.Took.Seconds())
	return j.all.Write(j.w)
}
