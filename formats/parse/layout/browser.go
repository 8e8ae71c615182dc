package layout

import (
	"strings"

	"einvoice/formats/parse/lexicon"
)

// browserMargin is the part of a page above and below, in which browsers print when and from where
// it was printed.
const browserMargin = 0.05

var (
	printedDay  = lexicon.Pattern(`^\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?$`)
	printedTime = lexicon.Pattern(`^\d{1,2}:\d{2}(?::\d{2})?$`)
	pageOfPages = lexicon.Pattern(`^\d{1,3}/\d{1,3}$`)
)

// isOfBrowser reports whether a row is what a browser adds to a page at its edge: the day and time of
// printing, in the order of whoever printed it, with the title of the page, or its address with the
// number of the sheet. Neither is the invoice's.
func isOfBrowser(row []*Word, height float64) bool {
	top, bottom := row[0].Box.Top, row[0].Box.Bottom
	if height <= 0 || top > browserMargin*height && bottom < (1-browserMargin)*height {
		return false
	}
	address, sheet := false, false
	for i, w := range row {
		if i > 0 && printedTime().MatchString(w.Text) && printedDay().MatchString(row[i-1].Text) {
			return true
		}
		address = address || strings.Contains(w.Text, "://")
		sheet = sheet || pageOfPages().MatchString(w.Text)
	}
	return address && sheet
}
