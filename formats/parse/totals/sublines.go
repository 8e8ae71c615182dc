package totals

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lines"
)

// foldSubLines takes lines that are parts of the line above, by their numbers and because
// they add up to it, into its description: an invoice of EN 16931 has one amount for both, and
// their sum would count it twice. It does so only where the other lines add up to a printed
// sum, and all lines do not.
func (d *draft) foldSubLines() {
	all := d.LineSum()
	var kept []lines.Line
	sum, parts := int64(0), int64(0) // of the lines that are kept, and of the parts of the last one
	for i := range d.Lines {
		l := d.Lines[i]
		last := len(kept) - 1
		if last >= 0 && l.IsPartOf(&kept[last]) {
			amount := partOfSum(l.Numbers["lineNet"])
			parts += amount
			all += amount - l.Numbers["lineNet"].Value
			kept[last].More = append(slices.Clone(kept[last].More), append([][]*layout.Word{l.Row.Words}, l.More...)...)
			continue
		}
		if last >= 0 && parts != 0 && parts != kept[last].Numbers["lineNet"].Value {
			return
		}
		parts = 0
		kept = append(kept, l)
		sum += l.Numbers["lineNet"].Value
	}
	if len(kept) == len(d.Lines) || parts != 0 && parts != kept[len(kept)-1].Numbers["lineNet"].Value || !d.isPrintedSum(sum) || d.isPrintedSum(all) {
		return
	}
	d.Lines = kept
}

// partOfSum is the amount of a part. Brackets around it say that the line above has it already, as
// in "of which (85.00)", and not that it is negative.
func partOfSum(n candidate.Number) int64 {
	if n.Value < 0 && strings.HasPrefix(n.Words[0].Text, "(") {
		return -n.Value
	}
	return n.Value
}

// isPrintedSum reports whether an amount is printed as a sum.
func (d *draft) isPrintedSum(v int64) bool {
	return slices.ContainsFunc(d.Amounts, func(a candidate.Amount) bool {
		return a.Value == v && max(a.Labels["lineTotal"], a.Labels["net"], a.Labels["gross"]) > 0.5
	})
}
