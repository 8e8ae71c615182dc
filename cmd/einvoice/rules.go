package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List, explain, test and check rules",
	}
	cmd.AddCommand(newRulesList(), newRulesShow(), newRulesTest(), newRulesCheck(), newRulesCompile(), newRulesExport(), newRulesFunctions(), newRulesCoverage(), newRulesDiff())
	return cmd
}

func newRulesList() *cobra.Command {
	var dir string
	var at engine.Day
	cmd := &cobra.Command{
		Use:   "list [RULESET...]",
		Short: "List the rules of rulesets, the newest version of each by default",
		Example: `  einvoice rules list
  einvoice rules list en16931/1.3.16
  einvoice rules list --at 2027-01-01`,
		RunE: func(cmd *cobra.Command, args []string) error {
			library, err := openLibrary(dir)
			if err != nil {
				return err
			}
			sets, err := chosenAt(library, args, at)
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, s := range sets {
				fmt.Fprintf(table, "%s %s\t%s\t%s\tsha256 %s%s\n", s.Name, s.Version, s.Layer, report.Count(len(s.Rules), "rule"), s.SHA256[:12], inForce(s.Effective))
				for _, r := range s.Rules {
					fmt.Fprintf(table, "  %s\t%s\t%s\t%s%s\n", r.ID, r.Level, strings.Join(r.BTCodes.Value, " "), r.Text, inForce(r.Effective))
				}
			}
			return table.Flush()
		},
	}
	rulesetsFlag(cmd, &dir)
	dayFlag(cmd, &at, "the versions and rules that are in force on this day alone")
	return cmd
}

// inForce tells when something is, if not always.
func inForce(p engine.Period) string {
	if p == (engine.Period{}) {
		return ""
	}
	return fmt.Sprintf(" (in force %s)", p)
}

// chosenAt is chosen with what is in force on a day alone; "" for no day.
func chosenAt(library *engine.Library, refs []string, at engine.Day) ([]*engine.Ruleset, error) {
	if at == "" {
		return chosen(library, refs)
	}
	all := len(refs) == 0
	if all {
		versions, err := library.Versions()
		if err != nil {
			return nil, err
		}
		refs = slices.Sorted(maps.Keys(versions))
	}
	var sets []*engine.Ruleset
	for _, ref := range refs {
		if !strings.Contains(ref, "/") {
			version, err := library.VersionAt(ref, at)
			if _, none := errors.AsType[*engine.NotInForceError](err); none && all {
				continue
			}
			if err != nil {
				return nil, err
			}
			ref = version
		}
		s, err := library.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s.At(at))
	}
	return sets, nil
}

// chosen are the named rulesets, or the newest version of every family.
func chosen(library *engine.Library, refs []string) ([]*engine.Ruleset, error) {
	if len(refs) == 0 {
		versions, err := library.Versions()
		if err != nil {
			return nil, err
		}
		refs = slices.Sorted(maps.Keys(versions))
	}
	var sets []*engine.Ruleset
	for _, ref := range refs {
		s, err := library.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

func newRulesShow() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show RULE",
		Short:   "Print a rule's card: what it says, why, its terms, expression and examples",
		Example: "  einvoice rules show BR-CO-10",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			library, err := openLibrary(dir)
			if err != nil {
				return err
			}
			sets, err := chosen(library, nil)
			if err != nil {
				return err
			}
			found := false
			for _, s := range sets {
				r, ok := s.Rule(args[0])
				if !ok {
					continue
				}
				found = true
				if asJSON {
					if err := writeJSON(cmd.OutOrStdout(), ruletest.CardOf(r, s)); err != nil {
						return err
					}
					continue
				}
				printCard(cmd.OutOrStdout(), ruletest.CardOf(r, s))
			}
			if !found {
				return fmt.Errorf("there is no rule %s; `einvoice rules list` names them all", args[0])
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the card as JSON")
	rulesetsFlag(cmd, &dir)
	return cmd
}

func printCard(w io.Writer, c ruletest.Card) {
	fmt.Fprintf(w, "%s  %s  (%s %s, layer %s)\n\n", c.ID, c.Level, c.Ruleset, c.Version, c.Layer)
	for _, line := range report.Wrap(c.Text, 92) {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintf(w, "\nTo mend it\n")
	for _, line := range report.Wrap(c.Message, 92) {
		fmt.Fprintf(w, "  %s\n", line)
	}
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
			for _, line := range report.Wrap(f.Reason, 92) {
				fmt.Fprintf(w, "  %s\n", line)
			}
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
	fmt.Fprintf(w, "\nWritten in %s:%d\n", c.File, c.Line)
}

func newRulesTest() *cobra.Command {
	var run string
	cmd := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Run the examples beside the rules: those of a folder, or all built-in ones",
		Example: `  einvoice rules test
  einvoice rules test my-rules/
  einvoice rules test --run '^CO-' my-rules/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := regexp.Compile(run)
			if err != nil {
				return fmt.Errorf("--run %q is no regular expression: %w", run, err)
			}
			library, err := openLibrary(args...)
			if err != nil {
				return err
			}
			return testExamples(cmd.OutOrStdout(), library, ids)
		},
	}
	cmd.Flags().StringVar(&run, "run", "", "only rules whose ids match this regular expression")
	return cmd
}

func testExamples(w io.Writer, library *engine.Library, ids *regexp.Regexp) error {
	sets, err := library.OwnRulesets()
	if err != nil {
		return err
	}
	run, failed, rules := 0, 0, 0
	for _, s := range sets {
		chosen := slices.DeleteFunc(slices.Clone(library.OwnRules(s)), func(r *engine.Rule) bool { return !ids.MatchString(r.ID) })
		rules += len(chosen)
		for _, r := range ruletest.Examples(library, chosen, readDocument) {
			run++
			if !r.OK() {
				failed++
				fmt.Fprintf(w, "%s:%d: %s: %s\n", r.File, r.Line, r.Rule, r.Error)
			}
		}
	}
	if rules == 0 && ids.String() != "" {
		return fmt.Errorf("no rule of the folder has an id that matches %q", ids)
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", run-failed, failed)
	if failed > 0 {
		return errInvalid
	}
	return nil
}

func readDocument(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

func newRulesCheck() *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:     "check DIR",
		Short:   "Check that a folder of rulesets loads, and print every mistake with its place",
		Example: "  einvoice rules check my-rules/",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edited, err := openFolder(args[0])
			if err != nil {
				return err
			}
			library, err := engine.Open(engine.Layered(edited, builtIn))
			if err != nil {
				return err
			}
			err = library.Check(strict)
			var mistakes engine.LoadErrors
			if errors.As(err, &mistakes) {
				for _, m := range mistakes {
					fmt.Fprintln(cmd.OutOrStdout(), m)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n", report.Count(len(mistakes), "mistake"))
				return errInvalid
			}
			if err != nil {
				return err
			}
			contents, err := library.Contents()
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "no mistakes in %s\n", inWords(contents))
			return nil
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "also ask of every rule an example that fires and one that passes")
	return cmd
}

// inWords says what a folder of rulesets holds.
func inWords(c engine.Contents) string {
	words := []string{report.Count(c.Files, "file")}
	for _, part := range []struct {
		n    int
		what string
	}{{c.Rulesets, "ruleset"}, {c.Rules, "rule"}, {c.Rows, "table row"}, {c.Examples, "example"}, {c.CodeLists, "code list"}, {c.Profiles, "profile"}, {c.Overlays, "overlay"}, {c.Changes, "change"}, {c.Invoices, "example invoice"}, {c.Words, "translation file"}} {
		if part.n > 0 {
			words = append(words, report.Count(part.n, part.what))
		}
	}
	return strings.Join(words, ", ")
}

func newRulesFunctions() *cobra.Command {
	return &cobra.Command{
		Use:   "functions",
		Short: "Print the functions that rules may call",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, f := range expr.Functions() {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n", f.Name)
				for _, s := range f.Signatures {
					fmt.Fprintf(cmd.OutOrStdout(), "  %s\n", s)
				}
				for _, line := range report.Wrap(f.Doc, 88) {
					fmt.Fprintf(cmd.OutOrStdout(), "    %s\n", line)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "    example: %s\n\n", f.Example)
			}
			return nil
		},
	}
}
