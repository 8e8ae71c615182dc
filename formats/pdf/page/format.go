package page

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"einvoice/model"
	"einvoice/model/numeral"
)

// number formats a decimal without zeros at its end.
func (l *language) number(n *model.Number) string { return l.decimal(n, 0) }

// money formats an amount with at least as many digits after the decimal mark as its
// currency has, and with more only where they are not zeros.
func (l *language) money(n *model.Number, code string) string { return l.decimal(n, minorUnits(code)) }

// minorUnits is how many digits after the decimal mark a currency has (ISO 4217); two for
// a code that is not known.
func minorUnits(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	digits, _ := currency.Standard.Rounding(unit)
	return digits
}

func (l *language) decimal(n *model.Number, least int) string {
	if !n.Valid {
		return clean(n.Raw)
	}
	return l.form().Write(significant(n.Value.String()), least)
}

func (l *language) form() numeral.Form {
	return numeral.Form{Decimal: l.Decimal, Group: l.Group, Grouped: l.Grouped}
}

// digits is how many digits after the decimal mark a number is shown with.
func (l *language) digits(n *model.Number, least int) int {
	if !n.Valid {
		return 0
	}
	if n.Value.FractionDigits() <= least {
		return least
	}
	_, fraction, _ := strings.Cut(significant(n.Value.String()), ".")
	return max(least, len(fraction))
}

// significant is a number without zeros at the end of its fraction.
func significant(number string) string {
	if !strings.Contains(number, ".") {
		return number
	}
	return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
}

func (l *language) percent(n *model.Number) string {
	return strings.Replace(l.Percent, "#", l.number(n), 1)
}

func (l *language) date(d *model.Date) string {
	if !d.Valid {
		return clean(d.Raw)
	}
	return solid(time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(l.Date))
}

// named is the name of a code; the code if it has no name.
func (l *language) named(f *model.Field, code string) string {
	if name := l.codeName(f, code); name != "" {
		return name
	}
	return clean(code)
}

// reason is the name of a code that readers look up, with the code behind it.
func (l *language) reason(f *model.Field, code string, d directive) string {
	name := l.codeName(f, code)
	if name == "" {
		if article := d.article(code); article != "" {
			name = strings.Replace(l.word("article"), "#", article, 1)
		}
	}
	if name == "" {
		return clean(code)
	}
	return name + " (" + clean(code) + ")"
}

// codeName is the name of a code; empty if it is not known.
func (l *language) codeName(f *model.Field, code string) string {
	words := l.fields[f]
	if words.country {
		return l.countries(code)
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
			return clean(o.Binary(f).Raw)
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
	text := o.Text(f).Raw
	switch f.Class {
	case "code":
		return l.named(f, text)
	case "identifier", "reference":
		if utf8.RuneCountInString(text) <= longestSolid {
			return solid(clean(text))
		}
	}
	return clean(text)
}

// longestSolid is how long an identifier may be that is not broken at its blanks.
const longestSolid = 34

// amount formats an amount, with the currency if it is not that of the invoice.
func (l *language) amount(a *model.Amount, f *model.Field, inCurrency string) string {
	own := inCurrency
	if a.Currency.Present {
		own = a.Currency.Raw
	}
	text := l.money(&a.Number, own)
	if own != inCurrency {
		text = l.withCurrency(text, clean(own))
	}
	return text
}

// withCurrency is an amount with the code of its currency, where the language has it.
func (l *language) withCurrency(amount, code string) string {
	return strings.Replace(strings.Replace(l.Currency, "{currency}", code, 1), "#", amount, 1)
}

func numberOf(n int) *model.Number {
	number := model.NewNumber(strconv.Itoa(n))
	return &number
}
