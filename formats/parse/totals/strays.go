package totals

import (
	"slices"

	"einvoice/formats/parse/lines"
)

// dropStrays drops rows that were taken for lines and are none, such as those of a table
// of allowances: without them, the lines add up to a printed sum, and with them not.
func (d *draft) dropStrays() {
	sum, kept := d.LineSum(), int64(0)
	strays := 0
	for i := range d.Lines {
		if d.Lines[i].IsStray() {
			strays++
		} else {
			kept += d.Lines[i].Numbers["lineNet"].Value
		}
	}
	if strays == 0 || strays == len(d.Lines) {
		return
	}
	all := d.Lines
	d.Lines = slices.DeleteFunc(slices.Clone(all), func(l lines.Line) bool { return l.IsStray() })
	for i := range all {
		if all[i].IsStray() {
			d.IsLine[all[i].Row.Index] = false
		}
	}
	amounts := d.Amounts
	d.Amounts = nil
	d.readAmounts()
	if d.isPrintedSum(kept) && !d.isPrintedSum(sum) {
		return
	}
	for i := range all {
		d.IsLine[all[i].Row.Index] = true
	}
	d.Lines, d.Amounts = all, amounts
}
