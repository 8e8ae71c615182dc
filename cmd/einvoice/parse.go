package main

import (
	"fmt"

	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/xmlparse"
	"einvoice/service"

	"github.com/spf13/cobra"
)

func newParse() *cobra.Command {
	out := "-"
	details := false
	limits := xmlparse.DefaultLimits()
	pages := parse.DefaultLimits().Pages
	cmd := &cobra.Command{
		Use:   "parse [flags] FILE",
		Short: "Read an invoice off the pages of a PDF",
		Long: `Parse reads what the pages of a PDF show, and writes the invoice as JSON, in the form
that create takes. XML that is attached to the PDF is not opened; extract json reads
that. FILE has text on its pages; text in pictures is not read. "-" is standard input.

With --details, the JSON says of each value where it is printed and how sure it is,
and what a person should look at.`,
		Example: "  einvoice parse invoice.pdf\n  einvoice parse --details invoice.pdf -o read.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readInput(args[0], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			s, err := service.Open(service.Config{Read: formats.Options{Limits: limits}, Parse: parse.Limits{Pages: pages}})
			if err != nil {
				return err
			}
			parsing, err := s.Parse(cmd.Context(), data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			body, err := parsing.JSON(details)
			if err != nil {
				return err
			}
			if body, err = indented(body); err != nil {
				return err
			}
			return writeOutput(cmd.OutOrStdout(), out, body)
		},
	}
	cmd.Flags().BoolVar(&details, "details", details, "say where each value is from, and what the rules say of the invoice")
	cmd.Flags().StringVarP(&out, "output", "o", out, "file to write to")
	cmd.Flags().IntVar(&pages, "parse-pages", pages, "most pages")
	cmd.Flags().IntVar(&limits.Bytes, "max-bytes", limits.Bytes, "largest file in bytes")
	return cmd
}
