// Package pdftext reads the text that the pages of a PDF show.
//
//	pages, err := text.Pages(ctx)
//	fmt.Println(len(pages), pages[0])
//
// It carries out what draws text, in the order in which the PDF draws it, and
// makes spaces and line breaks of the gaps between. That is good enough to find
// amounts, numbers and names; columns that are drawn one after the other stay so.
// Text in pictures is not read.
//
// A PDF comes from a stranger: what reading it may cost is bounded by Limits.
// What is damaged is left out, page by page and font by font.
package text
