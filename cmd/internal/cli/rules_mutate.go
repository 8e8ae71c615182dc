package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model/numeral"

	"github.com/spf13/cobra"
)

func newRulesMutate() *cobra.Command {
	o := mutateOptions{}
	cmd := &cobra.Command{
		Use:   "mutate [flags] [DIR]",
		Short: "Change rules one bit at a time, and report the changes that no example notices",
		Long: `Mutate changes operators, constants, terms and contexts of rules, one at a time, and runs the
examples of the rule. A change that no example notices shows what the examples do not try: add an
example, or make the rule simpler. Rows of tables have no examples and are not changed.
If an example fails on the unchanged rule, nothing is changed and the exit status is 1.

With --on, only changes count that decide otherwise on some document there: others may be
no change at all.`,
		Example: `  einvoice rules mutate my-rules/
  einvoice rules mutate --run '^BR-CO-' --on invoices/
  einvoice rules mutate --least 95 my-rules/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cmd.Flags().StringVar(&o.ids, "run", "", "only rules whose ids match this `REGEX`")
	cmd.Flags().StringVar(&o.on, "on", "", "count only changes that decide otherwise on an XML document in this folder; PDFs in it are skipped and counted")
	percentageVar(cmd.Flags(), &o.least, "least", "end with status 1 if examples notice less than this `percentage`")
	cmd.Flags().StringVarP(&o.output, "output", "o", "text", "how to report: text, json")
	_ = cmd.MarkFlagDirname("on")
	return cmd
}

type mutateOptions struct {
	ids, on, output string
	least           float64
}

// A survivor is a change that no example notices.
type survivor struct {
	File string `json:"file"`
	Line int    `json:"line"` // of the rule
	Rule string `json:"rule"`
	Form string `json:"form,omitempty"` // the syntax whose form was changed
	Part string `json:"part"`           // assert or context
	What string `json:"what"`
	Text string `json:"text"` // the part with the change
}

func (o *mutateOptions) run(cmd *cobra.Command, args []string) error {
	if o.output != "text" && o.output != "json" {
		return fmt.Errorf("unknown output %q: use text or json", o.output)
	}
	ids, err := regexp.Compile(o.ids)
	if err != nil {
		return fmt.Errorf("--run %q is not a regular expression: %w", o.ids, err)
	}
	library, err := openLibrary(args...)
	if err != nil {
		return err
	}
	sets, err := library.OwnRulesets()
	if err != nil {
		return err
	}
	var chosen []*engine.Rule
	for _, s := range sets {
		chosen = append(chosen, library.OwnRules(s)...)
	}
	chosen = slices.DeleteFunc(chosen, func(r *engine.Rule) bool { return !ids.MatchString(r.ID) })
	if failing(cmd, library, chosen) { // it would notice every change
		return errInvalid
	}
	mutants, err := ruletest.Mutants(cmd.Context(), library, chosen, readDocument)
	if err != nil {
		return err
	}
	documents := 0
	tellSkipped(cmd, o.on)
	if o.on != "" {
		suites, err := conformance.Collect(o.on)
		if err != nil {
			return err
		}
		if mutants, documents, err = conformance.DifferingMutants(cmd.Context(), library, mutants, suites); err != nil {
			return err
		}
	}
	if len(mutants) == 0 {
		return fmt.Errorf("there is nothing to change: no rule with an assertion is chosen, or no change differs on a document")
	}
	return o.report(cmd.OutOrStdout(), mutants, documents)
}

// failing reports whether an example fails on a rule as it stands, and writes those that do.
func failing(cmd *cobra.Command, library *engine.Library, rules []*engine.Rule) (some bool) {
	for _, r := range ruletest.Examples(library, rules, readDocument) {
		if !r.OK() {
			some = true
			said := fmt.Sprintf("an example of %s fails on the unchanged rule: %s", r.Rule, r.Error)
			fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d: %s\n", r.File, r.Line, spoken(cmd).Say(said))
		}
	}
	return some
}

func (o *mutateOptions) report(w io.Writer, mutants []ruletest.Mutant, documents int) error {
	survivors := []survivor{}
	for i := range mutants {
		if m := &mutants[i]; !m.Killed {
			survivors = append(survivors, survivor{m.Rule.File(), m.Rule.Line(), m.Rule.ID, m.Form, m.Part, m.What, m.Text})
		}
	}
	noticed := len(mutants) - len(survivors)
	percent := float64(noticed) / float64(len(mutants)) * 100
	if o.output == "json" {
		if err := writeJSON(w, map[string]any{"changes": len(mutants), "noticed": noticed, "documents": documents, "survivors": survivors}); err != nil {
			return err
		}
	} else {
		for _, s := range survivors {
			where := s.Part
			if s.Form != "" {
				where += " in " + s.Form
			}
			fmt.Fprintf(w, "%s:%d: %s: no example notices, in %s: %s\n", s.File, s.Line, s.Rule, where, s.What)
		}
		of := numeral.Count(len(mutants), "change")
		if o.on != "" {
			of += " that differ on " + numeral.Count(documents, "document")
		}
		fmt.Fprintf(w, "examples notice %d of %s: %.1f %%\n", noticed, of, percent)
	}
	if percent < o.least {
		return errInvalid
	}
	return nil
}
