package cli

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"einvoice/formats"
	"einvoice/formats/pdf/verapdf"
	"einvoice/formats/xmlparse"
	"einvoice/model/numeral"
	"einvoice/server"
	"einvoice/service/operation"
	"einvoice/service/report"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

type validateOptions struct {
	validating
	output   string
	rulesets string
	explain  string // the id of a rule
	verapdf  string
	limits   xmlparse.Limits
	jobs     int
}

func newValidate() *cobra.Command {
	o := validateOptions{limits: xmlparse.DefaultLimits()}
	cmd := &cobra.Command{
		Use:   "validate [flags] PATH...",
		Short: "Validate invoices and say what is wrong, where, and what to do",
		Long: `Validate checks each document against the rulesets of the profile that it declares
in its specification identifier (BT-24).

Of a PDF (Factur-X, ZUGFeRD), the invoice attached to it is validated, and the PDF
itself by the rules of the layer container; --rules en16931 leaves the PDF out.
With --verapdf the program veraPDF judges it too, as the PDF/A that it claims to be.

PATH is a file, a folder (searched for .xml and .pdf with all folders below), "-"
for standard input, or "@LIST" for a file that names one path a line.`,
		Example: `  einvoice validate invoice.xml
  einvoice validate --output json invoices/ > report.json
  einvoice validate --rules en16931 - < invoice.xml
  einvoice validate --rulesets my-rules/ @list.txt
  einvoice validate --overlay acme/ invoice.xml
  einvoice validate --at 2027-01-01 invoice.xml
  einvoice validate --explain BR-CO-15 invoice.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "text", "how to report: "+strings.Join(report.Names(), ", "))
	o.validating.flags(cmd)
	f.Lookup("language").Usage += "; without it, supplier is in the main language of the seller's country, if everything is translated into that (de, fr)"
	f.StringVar(&o.verapdf, "verapdf", "", "have veraPDF judge PDFs: --verapdf=`program`, or --verapdf alone to look for it on the PATH and in bin/verapdf")
	f.Lookup("verapdf").NoOptDefVal = "verapdf"
	f.StringVar(&o.explain, "explain", "", "instead of a report, print how this `RULE` was decided, with the value of every part of its assertion")
	o.jobs = runtime.GOMAXPROCS(0)
	countVar(f, &o.jobs, "jobs", "documents validated at a time")
	limitsFlags(f, &o.limits)
	rulesetsFlag(cmd, &o.rulesets)
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(report.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *validateOptions) run(cmd *cobra.Command, args []string) error {
	format := report.Named(o.output)
	if format == nil {
		return fmt.Errorf("unknown output %q: use one of %s", o.output, strings.Join(report.Names(), ", "))
	}
	paths, err := inputs(args)
	if err != nil {
		return err
	}
	if err := format.Holds(len(paths)); err != nil && o.explain == "" {
		return err
	}
	library, language, err := o.open(o.rulesets)
	if err != nil {
		return err
	}
	config := operation.Config{Read: formats.Options{Limits: o.limits}}
	if o.verapdf != "" {
		if config.VeraPDF, err = verapdf.Find(o.verapdf); err != nil {
			return err
		}
	}
	b := &batch{
		service: operation.New(library, config), language: language, rules: o.rules,
		paths: paths, stdin: cmd.InOrStdin(), limit: int64(o.limits.Bytes), jobs: o.jobs,
		report: format.New(cmd.OutOrStdout(), report.Options{Library: library, Version: server.Version, Color: inColor(cmd.OutOrStdout()), Words: language, LanguageAsked: o.language != ""}),
	}
	if err := b.service.CheckRules(b.rules); err != nil {
		return err
	}
	if o.explain != "" {
		return o.explainRule(cmd, b.service, b.rules, language, paths)
	}
	summary, err := b.run(cmd)
	if err != nil {
		return err
	}
	switch {
	case summary.Stopped:
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: stopped after %d of %s\n", summary.Documents, numeral.Count(summary.Asked, "document"))
		return errReported
	case summary.Unreadable > 0:
		return errReported
	case summary.Invalid > 0:
		return errInvalid
	}
	return nil
}

// progress shows a bar for long runs, on a terminal that the report does not
// go to.
func progress(stderr, stdout io.Writer, documents int) *progressbar.ProgressBar {
	const long = 50
	if documents < long || !isTerminal(stderr) || isTerminal(stdout) {
		return progressbar.DefaultSilent(int64(documents))
	}
	return newBar(stderr, documents)
}

func newBar(stderr io.Writer, documents int) *progressbar.ProgressBar {
	return progressbar.NewOptions(documents, progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription("validating"), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

func completeRulesets(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	library, err := openLibrary("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	versions, err := library.Versions()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for family, all := range versions {
		out = append(out, family)
		for _, v := range all {
			out = append(out, family+"/"+v)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	library, err := openLibrary("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, p := range profiles {
		out = append(out, p.ID+"\t"+p.Name)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
