// Package parse reads an invoice off the pages of a PDF. What is attached to the PDF
// is never opened.
//
//	result, err := parse.PDF(ctx, data, parse.Limits{})
//	fmt.Println(result.Invoice.Number.Raw, result.Fields["/number"].Box)
//
// It goes from words with boxes to rows and cells, finds labels of a lexicon in seven
// languages beside and above typed values (dates, amounts, identifiers), and decides
// the totals together: those that agree with BR-CO-10 to BR-CO-17 of EN 16931-1 win
// over those that only have the better label. Lines are anchored in the amounts below
// the head of a table.
//
// A value is printed on the page, or computed by the totals chain and marked so, or
// absent. Nothing is guessed. Codes (currency, unit, type, country, VAT category) are
// those of what is printed, which Field.Printed has.
package parse
