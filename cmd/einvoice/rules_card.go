package main

import (
	"fmt"
	"io"
	"strings"

	"einvoice/engine/ruletest"
	"einvoice/service/report"
)

func printCard(w io.Writer, c ruletest.Card) {
	fmt.Fprintf(w, "%s  %s  (%s %s, layer %s)\n\n", c.ID, c.Level, c.Ruleset, c.Version, c.Layer)
	printWrapped(w, c.Text)
	fmt.Fprintf(w, "\nTo mend it\n")
	printWrapped(w, c.Message)
	if len(c.Terms) > 0 {
		fmt.Fprintf(w, "\nTerms\n")
		for _, t := range c.Terms {
			fmt.Fprintf(w, "  %-10s %s\n", t.Code, t.Name)
		}
	}
	if len(c.Fields) > 0 {
		fmt.Fprintf(w, "\nFields\n  %s\n", strings.Join(c.Fields, ", "))
	}
	for _, f := range c.Forms {
		fmt.Fprintf(w, "\nDecided%s\n", f.Title())
		if f.Reason != "" {
			printWrapped(w, f.Reason)
		}
		if f.Applies {
			fmt.Fprintf(w, "  for each  %s\n", f.Context)
			for i, line := range strings.Split(f.Assert, "\n") {
				fmt.Fprintf(w, "  %-9s %s\n", map[bool]string{true: "assert"}[i == 0], line)
			}
		}
	}
	if len(c.Examples) > 0 {
		fmt.Fprintf(w, "\nExamples\n")
		for _, e := range c.Examples {
			fmt.Fprintf(w, "  %s\n", e)
		}
	}
	if c.NeverFires != "" {
		fmt.Fprintf(w, "\nNever fires\n")
		printWrapped(w, c.NeverFires)
	}
	printReferences(w, c)
	fmt.Fprintf(w, "\nWritten in %s:%d\n", c.File, c.Line)
}

func printWrapped(w io.Writer, text string) {
	for _, line := range report.Wrap(text, 92) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// printReferences prints what refers to a rule.
func printReferences(w io.Writer, c ruletest.Card) {
	for _, part := range []struct {
		title string
		names []string
	}{{"In", c.Rulesets}, {"Left out by", c.LeftOutBy}, {"Run by the profiles", c.Profiles}} {
		if len(part.names) > 0 {
			fmt.Fprintf(w, "\n%s\n", part.title)
			printWrapped(w, strings.Join(part.names, ", "))
		}
	}
	for _, o := range c.Overlays {
		where := ""
		if o.Where != "" {
			where = " for " + o.Where
		}
		fmt.Fprintf(w, "\n%s%s by the overlay %s", o.Level, where, o.Overlay)
		if len(o.Profiles) > 0 {
			fmt.Fprintf(w, ", of %s", strings.Join(o.Profiles, ", "))
		}
		if o.Until != "" {
			fmt.Fprintf(w, ", until %s", o.Until)
		}
		fmt.Fprintln(w)
		printWrapped(w, o.Reason)
	}
	if c.Source != nil {
		fmt.Fprintf(w, "\nPublished in\n")
		printWrapped(w, strings.TrimSpace(fmt.Sprintf("%s %s %s", c.Source.Artefact, c.Source.Version, c.Source.URL)))
	}
}
