package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"einvoice/model/quote"
)

// mostDescribed is how many characters of a document's findings the summary shows.
const mostDescribed = 160

// summarize prints a line for each document and the counts, and returns how many are
// rejected.
func summarize(out io.Writer, outcomes []kositOutcome) (rejected int) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nDocument\tSchema\tSchematron\tAcceptance\tFindings")
	failed := 0
	for _, o := range outcomes {
		if !o.accepted {
			rejected++
		}
		if !o.processed {
			failed++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", quote.Name(o.name), yes(o.schema), yes(o.schematron), o.acceptance, o.description)
	}
	_ = table.Flush() // an error of out is kept there
	fmt.Fprintf(out, "\nAcceptable: %d  Rejected: %d", len(outcomes)-rejected, rejected)
	if failed > 0 {
		fmt.Fprintf(out, "  Processing errors: %d", failed)
	}
	fmt.Fprintln(out)
	return rejected
}

func yes(is bool) string {
	if is {
		return "Y"
	}
	return "N"
}

// described is findings in one line of bounded length.
func described(texts []string) string {
	line := quote.Visible(strings.Join(texts, "; "))
	if utf8.RuneCountInString(line) <= mostDescribed {
		return line
	}
	return string([]rune(line)[:mostDescribed]) + "..."
}
