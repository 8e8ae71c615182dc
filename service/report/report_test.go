package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/model/source"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// faulty is an invoice with a value that its type does not allow.
func faulty(t *testing.T, s *operation.Kit) *report.Outcome {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("<cbc:DueDate>"), []byte("<cbc:DueDate>x"), 1)
	result, err := s.Validate(context.Background(), data, validate.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return &report.Outcome{Name: "a b.xml", Report: result.Report, Document: result.Document}
}

var unreadable = &report.Outcome{Name: "c.xml", Err: &problem.Error{
	Code: "XML-SYNTAX", Message: "the tag is <not> closed", Remedy: "close it", Position: source.Position{Line: 3, Column: 4},
}}

// Every format writes a run of no, one and several documents so that its readers can
// parse it, and says how many documents there were, were it none.
func TestFormats(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	bad := faulty(t, s)
	if bad.Report.Valid {
		t.Fatal("the invoice is not faulty")
	}
	rule := bad.Report.Findings[0].Rule
	for _, f := range report.Formats {
		for _, outcomes := range [][]*report.Outcome{nil, {bad}, {bad, unreadable}} {
			text := write(t, f, s, outcomes)
			if text == "" && f.Name != "jsonl" && f.Name != "svrl" {
				t.Errorf("%s of %d documents is empty", f.Name, len(outcomes))
			}
			if len(outcomes) == 1 && !strings.Contains(text, rule) {
				t.Errorf("%s does not name %s", f.Name, rule)
			}
			if len(outcomes) == 2 && f.Name != "svrl" && !strings.Contains(text, "the tag is") {
				t.Errorf("%s does not say why c.xml was not read", f.Name)
			}
			parses(t, f, text)
		}
	}
}

func write(t *testing.T, f *report.Format, s *operation.Kit, outcomes []*report.Outcome) string {
	t.Helper()
	return writeWith(t, f, report.Options{Library: s.Library(), Version: "1"}, outcomes)
}

func writeWith(t *testing.T, f *report.Format, options report.Options, outcomes []*report.Outcome) string {
	t.Helper()
	var out bytes.Buffer
	w := f.New(&out, options)
	summary := report.Summary{Asked: len(outcomes)}
	for _, o := range outcomes {
		part, err := w.Encode(o)
		if f.Name == "svrl" && o.Err != nil {
			if err == nil || !errors.Is(err, o.Err) {
				t.Errorf("svrl of a document that cannot be read: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		summary.Add(o)
	}
	if err := w.Close(&summary); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func parses(t *testing.T, f *report.Format, text string) {
	t.Helper()
	switch f.Name {
	case "json", "sarif", "gitlab":
		if !json.Valid([]byte(text)) {
			t.Errorf("%s is not JSON: %.300s", f.Name, text)
		}
	case "jsonl":
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("a line is not JSON: %.300s", line)
			}
		}
	case "junit", "svrl":
		var any struct {
			Inner string `xml:",innerxml"`
		}
		if err := xml.Unmarshal([]byte(text), &any); err != nil && text != "" {
			t.Errorf("%s is not XML: %v", f.Name, err)
		}
	}
}

// What is not shown of a long report is counted.
func TestMost(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	bad := faulty(t, s)
	findings := bad.Report.Findings
	for len(bad.Report.Findings) < 10 {
		bad.Report.Findings = append(bad.Report.Findings, findings...)
	}
	bad.Report.Findings = bad.Report.Findings[:10]
	for _, f := range report.Formats {
		for most, omitted := range map[int]int{3: 0, 0: 4711, 4: 4711} {
			bad.Report.Omitted = nil
			if omitted > 0 {
				bad.Report.Omitted = []engine.Omission{{Rule: findings[0].Rule, Layer: findings[0].Layer, Level: findings[0].Level, Count: omitted}}
			}
			bounded, all := strconv.Itoa(omitted), most // of the findings of the report
			if all == 0 {
				all = len(bad.Report.Findings)
			}
			if f.Name != "html" && f.Name != "supplier" { // which have bounds of their own
				bounded = strconv.Itoa(omitted + len(bad.Report.Findings) - all)
			} else if omitted == 0 {
				continue
			}
			text, err := f.Single(bad, report.Options{Most: most, Library: s.Library(), LanguageAsked: true})
			if err != nil || !strings.Contains(string(text), bounded+" findings more") && !strings.Contains(strings.ReplaceAll(string(text), " ", ""), `"findingsOmitted":`+bounded) {
				t.Errorf("%s with at most %d: %v, %s are not told in %.600s", f.Name, most, err, bounded, text)
			}
		}
	}
}

// What a report costs is in proportion to its findings, whichever rules they are of.
func TestManyFindingsOfOneRule(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	bad := faulty(t, s)
	const n, each = 4000, 20 << 10
	bad.Report.Findings = slices.Repeat(bad.Report.Findings[:1], n)
	for _, f := range report.Formats {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := f.Single(bad, report.Options{Library: s.Library()}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > n*each {
			t.Errorf("%s takes %d bytes for %d findings", f.Name, took, n)
		}
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{"1 query": numeral.Count(1, "query"), "2 queries": numeral.Count(2, "query"), "0 rules": numeral.Count(0, "rule")} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
