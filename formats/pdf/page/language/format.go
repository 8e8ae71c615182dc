package language

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/currency"
	"einvoice/model/numeral"
)

// Number formats a decimal without zeros at its end.
func (l *Language) Number(n *model.Number) string { return l.decimal(n, 0) }

// Money formats an amount with at least as many digits after the decimal mark as its
// currency has, and with more only where they are not zeros.
func (l *Language) Money(n *model.Number, code string) string {
	return l.decimal(n, LeastDigits(n, code))
}

// LeastDigits is how many digits after the decimal mark an amount has at least: those of its
// currency, and two where that has none and the amount has a fraction, as VAT in yen does. One
// digit alone is read as none of an amount, neither by people nor by the check of the pages.
func LeastDigits(n *model.Number, code string) int {
	const cents = 2
	least := currency.MinorUnits(code)
	if least < cents && n.Valid && strings.Contains(significant(n.Value.String()), ".") {
		return cents
	}
	return least
}

func (l *Language) decimal(n *model.Number, least int) string {
	if !n.Valid {
		return typeset.Clean(n.Raw)
	}
	return l.form().Write(significant(n.Value.String()), least)
}

func (l *Language) form() numeral.Form {
	return numeral.Form{Decimal: l.Decimal, Group: l.Group, Grouped: l.Grouped}
}

// Digits is how many digits after the decimal mark a number is shown with.
func (l *Language) Digits(n *model.Number, least int) int {
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

// Percentage formats a number with the sign for parts of a hundred.
func (l *Language) Percentage(n *model.Number) string {
	return strings.Replace(l.Percent, "#", l.Number(n), 1)
}

// Day writes a day.
func (l *Language) Day(d *model.Date) string {
	if !d.Valid {
		return typeset.Clean(d.Raw)
	}
	return typeset.Solid(time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC).Format(l.Date))
}

// named is the name of a code; the code if it has no name.
func (l *Language) named(f *model.Field, code string) string {
	if name := l.CodeName(f, code); name != "" {
		return name
	}
	return typeset.Clean(code)
}

// Reason is the name of a code that readers look up, or else the article that it names, with
// the code behind it.
func (l *Language) Reason(f *model.Field, code, article string) string {
	name := l.CodeName(f, code)
	if name == "" && article != "" {
		name = strings.Replace(l.Word("article"), "#", article, 1)
	}
	if name == "" {
		return typeset.Clean(code)
	}
	return name + " (" + typeset.Clean(code) + ")"
}

// CodeName is the name of a code; empty if it is not known.
func (l *Language) CodeName(f *model.Field, code string) string {
	switch words := l.fields[f]; {
	case words.country:
		return l.countries(code)
	case words.unit:
		return l.unitName(strings.TrimSpace(code))
	case words.scheme:
		return l.schemeName(strings.TrimSpace(code), words.itemScheme)
	}
	words := l.fields[f]
	return words.codes[code]
}

// Leaf formats the value of a term.
func (l *Language) Leaf(o model.Object, f *model.Field, inCurrency string) string {
	switch f.Kind {
	case model.KindDate:
		return l.Day(o.Date(f))
	case model.KindBinary:
		data, err := o.Binary(f).Decode()
		if err != nil {
			return typeset.Clean(o.Binary(f).Raw)
		}
		return strings.Replace(l.Word("bytes"), "#", l.Number(numberOf(len(data))), 1)
	case model.KindAmount:
		return l.amount(o.Amount(f), f, inCurrency)
	case model.KindNumber:
		if f.Class == "percentage" {
			return l.Percentage(o.Number(f))
		}
		return l.Number(o.Number(f))
	}
	text := o.Text(f).Raw
	if strings.Contains(text, "\n") {
		text = tidy(text)
	}
	if l.fields[f].scheme {
		return l.named(f, text)
	}
	switch f.Class {
	case "indicator":
		switch strings.TrimSpace(text) {
		case "true", "1":
			return l.Word("yes")
		case "false", "0":
			return l.Word("no")
		}
	case "code":
		return l.named(f, text)
	case "identifier", "reference":
		if utf8.RuneCountInString(text) <= longestSolid {
			return typeset.Solid(typeset.Clean(text))
		}
	}
	return typeset.Clean(text)
}

// tidy is a text without the indentation of the XML that it was in, and without empty lines at
// its ends.
func tidy(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" }), "\n")
}

// longestSolid is how long an identifier may be that is not broken at its blanks.
const longestSolid = 34

// amount formats an amount, with the currency if it is not that of the invoice.
func (l *Language) amount(a *model.Amount, f *model.Field, inCurrency string) string {
	own := inCurrency
	if a.Currency.Present {
		own = a.Currency.Raw
	}
	text := l.Money(&a.Number, own)
	if own != inCurrency {
		text = l.WithCurrency(text, typeset.Clean(own))
	}
	return text
}

// WithCurrency is an amount with the code of its currency, where the language has it.
func (l *Language) WithCurrency(amount, code string) string {
	return strings.Replace(strings.Replace(l.Currency, "{currency}", code, 1), "#", amount, 1)
}

func numberOf(n int) *model.Number {
	number := model.NewNumber(strconv.Itoa(n))
	return &number
}
