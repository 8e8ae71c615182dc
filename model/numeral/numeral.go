// Package numeral writes numbers in the form of a language.
//
//	german := numeral.Form{Decimal: ",", Group: ".", Grouped: 5}
//	german.Write("12345.5", 2) // 12.345,50
package numeral

import (
	"strconv"
	"strings"
)

// A Form is how a language writes numbers.
type Form struct {
	Decimal, Group string
	Grouped        int // the number of digits from which they are grouped in threes
}

// Write writes a decimal number, given as xs:decimal has it, with all its digits and at
// least so many after the decimal mark.
func (f Form) Write(number string, least int) string {
	sign := ""
	if rest, negative := strings.CutPrefix(number, "-"); negative {
		sign, number = "-", rest
	}
	whole, fraction, _ := strings.Cut(number, ".")
	for len(fraction) < least {
		fraction += "0"
	}
	if len(whole) >= f.Grouped {
		whole = grouped(whole, f.Group)
	}
	if fraction != "" {
		whole += f.Decimal + fraction
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

// Count returns a number with its noun: 1 rule, 2 rules, 2 queries.
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		return strconv.Itoa(n) + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
