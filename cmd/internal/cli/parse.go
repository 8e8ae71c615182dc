package cli

import (
	"bytes"
	"fmt"
	"strings"

	"einvoice/formats"
	pages "einvoice/formats/parse"
	"einvoice/formats/parse/llm"
	"einvoice/formats/parse/ocr"
	"einvoice/formats/xmlparse"
	"einvoice/service/operation"
	"einvoice/service/parse"
	"einvoice/service/report"

	"github.com/spf13/cobra"
)

func newParse() *cobra.Command {
	out := "-"
	details, asHTML, accept := false, false, 0.0
	limits := xmlparse.DefaultLimits()
	reading := pages.DefaultLimits()
	program, languages, language := "", "", ""
	model := llm.DefaultConfig()
	cmd := &cobra.Command{
		Use:   "parse [flags] FILE",
		Short: "Read an invoice off the pages of a PDF or a picture",
		Long: `Parse reads what the pages of a PDF show, or a picture (JPEG, PNG, TIFF), and writes the
invoice as JSON, in the form that create takes. XML that is attached to the PDF is not
opened; extract json reads that. "-" is standard input.

Text in pictures is recognised by the program Tesseract, where it is on the PATH or
named by --ocr.

With --parse-model-url, the text of the pages is sent to a large language model, which
says what is what by the words of the pages; docs/parse.md says how far it is believed.

A file with several invoices gives a list of its documents ("documents"), each with its pages,
its kind and its own invoice. Other documents behind an invoice, such as an order confirmation,
and copies are not read.

With --details, the JSON says of each value where it is printed and how sure it is,
and what a person should look at. With --html, one page for people says so: the words at
their places with a box around each value, beside the values, doubts and findings.`,
		Example: "  einvoice parse invoice.pdf\n  einvoice parse --details invoice.pdf -o read.json\n  einvoice parse --html invoice.pdf -o read.html\n  einvoice parse --ocr-languages deu+pol scan.jpg",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, said, err := openLibraryIn(language)
			if err != nil {
				return err
			}
			data, err := readInput(args[0], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			config := operation.Config{Read: formats.Options{Limits: limits}, Parse: reading}
			recogniser, err := ocr.Choose(cmd.Context(), program, languages)
			if err != nil {
				return err
			}
			if recogniser != nil {
				config.OCR = recogniser
			}
			asked, err := llm.New(model)
			if err != nil {
				return err
			}
			if asked != nil {
				config.Model = asked
			}
			s, err := operation.Open(config)
			if err != nil {
				return err
			}
			file, err := s.Reader.File(cmd.Context(), data)
			if err != nil {
				return inFile(args[0], err)
			}
			if err := file.Translate(said); err != nil {
				return err
			}
			if !details && !asHTML {
				for _, parsing := range file.Invoices() {
					if f := parsing.ModelWarning(); f != nil {
						tell(cmd, "warning: %s", f.Message)
					}
				}
			}
			accepted := true
			if accept > 0 {
				accepted = file.Decide(accept)
				invoices := file.Invoices()
				for _, parsing := range invoices {
					line := decisionLine(parsing.Decision)
					if len(invoices) > 1 {
						line = fmt.Sprintf("page %d: %s", parsing.FirstPage(), line)
					}
					tell(cmd, "%s", line)
				}
			}
			write := parsedJSON
			if asHTML {
				write = parsedHTML
			}
			body, err := write(file, args[0], details)
			if err != nil {
				return err
			}
			if err := writeOutput(cmd.OutOrStdout(), out, body); err != nil {
				return err
			}
			if !accepted {
				return errInvalid
			}
			return nil
		},
	}
	confidenceVar(cmd.Flags(), &accept, "accept", "report whether all values that posting and payment need are at least this `sure`, such as 0.95; exit status 1 if a person has to look")
	cmd.Flags().BoolVar(&details, "details", details, "say where each value is from, and what the rules say of the invoice")
	cmd.Flags().BoolVar(&asHTML, "html", asHTML, "write a page for people that loads nothing, with boxes around the values")
	cmd.MarkFlagsMutuallyExclusive("details", "html")
	messagesFlag(cmd, &language)
	cmd.MarkFlagsMutuallyExclusive("html", "language") // the page is English
	cmd.Flags().StringVarP(&out, "output", "o", out, "file to write to")
	cmd.Flags().StringVar(&program, "ocr", program, "`program` (Tesseract) that recognises text in pictures, or none; without it the one on the PATH")
	cmd.Flags().StringVar(&languages, "ocr-languages", languages, "its names of languages, such as deu+pol; without it those of eng, deu and fra that are there")
	countVar(cmd.Flags(), &reading.Pages, "parse-pages", "most pages")
	countVar(cmd.Flags(), &reading.Pixels, "parse-pixels", "most pixels of a picture of a page")
	modelFlags(cmd.Flags(), &model)
	countVar(cmd.Flags(), &limits.Bytes, "max-bytes", "largest file in bytes")
	return cmd
}

// decisionLine is a decision for people: what to look at, the most money at risk first.
func decisionLine(d *pages.Decision) string {
	switch {
	case d.Accept:
		return "accept"
	case len(d.Fields) == 0:
		return "review: see the findings (--details)"
	}
	return "review: " + strings.Join(d.Fields, ", ")
}

func parsedJSON(f parse.File, _ string, details bool) ([]byte, error) {
	body, err := f.JSON(details)
	if err != nil {
		return nil, err
	}
	return indented(body)
}

func parsedHTML(f parse.File, file string, _ bool) ([]byte, error) {
	p, err := f.Single()
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = report.Parsed(&page, file, p.Result, p.Findings)
	return page.Bytes(), err
}
