package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"einvoice/engine"
	"einvoice/engine/create"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/xmlparse"
	"einvoice/model"

	"github.com/spf13/cobra"
)

type createOptions struct {
	rulesets, file, report           string
	profile, businessProcess, syntax string
}

func newCreate() *cobra.Command {
	o := createOptions{}
	cmd := &cobra.Command{
		Use:   "create [flags] FORMAT FILE",
		Short: "Make an invoice document from JSON",
		Long: `Create makes a document from the JSON form of an invoice. Totals, VAT breakdown and
line amounts are computed where they are left out; the specification identifier is
that of the format and profile. The document is written only if it fits its schema
and all rules of its profile; otherwise the findings name the fields to correct.

FORMAT is ` + strings.Join(create.Formats(), ", ") + `. FILE holds {"invoice": {...}, "options": {...}} or the invoice alone;
"-" is standard input. "einvoice terms --json-schema" prints what it may hold.`,
		Example: `  einvoice create xrechnung invoice.json -o invoice.xml
  einvoice create cii --profile peppol-bis-billing-3 - < invoice.json`,
		Args:      cobra.ExactArgs(2),
		ValidArgs: create.Formats(),
		RunE:      func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "-", "file to write the document to")
	f.StringVar(&o.profile, "profile", "", "profile of the format, instead of its usual one")
	f.StringVar(&o.businessProcess, "business-process", "", "business process type (BT-23), whatever the invoice says")
	f.StringVar(&o.syntax, "syntax", "", "ubl or cii, for formats that have both")
	f.StringVar(&o.report, "report", "text", "how to report findings on standard error: text or json")
	rulesetsFlag(cmd, &o.rulesets)
	return cmd
}

func (o *createOptions) run(cmd *cobra.Command, format, file string) error {
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	data, err := readInput(file, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
	if err != nil {
		return err
	}
	request, err := create.ReadRequestOrInvoice(data)
	if mistakes, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		return fmt.Errorf("%s is no invoice that could be read:\n%w", file, mistakes)
	}
	if err != nil {
		return err
	}
	request.Options = o.over(request.Options)
	created, err := create.New(library, formats.Options{}).Create(cmd.Context(), format, request)
	if refused, ok := errors.AsType[*create.Refused](err); ok {
		if err := reportFindings(cmd.ErrOrStderr(), o.report, refused.Report); err != nil {
			return err
		}
		return errInvalid
	}
	if err != nil {
		return err
	}
	if err := reportFindings(cmd.ErrOrStderr(), o.report, created.Report); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), o.file, created.Data)
}

// over lays the flags over the options in the file.
func (o *createOptions) over(options *create.Options) *create.Options {
	if options == nil {
		options = &create.Options{}
	}
	for _, flag := range []struct {
		said string
		into *model.Text
	}{{o.profile, &options.Profile}, {o.businessProcess, &options.BusinessProcess}, {o.syntax, &options.Syntax}} {
		if flag.said != "" {
			*flag.into = model.NewText(flag.said)
		}
	}
	return options
}

// reportFindings says what is wrong with a document that was made; as text it
// says nothing if there is nothing.
func reportFindings(w io.Writer, kind string, report *engine.Report) error {
	switch kind {
	case "json":
		return writeJSON(w, report)
	case "text":
		for _, f := range report.Findings {
			level := string(f.Level)
			if f.Level == engine.Fatal {
				level = "error"
			}
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%s  %s  %s  %s", level, f.Rule, strings.Join(f.BTCodes, " "), strings.Join(f.Fields, " ")), " "))
			fmt.Fprintln(w, "  "+f.Message)
		}
		if !report.Valid {
			_, err := fmt.Fprintf(w, "nothing was written: %s of %s\n", plural(report.Counts.Fatal, "violation"), report.Profile)
			return err
		}
		return nil
	}
	return fmt.Errorf("unknown report %q: use text or json", kind)
}

// writeOutput writes a document to a file, or to standard output.
func writeOutput(stdout io.Writer, file string, data []byte) error {
	if file == "-" {
		_, err := stdout.Write(data)
		return err
	}
	return os.WriteFile(file, data, 0o644) //nolint:gosec // an invoice is as readable as any file that its user makes
}
