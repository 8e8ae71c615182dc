package parse

import "slices"

// foldSubLines takes lines that are parts of the line above, by their numbers and because
// they add up to it, into its description: an invoice of EN 16931 has one amount for both, and
// their sum would count it twice. It does so only where the other lines add up to a printed
// sum, and all lines do not.
func (d *totalsDraft) foldSubLines() {
	all := d.lineSum()
	var kept []line
	sum, parts := int64(0), int64(0) // of the lines that are kept, and of the parts of the last one
	for i := range d.lines {
		l := d.lines[i]
		last := len(kept) - 1
		if last >= 0 && l.isPartOf(&kept[last]) {
			parts += l.numbers["lineNet"].value
			kept[last].more = append(slices.Clone(kept[last].more), append([][]*word{l.row.words}, l.more...)...)
			continue
		}
		if last >= 0 && parts != 0 && parts != kept[last].numbers["lineNet"].value {
			return
		}
		parts = 0
		kept = append(kept, l)
		sum += l.numbers["lineNet"].value
	}
	if len(kept) == len(d.lines) || parts != 0 && parts != kept[len(kept)-1].numbers["lineNet"].value || !d.isPrintedSum(sum) || d.isPrintedSum(all) {
		return
	}
	d.lines = kept
}

// isPrintedSum tells whether an amount is printed as a sum.
func (d *totalsDraft) isPrintedSum(v int64) bool {
	return slices.ContainsFunc(d.amounts, func(a amount) bool {
		return a.value == v && max(a.labels["lineTotal"], a.labels["net"], a.labels["gross"]) > 0.5
	})
}
