// Package junit writes the JUnit XML that CI systems read.
//
//	all := junit.Report{Name: "einvoice"}
//	suite := &junit.Suite{Name: "invoice.xml"}
//	suite.Add(junit.Case{Class: "invoice.xml", Name: "BR-01", Failure: &junit.Failure{Message: "..."}})
//	all.Add(suite)
//	err := all.Write(w)
//
// JUnit XML has no published schema; the elements and attributes here are those that
// Jenkins, GitLab and GitHub's test reporters read.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// A Report is a run of tests. Counts are kept by Add.
type Report struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr,omitempty"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr,omitempty"` // in seconds
	Suites   []*Suite `xml:"testsuite"`
}

// A Suite is several tests. Counts are kept by Add.
type Suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Cases    []Case `xml:"testcase"`
}

// A Case is one test. A test with neither failure nor error has passed.
type Case struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *Failure `xml:"failure"` // what was tested is wrong
	Error   *Failure `xml:"error"`   // it could not be tested
	Out     string   `xml:"system-out,omitempty"`
}

// A Failure says what is wrong.
type Failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Add adds a suite with all its cases.
func (r *Report) Add(s *Suite) {
	r.Tests += s.Tests
	r.Failures += s.Failures
	r.Errors += s.Errors
	r.Suites = append(r.Suites, s)
}

// Add adds a case.
func (s *Suite) Add(c Case) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

// Write writes the report as XML.
func (r *Report) Write(w io.Writer) error {
	body, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, body)
	return err
}
