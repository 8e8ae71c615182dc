package parse

// repair completes a line of a recognised page in which quantity times price is not the
// amount: one of the three that was not recognised follows from the others, and one that
// was recognised wrong is what another reading of the page has, or what one digit makes of
// it that looks like another, if that closes the line in exactly one way.
func (d *lineDraft) repair(l *line) {
	if l.isFixed || !d.layout.pages[l.row.page-1].Recognised || d.asRead || l.numbers["discount"].value != 0 {
		return
	}
	quantity, hasQuantity := l.numbers["quantity"]
	price, hasPrice := l.numbers["unitPrice"]
	net := l.numbers["lineNet"]
	switch {
	case hasQuantity && hasPrice:
		l.isFixed = d.exchangeInLine(l, d.otherReadings) || d.exchangeInLine(l, likeValues)
	case hasPrice && hasColumn(l.columns, "quantity"):
		l.isFixed = l.computeFactor("quantity", &price, &net)
	case hasQuantity && hasColumn(l.columns, "unitPrice"):
		l.isFixed = l.computeFactor("unitPrice", &quantity, &net)
	}
}

func hasColumn(columns []column, field string) bool { return len(indexes(columns, field)) > 0 }

// factorDecimals is how many decimals a quantity or a price that is computed has at most: of
// more, every amount has one.
const factorDecimals = 2

// computeFactor takes for a number that was not recognised what leads from the other factor
// to the amount, where that has few decimals.
func (l *line) computeFactor(field string, other, net *number) bool {
	if other.value == 0 || net.value == 0 || abs(net.value) > tooLarge/unitsPerOne {
		return false
	}
	part := int64(unitsPerOne)
	for range factorDecimals {
		part /= 10
	}
	value := net.value * (unitsPerOne / part) / other.value * part
	found := number{value: value, computed: true}
	for rest := value; rest%unitsPerOne != 0; rest *= 10 {
		found.decimals++
	}
	if exact := toCent(times(value, other.value)) == net.value; !exact || value == 0 {
		return false
	}
	l.numbers[field] = found
	return true
}

// exchangeInLine takes another value for quantity, price or amount, where exactly one closes
// the line.
func (d *lineDraft) exchangeInLine(l *line, values func(*number) []int64) bool {
	fields := [3]string{"quantity", "unitPrice", "lineNet"}
	var of [3]number
	for i, field := range fields {
		of[i] = l.numbers[field]
	}
	found, ways := -1, 0
	var taken number
	for i := range of {
		for _, value := range values(&of[i]) {
			tried := of
			tried[i].value = value
			if closes(&tried[0], &tried[1], &tried[2]) {
				found, taken = i, tried[i]
				ways++
			}
		}
	}
	if ways != 1 {
		return false
	}
	taken.readAs = of[found].decimal()
	l.numbers[fields[found]] = taken
	return true
}

// likeValues are the values that a number has with one digit exchanged for one that looks
// alike.
func likeValues(n *number) (values []int64) {
	return withDigits(n, func(digit int64) []int64 { return words().LikeDigits[digit] })
}

// withDigits are the values that a number has with one of its digits exchanged.
func withDigits(n *number, others func(digit int64) []int64) (values []int64) {
	unit := int64(unitsPerOne) // what one of the last digit counts
	for range n.decimals {
		unit /= 10
	}
	for rest := abs(n.value) / unit; rest > 0; rest /= 10 {
		for _, other := range others(rest % 10) {
			changed := abs(n.value) + (other-rest%10)*unit
			if n.value < 0 {
				changed = -changed
			}
			values = append(values, changed)
		}
		unit *= 10
	}
	return values
}
