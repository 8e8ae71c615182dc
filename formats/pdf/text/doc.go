// Package text reads the text that the pages of a PDF show.
//
//	container, err := pdf.Open(data, pdf.Limits{})
//	pages, err := text.Pages(container)
//	fmt.Println(len(pages), pages[0])
//
// It executes the operators that show text, in the order of the content stream, and
// turns the gaps between strings into spaces and line breaks. That is good enough to
// find amounts, numbers and names. Columns that are drawn one after the other are
// not rearranged, and text in images is not read.
//
// On the way it notes the fonts in which text is visible, and whether a colour
// depends on the device, because both need the same execution.
//
// A PDF comes from a stranger: Limits bound what reading it may cost. Damaged pages
// and fonts are left out.
package text
