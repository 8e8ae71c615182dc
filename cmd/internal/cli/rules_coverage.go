package cli

import (
	"fmt"

	"einvoice/conformance"

	"github.com/spf13/cobra"
)

func newRulesCoverage() *cobra.Command {
	var output, dir string
	var families []string
	var allRules bool
	cmd := &cobra.Command{
		Use:   "coverage [flags] DIR...",
		Short: "Report for every rule whether it ran, fired and passed on test documents and examples",
		Long: `Coverage runs all rulesets over the documents in each DIR (see "einvoice conformance" for what a
DIR may be), and the examples of every rule. It names each rule that fired nowhere or passed nowhere:
nothing shows that such a rule works. A rule that says why it never fires is left out. Overlays of
--rulesets are applied, and the rules that they add are counted too.

Exit status: 0 when every rule is covered, 1 when one is not, 2 when something
could not be read.`,
		Example: `  einvoice rules coverage suites/
  einvoice rules coverage --rulesets my-rules/ --rules company invoices/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output != "text" && output != "json" {
				return fmt.Errorf("unknown output %q: use text or json", output)
			}
			library, err := openLibrary(dir)
			if err != nil {
				return err
			}
			suites, err := conformance.Collect(args...)
			if err != nil {
				return err
			}
			report, err := conformance.Cover(cmd.Context(), library, suites, families...)
			if err != nil {
				return err
			}
			if output == "json" {
				err = report.WriteJSON(cmd.OutOrStdout())
			} else {
				err = report.WriteText(cmd.OutOrStdout(), allRules)
			}
			if err == nil && !report.OK() {
				err = errInvalid
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how to report: text, json")
	cmd.Flags().StringSliceVar(&families, "rules", nil, "look at these families of rules alone, comma-separated")
	cmd.Flags().BoolVar(&allRules, "all-rules", false, "in text, also list the rules that are covered")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	rulesetsFlag(cmd, &dir)
	return cmd
}
