package parse

import "slices"

// dropStrays drops rows that were taken for lines and are none, such as those of a table
// of allowances: without them, the lines add up to a printed sum, and with them not.
func (d *document) dropStrays() {
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
	lines := d.lines
	d.lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.isStray() })
	for i := range lines {
		if lines[i].isStray() {
			d.isLine[lines[i].row.index] = false
		}
	}
	amounts := d.amounts
	d.amounts = nil
	d.readAmounts()
	if d.isPrintedSum(kept) && !d.isPrintedSum(sum) {
		return
	}
	for i := range lines {
		d.isLine[lines[i].row.index] = true
	}
	d.lines, d.amounts = lines, amounts
}

// isStray tells whether a line lacks what lines have: its amount is not quantity times
// price, and it has no number of its own.
func (l *line) isStray() bool {
	_, quantity := l.numbers["quantity"]
	_, price := l.numbers["unitPrice"]
	return !l.isFixed && !(quantity && price) && len(l.texts["position"]) == 0
}
