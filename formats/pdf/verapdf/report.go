package verapdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// A Verdict is the result of veraPDF for one of the standards that a PDF claims.
type Verdict struct {
	Compliant bool
	Profile   string // the standard, such as "PDF/A-3B"
	Rules     int    // the number of rules that the PDF complies with
	Failures  []Failure
}

// A Failure is a clause of the standard that the PDF does not comply with.
type Failure struct {
	Standard string // such as "ISO 19005-3:2012"
	Clause   string // such as "6.2.11.4.1"
	Test     string // the number of the test of the clause
	Text     string // what the clause requires
	Message  string // what is wrong at the first place
	Place    string // the first place, in the notation of veraPDF
	Places   int
}

type reportXML struct {
	Jobs []struct {
		Validations []struct {
			Profile   string `xml:"profileName,attr"`
			Compliant bool   `xml:"isCompliant,attr"`
			Details   struct {
				Passed int       `xml:"passedRules,attr"`
				Rules  []ruleXML `xml:"rule"`
			} `xml:"details"`
		} `xml:"validationReport"`
		Exception string `xml:"taskException>exceptionMessage"`
	} `xml:"jobs>job"`
}

type ruleXML struct {
	Specification string `xml:"specification,attr"`
	Clause        string `xml:"clause,attr"`
	Test          string `xml:"testNumber,attr"`
	Status        string `xml:"status,attr"`
	Failed        int    `xml:"failedChecks,attr"`
	Description   string `xml:"description"`
	Checks        []struct {
		Context string `xml:"context"`
		Message string `xml:"errorMessage"`
	} `xml:"check"`
}

var errNoReport = errors.New("what veraPDF printed is not a report")

// parse reads a report about one document.
func parse(data []byte) ([]Verdict, error) {
	var r reportXML
	if err := xml.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoReport, err)
	}
	if len(r.Jobs) != 1 {
		return nil, errors.New("the report of veraPDF is not about one document")
	}
	job := r.Jobs[0]
	if len(job.Validations) == 0 {
		return nil, fmt.Errorf("veraPDF could not read the PDF: %s", oneLine(job.Exception))
	}
	verdicts := make([]Verdict, len(job.Validations))
	for i, v := range job.Validations {
		verdicts[i] = Verdict{
			Compliant: v.Compliant, Rules: v.Details.Passed, Failures: failures(v.Details.Rules),
			Profile: strings.TrimSuffix(oneLine(v.Profile), " validation profile"),
		}
	}
	return verdicts, nil
}

func failures(rules []ruleXML) (failed []Failure) {
	for _, rule := range rules {
		if rule.Status != "failed" {
			continue
		}
		f := Failure{
			Standard: oneLine(rule.Specification), Clause: oneLine(rule.Clause), Test: oneLine(rule.Test),
			Text: oneLine(rule.Description), Places: rule.Failed,
		}
		if len(rule.Checks) > 0 {
			f.Message, f.Place = oneLine(rule.Checks[0].Message), oneLine(rule.Checks[0].Context)
		}
		failed = append(failed, f)
	}
	return failed
}

// oneLine is a text in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
