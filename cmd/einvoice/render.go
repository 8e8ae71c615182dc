package main

import (
	"fmt"
	"strings"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/service"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

func newRender() *cobra.Command {
	file, language, date, losses := "-", "", "", lossesAsText
	cmd := &cobra.Command{
		Use:   "render [flags] FILE",
		Short: "Show an invoice as the pages of a PDF",
		Long: `Render makes pages out of an invoice in XML, with every term that it carries. They
are PDF/A-3 and PDF/UA: they can be archived and read aloud. The invoice need not be
valid. "-" is standard input. "einvoice convert --to zugferd" makes a PDF that is an
invoice itself. What the document holds and the pages do not show is reported on
standard error with line, path, value and reason.

The languages are ` + strings.Join(service.Languages(), ", ") + `.`,
		Example: `  einvoice render --language de invoice.xml -o invoice.pdf`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			day, err := dateOf(date)
			if err != nil {
				return err
			}
			data, err := readInput(args[0], cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
			if err != nil {
				return err
			}
			s, err := service.Open(service.Config{})
			if err != nil {
				return err
			}
			doc, err := s.Read(cmd.Context(), data, service.Accept{PDF: true, Legacy: true})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			tellLegacy(cmd.ErrOrStderr(), args[0], formats.LegacyName(doc))
			pages, err := s.Render(doc, service.Rendering{Language: language, Date: day})
			if err != nil {
				return err
			}
			if err := reportLosses(cmd.ErrOrStderr(), losses, pages.Losses); err != nil {
				return err
			}
			if n := len(pages.Missing); n > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "the fonts do not have %s: %q; the pages show a mark for each\n", report.Count(n, "character"), string(pages.Missing))
			}
			return writeOutput(cmd.OutOrStdout(), file, pages.Data)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", file, "file to write the PDF to")
	lossesFlag(cmd.Flags(), &losses)
	languageFlags(cmd.Flags(), &language, &date)
	_ = cmd.RegisterFlagCompletionFunc("language", cobra.FixedCompletions(service.Languages(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
