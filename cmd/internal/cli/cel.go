package cli

import (
	"fmt"
	"io"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

func newCEL() *cobra.Command {
	var context, dir string
	limits := xmlparse.DefaultLimits()
	cmd := &cobra.Command{
		Use:   "cel [flags] EXPR FILE",
		Short: "Evaluate a CEL expression on a document, as a rule would",
		Long: `Cel evaluates an expression of the rule language (docs/rule-language.md) once for
each node that a context selects, and prints where that is and the value. In EXPR,
this is the node and invoice the whole invoice.

A context is what a rule has: /invoice and the groups in it, elements of the
document such as //cac:InvoiceLine, or /container for the PDF that FILE is. FILE is
an XML or a PDF, "-" is standard input.

Exit status: 0 when there is a value at every node, 1 when there is none at some or the
context selects nothing, 2 when the expression has a mistake or the file could not be read.`,
		Example: `  einvoice cel 'this.lines.sum(l, l.netAmount)' invoice.xml
  einvoice cel 'this.netAmount' invoice.xml --context /invoice/lines
  einvoice cel 'this.texts("cbc:Note")' invoice.xml --context //cac:InvoiceLine`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			library, err := openLibrary(dir)
			if err != nil {
				return err
			}
			data, err := readInput(args[1], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			doc, err := operation.New(library, operation.Config{Read: formats.Options{Limits: limits}}).Describe(cmd.Context(), data)
			if err != nil {
				return inFile(args[1], err)
			}
			values, err := library.Evaluate(cmd.Context(), doc, context, args[0])
			if err != nil {
				return expressionError(args[0], err)
			}
			if len(values) == 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: %s selects nothing in %s\n", context, args[1])
				return errNothingSelected
			}
			return printValues(cmd.OutOrStdout(), spoken(cmd), doc, values)
		},
	}
	cmd.Flags().StringVar(&context, "context", "/invoice", "`XPath` of the nodes that are this")
	countVar(cmd.Flags(), &limits.Bytes, "max-bytes", "largest file in bytes")
	rulesetsFlag(cmd, &dir)
	return cmd
}

// printValues prints a line a node, and more for a value that is long.
func printValues(w io.Writer, language *words.Language, doc *model.Document, values []engine.Value) error {
	failed := false
	for _, v := range values {
		position := "-" // not in the document
		if v.Line > 0 {
			position = fmt.Sprintf("%d:%d", v.Line, v.Column)
		}
		text := ""
		if v.Err != nil {
			failed = true
			text = "  " + language.Say("error: "+v.Err.Error())
		} else {
			text = readable(doc, v.Value)
		}
		if _, err := fmt.Fprintf(w, "%s  %s%s\n", position, v.Location, quote.Visible(text)); err != nil {
			return err
		}
	}
	if failed {
		return errInvalid
	}
	return nil
}
