package render

import (
	"strconv"
	"strings"
	"time"

	bcp47 "golang.org/x/text/language"

	"einvoice/model"
)

// number writes a decimal with all its digits.
func (l *language) number(n *model.Number) string {
	if !n.Valid {
		return n.Raw
	}
	digits := n.Value.String()
	sign := ""
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if len(whole) >= l.Grouped {
		whole = grouped(whole, l.Group)
	}
	if point {
		whole += l.Decimal + fraction
	}
	return sign + whole
}

func grouped(digits, separator string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(separator)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
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

// named is a code with its name before it, or the code alone.
func (l *language) named(f *model.Field, code string) string {
	if name := l.codeName(f, code); name != "" && name != code {
		return name + " (" + code + ")"
	}
	return code
}

// codeName is the name of a code, "" where it is not known.
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

// leaf writes the value of a term.
func (l *language) leaf(o model.Object, f *model.Field, currency string) string {
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
		a := o.Amount(f)
		if a.Currency.Present && a.Currency.Raw != currency {
			return l.number(&a.Number) + " " + a.Currency.Raw
		}
		return l.number(&a.Number)
	case model.KindNumber:
		if f.Class == "percentage" {
			return l.percent(o.Number(f))
		}
		return l.number(o.Number(f))
	}
	return l.named(f, o.Text(f).Raw)
}

func numberOf(n int) *model.Number {
	number := model.NewNumber(strconv.Itoa(n))
	return &number
}
