package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"einvoice/model/numeral"
	"einvoice/service/report/junit"
)

// WriteText writes the report for people: each suite with its layers, and with the rules
// that differ or all rules, and then a summary.
func (r *Report) WriteText(w io.Writer, allRules bool) error {
	out := bufio.NewWriter(w)
	for i := range r.Suites {
		r.Suites[i].writeText(out, allRules)
	}
	for _, s := range r.Stale {
		fmt.Fprintf(out, "no longer occurs: line %d of the expected differences, %s\n", s.line, s)
	}
	accepted := len(r.Differences) - r.Unaccepted()
	fmt.Fprintf(out, "%s compared in %s: %s (and %d accepted), %d accepted that no longer occur",
		numeral.Count(r.Compared, "document"), r.Took.Round(time.Millisecond), numeral.Count(r.Unaccepted(), "difference"), accepted, len(r.Stale))
	if r.Unreadable > 0 {
		fmt.Fprintf(out, ", %d unreadable", r.Unreadable)
	}
	if r.Unknown > 0 {
		fmt.Fprintf(out, "; %s without a recorded verdict", numeral.Count(r.Unknown, "other file"))
	}
	fmt.Fprintln(out)
	return out.Flush()
}

func (s *SuiteReport) writeText(out io.Writer, allRules bool) {
	if s.Compared+len(s.Unreadable) == 0 {
		return
	}
	fmt.Fprintf(out, "%s: %s compared\n", s.Suite, numeral.Count(s.Compared, "document"))
	for _, text := range s.Unreadable {
		fmt.Fprintf(out, "  unreadable: %s\n", text)
	}
	for _, l := range s.Layers {
		switch l.Layer {
		case LayerRead:
			fmt.Fprintf(out, "  %-9s %s could not be validated\n", l.Layer, numeral.Count(l.Compared, "document"))
		case LayerExpected:
			fmt.Fprintf(out, "  %-9s %d of %d expectations agree\n", l.Layer, l.Agree, l.Compared)
		default:
			fmt.Fprintf(out, "  %-9s %d of %d documents agree\n", l.Layer, l.Agree, l.Compared)
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "\n  RULE\tLAYER\tLEVEL\tAGREE\tMISSED\tEXTRA\tACCEPTED\tFIRST EXAMPLE\n"
	for _, rule := range s.Rules {
		if !allRules && rule.Missed+rule.Extra == 0 {
			continue
		}
		fmt.Fprintf(table, "%s  %s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", head, rule.Rule, rule.Layer, rule.Level, rule.Agree, rule.Missed, rule.Extra, rule.Accepted, rule.Example)
		head = ""
	}
	_ = table.Flush()
	for _, rule := range s.Rules {
		if rule.Detail != "" {
			fmt.Fprintf(out, "  %s on %s: %s\n", rule.Rule, rule.Example, rule.Detail)
		}
	}
	fmt.Fprintln(out)
}

// String names what the entry is about.
func (e ExpectedDifference) String() string {
	words := []string{e.What}
	for _, word := range []string{e.Layer, e.Rule} {
		if word != "" {
			words = append(words, word)
		}
	}
	where := e.Suite
	if e.Document != "" {
		where += "/" + e.Document
	}
	return strings.Join(words, " ") + ": " + where
}

// WriteJSON writes the whole report.
func (r *Report) WriteJSON(w io.Writer) error {
	return writeJSON(w, struct {
		OK bool `json:"ok"`
		*Report
	}{r.OK(), r})
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// WriteJUnit writes one test case for each rule of each suite, and one for each
// accepted difference that no longer occurs.
func (r *Report) WriteJUnit(w io.Writer) error {
	var all junit.Report
	for i := range r.Suites {
		s := &r.Suites[i]
		suite := &junit.Suite{Name: s.Suite}
		for _, text := range s.Unreadable {
			suite.Add(junit.Case{Class: s.Suite, Name: "documents", Error: &junit.Failure{Message: text}})
		}
		for _, rule := range s.Rules {
			suite.Add(r.junitCase(s.Suite, rule))
		}
		all.Add(suite)
	}
	if len(r.Stale) > 0 {
		suite := &junit.Suite{Name: "expected differences"}
		for _, e := range r.Stale {
			suite.Add(junit.Case{Class: suite.Name, Name: e.String(), Failure: &junit.Failure{Message: "no longer occurs; remove it from the list"}})
		}
		all.Add(suite)
	}
	return all.Write(w)
}

func (r *Report) junitCase(suite string, rule RuleReport) junit.Case {
	c := junit.Case{Class: suite + "." + rule.Layer, Name: strings.TrimSpace(rule.Rule + " " + rule.Level)}
	var lines []string
	for i := range r.Differences {
		d := &r.Differences[i]
		if d.Accepted == "" && d.Suite == suite && d.Layer == rule.Layer && d.Rule == rule.Rule && d.Level == rule.Level {
			lines = append(lines, d.String())
		}
	}
	if len(lines) > 0 {
		c.Failure = &junit.Failure{
			Message: fmt.Sprintf("%d missed, %d extra, of which %d accepted", rule.Missed, rule.Extra, rule.Accepted),
			Text:    strings.Join(lines, "\n"),
		}
	}
	return c
}
