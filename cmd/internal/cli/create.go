package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/write"

	"github.com/spf13/cobra"
)

type createOptions struct {
	rulesets, file, report string
	businessProcess        string
	strict                 bool
	makeOptions
}

func newCreate() *cobra.Command {
	o := createOptions{}
	cmd := &cobra.Command{
		Use:   "create [flags] FORMAT FILE",
		Short: "Make an invoice document from JSON",
		Long: `Create makes a document from the JSON form of an invoice. Totals, VAT breakdown and
line amounts are computed where they are left out; the specification identifier is
that of the format and profile. The document is written only if it fits its schema
and all fatal rules of its profile; otherwise the findings name the fields to correct.
zugferd and facturx are PDFs, PDF/A-3 with the XML attached; a profile such as
minimum takes part of the invoice only, and what it leaves out is reported.

FORMAT is ` + strings.Join(catalogue.ToCreate(), ", ") + `. FILE holds {"invoice": {...}, "options": {...}} or the invoice alone;
"-" is standard input. "einvoice terms --json-schema" prints what it may hold.`,
		Example: `  einvoice create xrechnung invoice.json -o invoice.xml
  einvoice create cii --profile peppol-bis-billing-3 - < invoice.json
  einvoice create zugferd --language de invoice.json -o invoice.pdf`,
		Args:      cobra.ExactArgs(2),
		ValidArgs: catalogue.ToCreate(),
		RunE:      func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "-", "file to write the document to")
	o.flags(f)
	f.BoolVar(&o.strict, "strict", false, "write nothing if the document would lack anything of the invoice")
	f.StringVar(&o.businessProcess, "business-process", "", "business process type (BT-23), whatever the invoice says")
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
	request, err := create.ReadRequestOrInvoice(cmd.Context(), data)
	if mistakes, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		return fmt.Errorf("%s is not an invoice that could be read:\n%w", file, mistakes)
	}
	if err != nil {
		return err
	}
	if request.Options == nil {
		request.Options = &write.Options{}
	}
	if o.businessProcess != "" {
		request.Options.BusinessProcess = model.NewText(o.businessProcess)
	}
	if err := o.over(request.Options); err != nil {
		return err
	}
	config, err := o.config()
	if err != nil {
		return err
	}
	created, err := create.Document(cmd.Context(), operation.New(library, config).Pages, format, request)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		if err := reportFindings(cmd, o.report, refused.Report); err != nil {
			return err
		}
		if err := reportLosses(cmd, o.report, refused.Losses); err != nil {
			return err
		}
		return errInvalid
	}
	if err != nil {
		return err
	}
	if err := reportFindings(cmd, o.report, created.Report); err != nil {
		return err
	}
	if err := reportLosses(cmd, o.report, created.Losses); err != nil {
		return err
	}
	if err := refuseLosses(o.strict || request.Options.IsStrict(), created.Losses); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), o.file, created.Data)
}

// reportFindings says what is wrong with a document that was made; as text it
// says nothing if there is nothing.
func reportFindings(cmd *cobra.Command, kind string, r *engine.Report) error {
	w, language := cmd.ErrOrStderr(), spoken(cmd)
	if err := r.Translate(language); err != nil {
		return err
	}
	switch kind {
	case "json":
		return writeJSON(w, r)
	case "text":
		for _, f := range r.Findings {
			level := string(f.Level)
			if f.Level == engine.Fatal {
				level = "error"
			}
			parts := []string{language.Say(level), f.Rule, strings.Join(f.BTCodes, " "), strings.Join(f.Fields, " ")}
			if f.Line != nil {
				parts = append(parts, language.Say(fmt.Sprintf("line %d", *f.Line)))
			}
			fmt.Fprintln(w, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "  "))
			fmt.Fprintln(w, "  "+quote.Visible(f.Message))
		}
		if !r.Valid {
			tell(cmd, "nothing was written: %s of %s", numeral.Count(r.Counts.Fatal, "violation"), r.Profile)
		}
		return nil
	}
	return fmt.Errorf("unknown report %q: use text or json", kind)
}
