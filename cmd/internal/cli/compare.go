package cli

import (
	"encoding/json"
	"fmt"

	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/xmlparse"
	"einvoice/service/compare"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

func newCompare() *cobra.Command {
	limits := xmlparse.DefaultLimits()
	asJSON := false
	cmd := &cobra.Command{
		Use:   "compare [flags] FILE",
		Short: "Report where the pages of a PDF contradict the invoice attached to it",
		Long: `Compare reads the pages of a hybrid PDF (Factur-X, ZUGFeRD) as parse does, and says where
the attached invoice has another value than the one that the pages surely show for it. It looks
at number, issue date, day to pay by, currency, order (BT-13), VAT identifiers of seller and
buyer, the first account, totals (but BT-107, BT-108, BT-111 and BT-114) and, where both have as
many lines, their net amounts, and at nothing else. An amount or a day that stands elsewhere on
the pages does not count. "-" is standard input.

The exit status is 1 if there is a contradiction.`,
		Example: "  einvoice compare invoice.pdf\n  einvoice compare --json invoice.pdf",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readInput(args[0], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			s, err := operation.Open(operation.Config{Read: formats.Options{Limits: limits}})
			if err != nil {
				return err
			}
			found, err := compare.Document(cmd.Context(), s.Reader, data)
			if err != nil {
				return inFile(args[0], err)
			}
			body := []byte(contradictions(args[0], found, spoken(cmd)))
			if asJSON {
				if body, err = json.MarshalIndent(found, "", "  "); err != nil {
					return err
				}
				body = append(body, '\n')
			}
			if err := writeOutput(cmd.OutOrStdout(), "-", body); err != nil {
				return err
			}
			if len(found) > 0 {
				return errInvalid
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "write a list of contradictions as JSON, with the place of each on its page")
	countVar(cmd.Flags(), &limits.Bytes, "max-bytes", "largest file in bytes")
	return cmd
}

// contradictions is the report for people.
func contradictions(file string, found []parse.Contradiction, language *words.Language) string {
	if len(found) == 0 {
		return language.Say(file+": the pages do not contradict the attached invoice") + "\n"
	}
	lines := language.Say(file+": the pages contradict the attached invoice") + "\n"
	for _, c := range found {
		lines += language.Say(fmt.Sprintf("  %s: attached %q, page %d shows %q", parse.Dotted(c.Pointer), c.Attached, c.Page, c.Printed)) + "\n"
	}
	return lines
}
