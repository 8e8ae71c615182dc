package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/model/numeral"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

func newRender() *cobra.Command {
	file, to, language, date, losses := "-", "", "", "", lossesAsText
	look := pageOptions{}
	cmd := &cobra.Command{
		Use:   "render [flags] FILE",
		Short: "Show an invoice as the pages of a PDF, or as HTML or SVG",
		Long: `Render makes pages from an invoice in XML, with every term that it has. They are PDF/A-3 and
PDF/UA: they can be archived and read aloud. The invoice need not be valid. "-" is standard input.
"einvoice convert --to zugferd" makes a PDF that is an invoice itself. It reports on standard error, with
line, path, value and reason, what the document has and the pages do not show.

The pages look as invoices do in the country of the seller, or as --look says. HTML and
SVG are one file each, in which the text of each term has its code (data-term) and its place in
a request (data-path).

The languages are ` + strings.Join(render.Languages(), ", ") + `.`,
		Example: `  einvoice render --language de invoice.xml -o invoice.pdf
  einvoice render --look acme.yaml invoice.xml -o invoice.pdf
  einvoice render --to html invoice.xml -o invoice.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				to = formatOfPages(file)
			}
			day, err := dateOf(date)
			if err != nil {
				return err
			}
			data, err := readInput(args[0], cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
			if err != nil {
				return err
			}
			config, err := look.config()
			if err != nil {
				return err
			}
			s, err := operation.Open(config)
			if err != nil {
				return err
			}
			doc, err := s.Read(cmd.Context(), data, validate.Accept{PDF: true, Legacy: true})
			if err != nil {
				return inFile(args[0], err)
			}
			tellLegacy(cmd, args[0], formats.LegacyName(doc))
			pages, err := s.Pages.Document(cmd.Context(), doc, render.Options{Language: language, Look: look.look, Date: day, To: to})
			if err != nil {
				return err
			}
			if err := reportLosses(cmd, losses, pages.Losses); err != nil {
				return err
			}
			if n := len(pages.Missing); n > 0 {
				tell(cmd, "the fonts do not have %s: %q; the pages show a mark for each", numeral.Count(n, "character"), string(pages.Missing))
			}
			tellUnshown(cmd, pages.Unshown)
			if err := tellUnsaid(cmd, pages.Report); err != nil {
				return err
			}
			return writeOutput(cmd.OutOrStdout(), file, pages.Data)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", file, "file to write the pages to")
	cmd.Flags().StringVar(&to, "to", to, "one of "+strings.Join(render.Formats(), ", ")+" (default that of the ending of --output, or pdf)")
	lossesFlag(cmd.Flags(), &losses)
	languageFlags(cmd.Flags(), &language, &date)
	look.flags(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(render.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("language", cobra.FixedCompletions(render.Languages(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// formatOfPages is the format that the ending of a file names; PDF for any other.
func formatOfPages(file string) string {
	if ending := strings.TrimPrefix(filepath.Ext(file), "."); slices.Contains(render.Formats(), ending) {
		return ending
	}
	return "pdf"
}
