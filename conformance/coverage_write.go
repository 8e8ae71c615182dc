package conformance

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"einvoice/model/numeral"
)

// WriteText writes the counts for each ruleset, and the rules with faults or all rules.
func (r *CoverageReport) WriteText(w io.Writer, allRules bool) error {
	out := bufio.NewWriter(w)
	var names []string
	for i := range r.Rules {
		if name := r.Rules[i].Ruleset; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		r.writeRuleset(out, name)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "\nRULE\tRULESET\tRAN\tFIRED\tPASSED\tEXAMPLES THAT FIRE\tAND PASS\t\n"
	for _, c := range r.Rules {
		if !allRules && c.Fault == "" {
			continue
		}
		fmt.Fprintf(table, "%s%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\n", head, c.Rule, c.Ruleset, c.Ran, c.Fired, c.Passed, c.FiresInExample, c.PassesInExample, c.Fault)
		head = ""
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s over %s: %d without sufficient cover\n", numeral.Count(len(r.Rules), "rule"), numeral.Count(r.Documents, "document"), len(r.faults()))
	if n := r.excused(); n > 0 {
		fmt.Fprintf(out, "%d more are in rulesets that say why their rules lack examples; none of these was seen to work both ways\n", n)
	}
	return out.Flush()
}

func (r *CoverageReport) writeRuleset(out io.Writer, name string) {
	var rules, inSuite, inExample, smallest, never int
	for _, c := range r.Rules {
		if c.Ruleset != name {
			continue
		}
		rules++
		switch {
		case c.NeverFires != "":
			never++
		case c.Fired > 0:
			inSuite++
		case c.FiresInExample > 0 && c.Row:
			smallest++
		case c.FiresInExample > 0:
			inExample++
		}
	}
	fmt.Fprintf(out, "%s: %s; fired in a suite %d, only in an example %d, only on a row's smallest document %d; known never to fire %d\n",
		name, numeral.Count(rules, "rule"), inSuite, inExample, smallest, never)
}

// WriteJSON writes the whole report.
func (r *CoverageReport) WriteJSON(w io.Writer) error {
	return writeJSON(w, struct {
		OK bool `json:"ok"`
		*CoverageReport
	}{r.OK(), r})
}
