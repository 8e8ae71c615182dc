package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"einvoice/engine"
)

// The parts of the JUnit XML that CI systems read: a suite is a document, a test case a
// rule that was violated, or the verdict of a document without one.
type (
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Errors   int           `xml:"errors,attr"`
		Time     string        `xml:"time,attr"`
		Suites   []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Error   *junitFailure `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

type junitWriter struct {
	w       io.Writer
	options Options
	all     junitSuites
}

func newJUnit(w io.Writer, options Options) Writer {
	return &junitWriter{w: w, options: options, all: junitSuites{Name: "einvoice"}}
}

func (j *junitWriter) Encode(o *Outcome) (Part, error) {
	suite := &junitSuite{Name: o.Name}
	if suite.Name == "" {
		suite.Name = "invoice.xml"
	}
	if o.Err != nil {
		failed := failureOf(o.Err)
		suite.Errors = 1
		suite.add(junitCase{Class: suite.Name, Name: "read", File: o.Name, Line: failed.Line, Error: &junitFailure{Message: o.Err.Error(), Type: failed.Code}})
		return suite, nil
	}
	suite.add(junitCase{Class: suite.Name, Name: "validated as " + rulesOf(o.Report), File: o.Name, Out: j.warnings(o)})
	for _, c := range junitViolations(suite.Name, j.options.findings(o)) {
		c.File = o.Name
		suite.Failures++
		suite.add(c)
	}
	if o.Report.Counts.Fatal > 0 && suite.Failures == 0 { // none of the errors is shown
		suite.Failures++
		suite.add(junitCase{Class: suite.Name, Name: "verdict", Failure: &junitFailure{Message: Verdict(o.Report), Type: string(engine.Fatal)}})
	}
	return suite, nil
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
}

// junitViolations has a failed case for each violated rule, with all its places.
func junitViolations(class string, findings []engine.Finding) []junitCase {
	var cases []junitCase
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
			c := junitCase{Class: class, Name: f.Rule, Failure: &junitFailure{Message: f.Message, Type: string(f.Layer)}}
			if f.Line != nil {
				c.Line = *f.Line
			}
			cases = append(cases, c)
		}
		cases[at].Failure.Text += junitLine(f)
	}
	return cases
}

// warnings are the findings that fail nothing.
func (j *junitWriter) warnings(o *Outcome) string {
	var b strings.Builder
	for _, f := range j.options.findings(o) {
		if f.Level != engine.Fatal {
			b.WriteString(levelNames[f.Level] + " " + f.Rule + ": " + junitLine(&f))
		}
	}
	return b.String()
}

func junitLine(f *engine.Finding) string {
	place := ""
	if f.Line != nil && f.Column != nil {
		place = fmt.Sprintf("line %d, column %d: ", *f.Line, *f.Column)
	}
	text := place + f.Message
	if f.Location != "" {
		text += " (" + f.Location + ")"
	}
	return text + "\n"
}

func (j *junitWriter) Write(part Part) error {
	suite := part.(*junitSuite)
	j.all.Tests += suite.Tests
	j.all.Failures += suite.Failures
	j.all.Errors += suite.Errors
	j.all.Suites = append(j.all.Suites, suite)
	return nil
}

func (j *junitWriter) Close(s *Summary) error {
	j.all.Time = fmt.Sprintf("%.3f", s.Took.Seconds())
	body, err := xml.MarshalIndent(&j.all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s%s\n", xml.Header, body)
	return err
}
