package page

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/currency"
	bcp47 "golang.org/x/text/language"

	"einvoice/model"
	"einvoice/model/numeral"
)

// number formats a decimal with all its digits.
func (l *language) number(n *model.Number) string { return l.decimal(n, 0) }

// money formats an amount with all its digits, and with at least as many after the
// decimal mark as its currency has.
func (l *language) money(n *model.Number, code string) string {
	least := 0
	if unit, err := currency.ParseISO(code); err == nil {
		least, _ = currency.Standard.Rounding(unit)
	}
	return l.decimal(n, least)
}

func (l *language) decimal(n *model.Number, least int) string {
	if !n.Valid {
		return n.Raw
	}
	return numeral.Form{Decimal: l.Decimal, Group: l.Group, Grouped: l.Grouped}.Write(n.Value.String(), least)
}

func (l *language) percent(n *model.Number) string {
	return strings.Replace(l.Percent, "#", l.number(n), 1)
}

func (l *language) date(d *model.Date) string {
	if !d.Valid {
		return d.Raw
	}
	return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(l.Date)
}

// named is a code with its name before it, or the code alone if it has no name.
func (l *language) named(f *model.Field, code string) string {
	if name := l.codeName(f, code); name != "" && name != code {
		return name + " (" + code + ")"
	}
	return code
}

// codeName is the name of a code; empty if it is not known.
func (l *language) codeName(f *model.Field, code string) string {
	words := l.fields[f]
	if words.country {
		region, err := bcp47.ParseRegion(code)
		if err != nil || len(code) != 2 {
			return ""
		}
		return l.countries.Name(region)
	}
	return words.codes[code]
}

// leaf formats the value of a term.
func (l *language) leaf(o model.Object, f *model.Field, inCurrency string) string {
	switch f.Kind {
	case model.KindDate:
		return l.date(o.Date(f))
	case model.KindBinary:
		data, err := o.Binary(f).Decode()
		if err != nil {
			return o.Binary(f).Raw
		}
		return strings.Replace(l.word("bytes"), "#", l.number(numberOf(len(data))), 1)
	case model.KindAmount:
		return l.amount(o.Amount(f), f, inCurrency)
	case model.KindNumber:
		if f.Class == "percentage" {
			return l.percent(o.Number(f))
		}
		return l.number(o.Number(f))
	}
	return l.named(f, o.Text(f).Raw)
}

// amount formats an amount, with the currency if it is not that of the invoice.
func (l *language) amount(a *model.Amount, f *model.Field, inCurrency string) string {
	own := inCurrency
	if a.Currency.Present {
		own = a.Currency.Raw
	}
	text := l.number(&a.Number)
	if f.Class == "amount" { // a price has as many digits as it needs
		text = l.money(&a.Number, own)
	}
	if own != inCurrency {
		text += " " + own
	}
	return text
}

func numberOf(n int) *model.Number {
	number := model.NewNumber(strconv.Itoa(n))
	return &number
}
