package cli

import (
	"fmt"
	"os"

	"einvoice/conformance"

	"github.com/spf13/cobra"
)

type conformanceOptions struct {
	output   string
	expected string
	rulesets string
	allRules bool
}

func newConformance() *cobra.Command {
	var o conformanceOptions
	cmd := &cobra.Command{
		Use:   "conformance [flags] DIR...",
		Short: "Compare the validator with the published artefacts' verdicts on the official test documents",
		Long: `Conformance validates the test documents in each DIR, and all folders below, with the
bare rulesets en16931 and xrechnung, or peppol in place of xrechnung where the verdicts
are those of OpenPEPPOL, and compares rule by rule and level by level with what the
published artefacts say of them.

DIR is a clone of an official repository (plain documents, CEN testSet files,
instances with xmute instructions) or a prepared suite (verdicts.jsonl and
manifest.jsonl beside the documents). The artefacts' verdicts on the official
documents are recorded in the program, by the document's SHA-256.

Exit status: 0 when all agrees but for the expected differences, 1 when something
differs or an expected difference no longer occurs, 2 when something could not be
read or nothing was there to compare.`,
		Example: `  einvoice conformance suites/
  einvoice conformance eInvoicing-EN16931/test xrechnung-schematron/test/instances
  einvoice conformance --output junit suites/ > conformance.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "text", "how to report: text, json, junit")
	f.StringVar(&o.expected, "expected", "", "file of expected differences instead of the built-in list")
	f.BoolVar(&o.allRules, "all-rules", false, "in text, also list the rules that agree everywhere")
	rulesetsFlag(cmd, &o.rulesets)
	_ = cmd.MarkFlagFilename("expected", "yaml")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "junit"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *conformanceOptions) run(cmd *cobra.Command, dirs []string) error {
	write, err := o.writer(cmd)
	if err != nil {
		return err
	}
	expected, err := o.expectedDifferences()
	if err != nil {
		return err
	}
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	suites, err := conformance.Collect(dirs...)
	if err != nil {
		return err
	}
	report, err := conformance.Run(cmd.Context(), library, suites, expected)
	if err != nil {
		return err
	}
	if err := write(report); err != nil {
		return err
	}
	switch {
	case report.Unreadable > 0:
		return errReported
	case !report.OK():
		return errInvalid
	}
	return nil
}

func (o *conformanceOptions) writer(cmd *cobra.Command) (func(*conformance.Report) error, error) {
	w := cmd.OutOrStdout()
	switch o.output {
	case "text":
		return func(r *conformance.Report) error { return r.WriteText(w, o.allRules) }, nil
	case "json":
		return func(r *conformance.Report) error { return r.WriteJSON(w) }, nil
	case "junit":
		return func(r *conformance.Report) error { return r.WriteJUnit(w) }, nil
	}
	return nil, fmt.Errorf("unknown output %q: use text, json or junit", o.output)
}

func (o *conformanceOptions) expectedDifferences() ([]conformance.ExpectedDifference, error) {
	if o.expected == "" {
		return conformance.ShippedDifferences()
	}
	data, err := os.ReadFile(o.expected)
	if err != nil {
		return nil, err
	}
	return conformance.ReadExpectedDifferences(o.expected, data)
}
