package parse

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of an answer. What is beyond them is no value of an invoice.
const (
	maxAskedWords = 25 // of one value
	askedNew      = 0.75
	askedInstead  = 0.65 // of a value that takes the place of another
	// ownSure is the confidence with which a value that the program read stays.
	ownSure = 0.9
)

// An offer is a value of an answer that is of its type.
type offer struct {
	printed
	number number // where it is one
}

// arbitrate makes a result of what was read and what a model answers, and says what is
// wrong with the answer. What the model says has to be of its type. Where the totals
// that were read close, they stay, and so do values that are sure.
func (d *document) arbitrate(own *builder, n *numbering, answer *Answer) (*builder, []string) {
	a := &arbiter{document: *d, numbering: n}
	claims, decided := maps.Clone(d.head.claims), *d.totals
	a.totals, a.byModel = &decided, map[string]bool{}
	offers := map[string]offer{}
	for _, f := range asked().Fields {
		if o, ok := a.offered(f.Name, f, answer.Fields[f.Name]); ok {
			offers[f.Pointer] = o
		}
	}
	changed := a.takeTotals(offers)
	if a.takeLines(answer.Lines) || changed {
		a.totals = a.totals.again(a.pages, a.head)
	}
	a.takeVat(answer.Vat)
	if o, ok := offers[accountAt]; ok && own.result.Fields[accountAt] == nil {
		claims["iban"] = claim{field: "iban", value: o.value, words: o.words}
		a.byModel[accountAt], a.byModel[meansAt+"/typeCode"] = true, true
	}
	a.head = &head{claims, d.head.alternatives, d.head.used}
	b := a.build()
	for _, f := range asked().Fields {
		if o, ok := offers[f.Pointer]; ok {
			a.take(b, own.result.Fields[f.Pointer], f.Pointer, o)
		}
	}
	a.score(b)
	return b, a.objections
}

// An arbiter has a copy of what was read, which it changes by an answer.
type arbiter struct {
	document
	*numbering
	objections []string
}

func (a *arbiter) object(format string, args ...any) {
	if len(a.objections) < maxObjections {
		a.objections = append(a.objections, fmt.Sprintf(format, args...))
	}
}

// offered is the value of some numbers of words, if they are words of the pages and a
// value of the type.
func (a *arbiter) offered(name string, f AskedField, ids []int) (offer, bool) {
	if len(ids) == 0 {
		return offer{}, false
	}
	if len(ids) > maxAskedWords {
		a.object("%s: %d words are no value", name, len(ids))
		return offer{}, false
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	of := make([]*word, 0, len(ids))
	for _, id := range ids {
		if id < 1 || id > len(a.words) {
			a.object("%s: there is no word %d", name, id)
			return offer{}, false
		}
		of = append(of, a.words[id-1])
	}
	for _, w := range of {
		if w.page != of[0].page || f.Type != typeText && a.rows[w] != a.rows[of[0]] {
			a.object("%s: the words are not together", name)
			return offer{}, false
		}
	}
	o, ok := a.typed(f.Type, of)
	if !ok {
		a.object("%s: the words %v, %q, are no %s", name, ids, textOf(of), f.Type)
	}
	return o, ok
}

// The types of what is asked for.
const (
	typeIdentifier    = "identifier"
	typeDate          = "date"
	typeAmount        = "amount"
	typeNumber        = "number"
	typePercentage    = "percentage"
	typeCurrency      = "currency"
	typeIBAN          = "iban"
	typeVatIdentifier = "vatIdentifier"
	typeText          = "text"
)

// typed reads a value of a type that has all of some words.
func (d *document) typed(kind string, of []*word) (o offer, ok bool) {
	o.words = of
	n := 0
	switch kind {
	case typeIdentifier:
		o.value = strings.Trim(textOf(of), ".,;:()# ")
		if _, isDate := d.notation.dateAt(of); isDate == 0 && hasDigit(o.value) && len(of) <= maxIDWords {
			n = len(of)
		}
	case typeDate:
		var day date
		if day, n = d.notation.dateAt(of); n > 0 {
			o.value = day.iso()
		}
	case typeAmount, typeNumber, typePercentage:
		o.number, n = d.notation.at(of)
		if o.number.percent && kind != typePercentage || kind == typeAmount && o.number.decimals > 2 {
			n = 0
		}
		o.value = amountText(o.number.value)
	case typeCurrency:
		if code, known := currencyAt(of); known {
			o.value, n = code, 1
		}
	case typeIBAN:
		o.value, n = ibanAt(of)
	case typeVatIdentifier:
		o.value, n = labelledVatIDAt(of)
	case typeText:
		if o.value = strings.Trim(textOf(of), " .,;:|"); o.value != "" {
			n = len(of)
		}
	}
	return o, n == len(of) && n > 0
}

// maxIDWords is how many words an identifier may be written in.
const maxIDWords = 4

// Places in an invoice that is read.
const (
	linesAt   = "/lines"
	vatAt     = "/vatBreakdowns"
	totalsAt  = "/totals/"
	meansAt   = "/paymentInstructions/means/0"
	accountAt = meansAt + "/creditTransfers/0/accountIdentifier"
)

// take puts a value of an answer into a result where none was read, or one that is less
// than sure; else it becomes an alternative of the one that was read.
func (a *arbiter) take(b *builder, own *Field, pointer string, o offer) {
	have := b.result.Fields[pointer]
	switch {
	case have == nil:
		a.byModel[pointer] = true
		b.put(pointer, o.value, o.words, askedNew)
	case have.Value == o.value:
	case strings.HasPrefix(pointer, totalsAt) || pointer == accountAt || own == nil || own.Confidence >= ownSure:
		b.alternatives(have, o.printed)
	default:
		a.byModel[pointer] = true
		f := b.put(pointer, o.value, o.words, askedInstead)
		if have.Box != nil {
			f.Alternatives = append(f.Alternatives, Alternative{have.Value, have.Printed, have.Page, have.Box})
		}
	}
}

// askedTotals are the totals that have to add up: net, VAT and gross.
var askedTotals = [3]string{"/totals/totalAmountWithoutVat", "/totals/taxTotalAmount", "/totals/totalAmountWithVat"}

// takeTotals takes the totals of an answer where those that were read do not close: all
// of them if they add up, and else those that are missing.
func (a *arbiter) takeTotals(offers map[string]offer) (changed bool) {
	own := [3]*total{&a.chain.net, &a.chain.vat, &a.chain.gross}
	var others [3]total
	for i, pointer := range askedTotals {
		if o, ok := offers[pointer]; ok {
			others[i] = total{o.number.value, a.amountOf(o.number), true}
		}
	}
	if a.chain.closes {
		for i := range own {
			if others[i].known && others[i].value != own[i].value {
				a.object("%s + %s = %s are printed and add up; %s is another amount",
					amountText(own[0].value), amountText(own[1].value), amountText(own[2].value), amountText(others[i].value))
			}
		}
		return false
	}
	net, vat, gross := others[0], others[1], others[2]
	if net.known && gross.known && (vat.known || net.value == gross.value) && net.value+vat.value == gross.value {
		vat.known = true
		a.chain = chain{net: net, vat: vat, gross: gross, closes: true}
		for i, pointer := range askedTotals {
			a.byModel[pointer] = others[i].known
		}
		return true
	}
	if net.known || vat.known || gross.known {
		a.object("net %s + VAT %s is not gross %s", amountText(net.value), amountText(vat.value), amountText(gross.value))
	}
	for i := range own {
		if !own[i].known && others[i].known {
			*own[i] = others[i]
			a.byModel[askedTotals[i]], changed = true, true
		}
	}
	return changed
}

// amountOf is the amount of the pages that has the words of a number.
func (a *arbiter) amountOf(n number) *amount {
	for i := range a.amounts {
		if slices.Contains(a.amounts[i].words, n.words[0]) {
			return &a.amounts[i]
		}
	}
	return &amount{number: n, row: a.rows[n.words[0]]}
}

// takeLines takes the lines of an answer where those that were read do not add up, and
// these do.
func (a *arbiter) takeLines(answered []map[string][]int) bool {
	if a.linesClose() || len(answered) == 0 || len(answered) > a.limits.Lines {
		return false
	}
	read := make([]line, 0, len(answered))
	taken := map[*word]bool{}
	sum := int64(0)
	for i, ids := range answered {
		l, ok := a.lineOf(i, ids)
		if !ok {
			continue // the objection is made
		}
		net := l.numbers["lineNet"]
		if taken[net.words[0]] {
			a.object("lines[%d].netAmount: the words are the amount of another line", i)
			return false
		}
		taken[net.words[0]] = true
		sum += net.value
		read = append(read, l)
	}
	if len(read) < len(answered) || !a.isSumOfLines(sum) {
		a.object("the amounts of the %d lines add up to %s, which is no printed sum of lines", len(read), amountText(sum))
		return false
	}
	a.lines, a.grossLines, a.cut, a.byModel[linesAt] = read, false, false, true
	return true
}

// takeVat takes the VAT breakdown of an answer where none was read, and each row of it
// agrees (BR-CO-17) and all of them add up to the totals (BR-CO-14).
func (a *arbiter) takeVat(answered []map[string][]int) {
	if len(a.vat) > 0 || len(answered) == 0 || !a.chain.net.known || !a.chain.vat.known {
		return
	}
	if len(answered) > 2*maxTogether {
		a.object("vat: %d rows are no VAT breakdown", len(answered))
		return
	}
	var rows []vatRow
	for i, ids := range answered {
		row, ok := a.vatRowOfAnswer(i, ids)
		if !ok {
			return // the objection is made
		}
		rows = append(rows, row)
	}
	base, tax := int64(0), int64(0)
	for _, row := range rows {
		base, tax = base+row.base.value, tax+row.tax.value
	}
	if repeatsRate(rows) || base != a.chain.net.value || tax != a.chain.vat.value {
		a.object("vat: the rows add up to %s and %s VAT, and the totals are %s and %s", amountText(base), amountText(tax), amountText(a.chain.net.value), amountText(a.chain.vat.value))
		return
	}
	a.totals, a.byModel[vatAt] = a.totals.withVat(a.pages, a.head, rows), true
}

// vatRowOfAnswer is a row of the VAT breakdown of an answer.
func (a *arbiter) vatRowOfAnswer(i int, ids map[string][]int) (row vatRow, ok bool) {
	numbers := map[string]number{}
	for _, f := range asked().Vat {
		o, given := a.offered(fmt.Sprintf("vat[%d].%s", i, f.Name), f, ids[f.Name])
		if !given {
			a.object("vat[%d].%s is missing", i, f.Name)
			return row, false
		}
		numbers[f.Pointer] = o.number
	}
	rate, base, tax := numbers["rate"], numbers["base"], numbers["tax"]
	if !isRate(&rate) || abs(share(base.value, rate.value)-tax.value) > cent {
		a.object("vat[%d]: %s %% of %s is not %s", i, decimalText(rate.value, 0), amountText(base.value), amountText(tax.value))
		return row, false
	}
	return vatRow{
		base: total{base.value, a.amountOf(base), true}, tax: total{tax.value, a.amountOf(tax), true}, rate: rate.value, printed: rate.words,
	}, true
}

// isSumOfLines tells whether the net total, or an amount with the label of a sum of
// lines, has a value.
func (a *arbiter) isSumOfLines(sum int64) bool {
	return a.chain.net.known && a.chain.net.value == sum ||
		slices.ContainsFunc(a.amounts, func(x amount) bool { return x.value == sum && x.labels["lineTotal"] > 0.3 })
}

// lineOf is a line of an answer.
func (a *arbiter) lineOf(i int, ids map[string][]int) (l line, ok bool) {
	l = line{numbers: map[string]number{}, texts: map[string][]*word{}}
	for _, f := range asked().Lines {
		o, given := a.offered(fmt.Sprintf("lines[%d].%s", i, f.Name), f, ids[f.Name])
		switch {
		case !given:
		case f.Type != typeText:
			l.numbers[f.Pointer] = o.number
		case f.Pointer == "name":
			l.name = o.words
		default:
			l.texts[f.Pointer] = o.words
		}
	}
	net, ok := l.numbers["lineNet"]
	if !ok {
		a.object("lines[%d].netAmount is missing", i)
		return l, false
	}
	l.row = a.rows[net.words[0]]
	l.fix()
	return l, true
}
