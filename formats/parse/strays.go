package parse

import "slices"

// dropStrays drops rows that were taken for lines and are none, such as those of a table
// of allowances: without them, the lines add up to a printed sum, and with them not.
func (d *totalsDraft) dropStrays() {
	sum, kept := d.lineSum(), int64(0)
	strays := 0
	for i := range d.lines {
		if d.lines[i].isStray() {
			strays++
		} else {
			kept += d.lines[i].numbers["lineNet"].value
		}
	}
	if strays == 0 || strays == len(d.lines) {
		return
	}
	all := d.lines
	d.lines = slices.DeleteFunc(slices.Clone(all), func(l line) bool { return l.isStray() })
	for i := range all {
		if all[i].isStray() {
			d.isLine[all[i].row.index] = false
		}
	}
	amounts := d.amounts
	d.amounts = nil
	d.readAmounts()
	if d.isPrintedSum(kept) && !d.isPrintedSum(sum) {
		return
	}
	for i := range all {
		d.isLine[all[i].row.index] = true
	}
	d.lines, d.amounts = all, amounts
}
