package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"einvoice/engine/budget"
	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/engine/xpath/query"
	"einvoice/formats"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/service/operation"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// xpathSteps bounds the evaluation of an expression, as rules are bounded.
const xpathSteps = 20_000_000

// xpathWidth is how much is shown of what a node holds, in characters.
const xpathWidth = 60

// errNothingSelected ends the program with exitInvalid after it said so.
var errNothingSelected = errors.New("nothing is selected")

func newXPath() *cobra.Command {
	limits := xmlparse.DefaultLimits()
	cmd := &cobra.Command{
		Use:   "xpath [flags] EXPR FILE",
		Short: "Print the nodes or the value of an XPath 1.0 expression in a document",
		Long: `Xpath evaluates an expression of XPath 1.0, without the functions id and lang, and
prints each node that it selects, with line and column, path and value, or the value
that it gives. A text or comment has the place of the element around it.

An expression in which a path begins with /invoice is about the normalized invoice alone, whose elements have the
names of the fields; one with /container about the PDF around it; every other about the document, from its root.
One with /batch selects nothing here, as it is about the documents of a job.
The prefixes are those of rules (ubl, cn, cac, cbc, ext, rsm, ram, udt, qdt and some of extensions, such as hrextac),
whatever the document declares. An expression that rules may use is evaluated as rules do. For any other, such as one with
other axes or arithmetic, the output also says why rules cannot use it.

FILE is an XML, or a PDF with an attached invoice, "-" is standard input.

Exit status: 0 when something is selected or a value given, 1 when nothing is
selected, 2 when the document could not be read or the expression is wrong.`,
		Example: `  einvoice xpath "//cac:InvoiceLine[cbc:ID = '3']/cac:Price" invoice.xml
  einvoice xpath "count(//ram:IncludedSupplyChainTradeLineItem)" invoice.pdf
  einvoice xpath "/invoice/lines[vat/categoryCode = 'E']" invoice.xml`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := xpath.ParseExpression(args[0])
			if err != nil {
				return xpathError(args[0], err)
			}
			data, err := readInput(args[1], cmd.InOrStdin(), int64(limits.Bytes))
			if err != nil {
				return err
			}
			doc, err := readForXPath(cmd.Context(), x, data, limits)
			if err != nil {
				return inFile(args[1], err)
			}
			e := &xpath.Evaluation{}
			e.Begin(doc.Source, budget.New(cmd.Context(), xpathSteps))
			found, err := query.Evaluate(x, e, doc)
			if err != nil {
				return xpathError(args[0], err)
			}
			if err := printFound(cmd.OutOrStdout(), spoken(cmd), x, found, doc); err != nil {
				return err
			}
			if found.IsSet && len(found.Nodes) == 0 {
				return errNothingSelected
			}
			return nil
		},
	}
	countVar(cmd.Flags(), &limits.Bytes, "max-bytes", "largest file in bytes")
	return cmd
}

// xpathError points at a mistake in an expression.
func xpathError(expression string, err error) error {
	mistake, ok := errors.AsType[*xpath.Error](err)
	if !ok {
		return fmt.Errorf("the expression cannot be evaluated: %w", err)
	}
	before := strings.Split(string([]rune(expression)[:mistake.Column-1]), "\n")
	line := len(before)
	column := utf8.RuneCountInString(before[line-1]) + 1
	return pointAt(expression, line, column, err)
}

// readForXPath reads a document, and describes the PDF around it if the expression
// is about that.
func readForXPath(ctx context.Context, x *xpath.Expression, data []byte, limits xmlparse.Limits) (*model.Document, error) {
	s, err := operation.Open(operation.Config{Read: formats.Options{Limits: limits}})
	if err != nil {
		return nil, err
	}
	if !x.OverContainer() {
		return s.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
	}
	doc, err := s.Describe(ctx, data)
	if err == nil && doc.Container == nil {
		err = errors.New("this is not a PDF: /container is the PDF around an invoice")
	}
	return doc, err
}

// printFound prints what was evaluated over what, and what it gives.
func printFound(out io.Writer, language *words.Language, x *xpath.Expression, found *xpath.Result, doc *model.Document) error {
	over := "the document"
	if root := x.Root(); root != nil {
		over = map[string]string{"invoice": "the invoice", "container": "the container", "batch": "the batch"}[root.Name]
	}
	switch n := len(found.Nodes); {
	case !found.IsSet:
		fmt.Fprintln(out, language.Say(fmt.Sprintf("In %s, the expression gives", over)))
	default:
		fmt.Fprintln(out, language.Say(fmt.Sprintf("In %s, the expression selects %s", over, numeral.Count(n, "node"))))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if !found.IsSet {
		fmt.Fprintf(table, "  %s\n", found.Value)
	}
	for _, n := range found.Nodes {
		place := "-"
		if doc.Source != nil && n.At != 0 {
			at := doc.Source.Position(n.At)
			place = fmt.Sprintf("%d:%d", at.Line, at.Column)
		}
		fmt.Fprintf(table, "  %s\t%s\t%q\n", place, n.Path, quote.Shorten(xpath.NormalizeSpace(n.Value), xpathWidth))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if found.NotInRules != nil {
		return printNotInRules(out, language, found.NotInRules)
	}
	return nil
}

func printNotInRules(out io.Writer, language *words.Language, why error) error {
	column := 1
	if mistake, ok := errors.AsType[*xpath.Error](why); ok {
		column = mistake.Column
	}
	_, err := fmt.Fprintln(out, language.Say(fmt.Sprintf("Rules cannot have this expression: column %d: %v", column, why)))
	return err
}
