package main

import (
	"errors"
	"fmt"

	"einvoice/formats/xmlparse"
	"einvoice/service"

	"github.com/spf13/cobra"
)

type embedOptions struct{ rulesets, file, report, date string }

func newEmbed() *cobra.Command {
	o := embedOptions{}
	cmd := &cobra.Command{
		Use:   "embed [flags] PDF XML",
		Short: "Attach an invoice to a PDF, as ZUGFeRD and Factur-X have it",
		Long: `Embed makes PDF/A-3 out of any PDF and attaches an invoice in CII to it, by the rules
of the profile that the invoice declares. The invoice has to be valid. What had to be
changed in the PDF is told; one that cannot be made PDF/A-3 is refused, with the
reason and the page.`,
		Example: `  einvoice embed letter.pdf invoice.xml -o invoice.pdf`,
		Args:    cobra.ExactArgs(2),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "-", "file to write the PDF to")
	f.StringVar(&o.report, "report", "text", "how to report findings on standard error: text or json")
	dateFlag(f, &o.date)
	rulesetsFlag(cmd, &o.rulesets)
	return cmd
}

func (o *embedOptions) run(cmd *cobra.Command, pdfFile, xmlFile string) error {
	date, err := dateOf(o.date)
	if err != nil {
		return err
	}
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return err
	}
	if pdfFile == "-" && xmlFile == "-" {
		return errors.New("only one of the two files can be standard input")
	}
	limit := int64(xmlparse.DefaultLimits().Bytes)
	pages, err := readInput(pdfFile, cmd.InOrStdin(), limit)
	if err != nil {
		return err
	}
	xml, err := readInput(xmlFile, cmd.InOrStdin(), limit)
	if err != nil {
		return err
	}
	made, err := service.New(library, service.Config{}).Embed(cmd.Context(), pages, xml, service.Embedding{Date: date})
	if refused, ok := errors.AsType[*service.Refused](err); ok {
		if err := reportFindings(cmd.ErrOrStderr(), o.report, refused.Report); err != nil {
			return err
		}
		return errInvalid
	}
	if err != nil {
		return fmt.Errorf("nothing was attached: %w", err)
	}
	if err := reportFindings(cmd.ErrOrStderr(), o.report, made.Report); err != nil {
		return err
	}
	return writeOutput(cmd.OutOrStdout(), o.file, made.Data)
}
