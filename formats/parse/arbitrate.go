package parse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
	"einvoice/formats/parse/totals"
	"einvoice/model/numeral"
)

// Bounds of an answer. What is beyond them is not a value of an invoice.
const (
	maxAskedWords = 25 // of one value
	askedNew      = 0.75
	askedInstead  = 0.65 // of a value that takes the place of another
	// ownSure is the confidence with which a value that the program read stays.
	ownSure = 0.9
)

// An offer is a value of an answer that is of its type.
type offer struct {
	candidate.Printed
	number candidate.Number // where it is one
}

// arbitrate makes a result of what was read and what a model answers, and says what is
// wrong with the answer. What the model says has to be of its type. Where the totals
// that were read close, they stay, and so do values that are sure.
func (d *document) arbitrate(own *builder, n *numbering, answer *Answer) (*builder, []string) {
	a := &arbiter{document: *d, numbering: n}
	claims, decided := maps.Clone(d.head.Claims), *d.Totals
	a.Totals, a.byModel = &decided, map[string]bool{}
	offers := map[string]offer{}
	for _, f := range asked().Fields {
		if o, ok := a.offered(f.Name, f, answer.Fields[f.Name]); ok {
			offers[f.Pointer] = o
		}
	}
	changed := a.takeTotals(offers)
	if a.takeLines(answer.Lines) || changed {
		a.Totals = a.Totals.Again(a.Pages, a.head)
	}
	a.takeVat(answer.Vat)
	if o, ok := offers[accountAt]; ok && own.result.Fields[accountAt] == nil {
		claims["iban"] = header.Claim{Field: "iban", Value: o.Value, Words: o.Words}
		a.byModel[accountAt], a.byModel[meansAt+"/typeCode"] = true, true
	}
	a.head = &header.Head{Claims: claims, Alternatives: d.head.Alternatives, Used: d.head.Used}
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
		a.object("%s: not a value are %s", name, numeral.Count(len(ids), "word"))
		return offer{}, false
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	of := make([]*layout.Word, 0, len(ids))
	for _, id := range ids {
		if id < 1 || id > len(a.words) {
			a.object("%s: there is no word %d", name, id)
			return offer{}, false
		}
		of = append(of, a.words[id-1])
	}
	for _, w := range of {
		if w.Page != of[0].Page || f.Type != typeText && a.rows[w] != a.rows[of[0]] {
			a.object("%s: the words are not together", name)
			return offer{}, false
		}
	}
	o, ok := a.typed(f.Type, of)
	if !ok {
		a.object("%s: the words %v, %q, are not of type %s", name, ids, layout.TextOf(of), f.Type)
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
func (d *document) typed(kind string, of []*layout.Word) (o offer, ok bool) {
	o.Words = of
	n := 0
	switch kind {
	case typeIdentifier:
		o.Value = strings.Trim(layout.TextOf(of), ".,;:()# ")
		if _, isDate := d.Notation.DateAt(of); isDate == 0 && lexicon.HasDigit(o.Value) && len(of) <= maxIDWords {
			n = len(of)
		}
	case typeDate:
		var day candidate.Date
		if day, n = d.Notation.DateAt(of); n > 0 {
			o.Value = day.ISO()
		}
	case typeAmount, typeNumber, typePercentage:
		o.number, n = d.Notation.At(of)
		if o.number.Percent && kind != typePercentage || kind == typeAmount && o.number.Decimals > 2 {
			n = 0
		}
		o.Value = candidate.AmountText(o.number.Value)
	case typeCurrency:
		if code, known := candidate.CurrencyAt(of); known {
			o.Value, n = code, 1
		}
	case typeIBAN:
		o.Value, n = candidate.IBANAt(of)
	case typeVatIdentifier:
		o.Value, n = candidate.LabelledVatIDAt(of)
	case typeText:
		if o.Value = strings.Trim(layout.TextOf(of), " .,;:|"); o.Value != "" {
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
		b.put(pointer, o.Value, o.Words, askedNew)
	case have.Value == o.Value:
		if own != nil && own.Box != nil && own.Value != o.Value { // a total that was replaced with the others
			have.alternative(Alternative{own.Value, own.Printed, own.Page, own.Box})
		}
	case strings.HasPrefix(pointer, totalsAt) || pointer == accountAt || own == nil || own.Confidence >= ownSure:
		b.alternatives(have, o.Printed)
	default:
		a.byModel[pointer] = true
		f := b.put(pointer, o.Value, o.Words, askedInstead)
		if have.Box != nil {
			f.alternative(Alternative{have.Value, have.Printed, have.Page, have.Box})
		}
	}
}

// askedTotals are the totals that have to add up: net, VAT and gross.
var askedTotals = [3]string{"/totals/totalAmountWithoutVat", "/totals/taxTotalAmount", "/totals/totalAmountWithVat"}

// takeTotals takes the totals of an answer where those that were read do not close: all
// of them if they add up, and else those that are missing.
func (a *arbiter) takeTotals(offers map[string]offer) (changed bool) {
	own := [3]*candidate.Total{&a.Chain.Net, &a.Chain.Vat, &a.Chain.Gross}
	var others [3]candidate.Total
	for i, pointer := range askedTotals {
		if o, ok := offers[pointer]; ok {
			others[i] = candidate.Total{Value: o.number.Value, From: a.amountOf(o.number), Known: true}
		}
	}
	if a.Chain.Closes {
		for i := range own {
			if others[i].Known && others[i].Value != own[i].Value {
				a.object("%s + %s = %s are printed and add up; %s is another amount",
					candidate.AmountText(own[0].Value), candidate.AmountText(own[1].Value), candidate.AmountText(own[2].Value), candidate.AmountText(others[i].Value))
			}
		}
		return false
	}
	net, vat, gross := others[0], others[1], others[2]
	if net.Known && gross.Known && (vat.Known || net.Value == gross.Value) && net.Value+vat.Value == gross.Value {
		vat.Known = true
		a.Chain = totals.Chain{Net: net, Vat: vat, Gross: gross, Closes: true}
		for i, pointer := range askedTotals {
			a.byModel[pointer] = others[i].Known
		}
		return true
	}
	if net.Known || vat.Known || gross.Known {
		a.object("net %s + VAT %s is not gross %s", candidate.AmountText(net.Value), candidate.AmountText(vat.Value), candidate.AmountText(gross.Value))
	}
	for i := range own {
		if !own[i].Known && others[i].Known {
			*own[i] = others[i]
			a.byModel[askedTotals[i]], changed = true, true
		}
	}
	return changed
}

// amountOf is the amount of the pages that has the words of a number.
func (d *document) amountOf(n candidate.Number) *candidate.Amount {
	for i := range d.Amounts {
		if slices.Contains(d.Amounts[i].Words, n.Words[0]) {
			return &d.Amounts[i]
		}
	}
	return &candidate.Amount{Number: n, Row: d.Layout.RowOf(n.Words[0])}
}

// takeLines takes the lines of an answer where those that were read do not add up, and
// these do.
func (a *arbiter) takeLines(answered []map[string][]int) bool {
	if a.linesClose() || len(answered) == 0 || len(answered) > a.limits.Lines {
		return false
	}
	read := make([]lines.Line, 0, len(answered))
	taken := map[*layout.Word]bool{}
	sum := int64(0)
	for i, ids := range answered {
		l, ok := a.lineOf(i, ids)
		if !ok {
			continue // the objection is made
		}
		net := l.Numbers["lineNet"]
		if taken[net.Words[0]] {
			a.object("lines[%d].netAmount: the words are the amount of another line", i)
			return false
		}
		taken[net.Words[0]] = true
		sum += net.Value
		read = append(read, l)
	}
	if len(read) < len(answered) || !a.isSumOfLines(sum) {
		a.object("the amounts of %s add up to %s, which is not a printed sum of lines", numeral.Count(len(read), "line"), candidate.AmountText(sum))
		return false
	}
	a.Lines, a.GrossLines, a.Cut, a.byModel[linesAt] = read, false, false, true
	return true
}

// takeVat takes the VAT breakdown of an answer where none was read, and each row of it
// agrees (BR-CO-17) and all of them add up to the totals (BR-CO-14).
func (a *arbiter) takeVat(answered []map[string][]int) {
	if len(a.Vat) > 0 || len(answered) == 0 || !a.Chain.Net.Known || !a.Chain.Vat.Known {
		return
	}
	if len(answered) > 2*totals.MaxTogether {
		a.object("vat: %d rows are not a VAT breakdown", len(answered))
		return
	}
	var rows []candidate.VatRow
	for i, ids := range answered {
		row, ok := a.vatRowOfAnswer(i, ids)
		if !ok {
			return // the objection is made
		}
		rows = append(rows, row)
	}
	base, tax := int64(0), int64(0)
	for _, row := range rows {
		base, tax = base+row.Base.Value, tax+row.Tax.Value
	}
	if totals.RepeatsRate(rows) || base != a.Chain.Net.Value || tax != a.Chain.Vat.Value {
		a.object("vat: the rows add up to %s and %s VAT, and the totals are %s and %s", candidate.AmountText(base), candidate.AmountText(tax), candidate.AmountText(a.Chain.Net.Value), candidate.AmountText(a.Chain.Vat.Value))
		return
	}
	a.Totals, a.byModel[vatAt] = a.Totals.WithVat(a.Pages, a.head, rows), true
}

// vatRowOfAnswer is a row of the VAT breakdown of an answer.
func (a *arbiter) vatRowOfAnswer(i int, ids map[string][]int) (row candidate.VatRow, ok bool) {
	numbers := map[string]candidate.Number{}
	for _, f := range asked().Vat {
		o, given := a.offered(fmt.Sprintf("vat[%d].%s", i, f.Name), f, ids[f.Name])
		if !given {
			a.object("vat[%d].%s is missing", i, f.Name)
			return row, false
		}
		numbers[f.Pointer] = o.number
	}
	rate, base, tax := numbers["rate"], numbers["base"], numbers["tax"]
	if !candidate.IsRate(&rate) || !candidate.IsTax(tax.Value, base.Value, rate.Value, candidate.Cent) {
		a.object("vat[%d]: %s %% of %s is not %s", i, candidate.DecimalText(rate.Value, 0), candidate.AmountText(base.Value), candidate.AmountText(tax.Value))
		return row, false
	}
	return candidate.VatRow{
		Base: candidate.Total{Value: base.Value, From: a.amountOf(base), Known: true}, Tax: candidate.Total{Value: tax.Value, From: a.amountOf(tax), Known: true}, Rate: rate.Value, Printed: rate.Words,
	}, true
}

// isSumOfLines reports whether the net total, or an amount with the label of a sum of
// lines, has a value.
func (a *arbiter) isSumOfLines(sum int64) bool {
	return a.Chain.Net.Known && a.Chain.Net.Value == sum ||
		slices.ContainsFunc(a.Amounts, func(x candidate.Amount) bool { return x.Value == sum && x.Labels["lineTotal"] > 0.3 })
}

// lineOf is a line of an answer.
func (a *arbiter) lineOf(i int, ids map[string][]int) (l lines.Line, ok bool) {
	l = lines.Line{Numbers: map[string]candidate.Number{}, Texts: map[string][]*layout.Word{}}
	for _, f := range asked().Lines {
		o, given := a.offered(fmt.Sprintf("lines[%d].%s", i, f.Name), f, ids[f.Name])
		switch {
		case !given:
		case f.Type != typeText:
			l.Numbers[f.Pointer] = o.number
		case f.Pointer == "name":
			l.Name = o.Words
		default:
			l.Texts[f.Pointer] = o.Words
		}
	}
	net, ok := l.Numbers["lineNet"]
	if !ok {
		a.object("lines[%d].netAmount is missing", i)
		return l, false
	}
	l.Row = a.rows[net.Words[0]]
	l.Fix()
	return l, true
}
