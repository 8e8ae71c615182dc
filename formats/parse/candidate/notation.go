package candidate

import (
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model/currency"
)

// A Notation is how a document writes numbers and days.
type Notation struct {
	Decimal    byte           // ',' or '.'
	monthFirst bool           // of days in figures
	yearFirst  bool           // of days with two digits for the year
	yearUnsure bool           // nothing says whether it is first
	dayUnsure  bool           // either the currency or another day says so, not both
	months     map[string]int // names that mean another month in the language of the pages
	signed     bool           // groups are parted by a sign, so that what a space parts are two numbers
	spaced     bool           // groups are parted by a space
	digits     int            // most of a number, before its decimal sign
	money      money
}

// money tells that a currency is named whose amounts have no decimals, as yen, or three, as dinars.
type money struct{ whole, mills bool }

// digitsOf is how many digits numbers may have of pages with so many long ones, as amounts in dong have eleven, for the same reason.
func digitsOf(long int) int {
	const few, some = 80, 800 // of 10^11 and 10^10, in millionths, a sum fits
	switch {
	case long <= few:
		return maxDigits + 2
	case long <= some:
		return maxDigits + 1
	}
	return maxDigits
}

// NotationOf decides what the decimal sign of a document is: the one that most numbers
// with two decimals have, or with groups by another sign.
func NotationOf(l *layout.Layout) Notation {
	votes := map[string]int{}
	signed, spaced, wholes, long := 0, 0, 0, 0
	for _, r := range l.Rows {
		for i, w := range r.Words {
			if isLong(w.Text) {
				long++
			}
			if signedGroups().MatchString(w.Text) {
				signed++
			}
			if _, words := joinGroups(r.Words[i:], false); words > 1 {
				spaced++
			}
			if _, words := joinGroups(r.Words[i:], true); words > 1 {
				wholes++
			}
			if m := bothSigns().FindStringSubmatch(w.Text); m != nil {
				votes[m[1]]++
			} else if sign := decimalBehindGroups(w.Text); sign != "" {
				votes[sign]++
			} else if m := noGroup().FindStringSubmatch(w.Text); m != nil {
				votes[m[1]]++
			} else if m := layout.SurelyDecimal().FindStringSubmatch(w.Text); m != nil && !dateLike().MatchString(w.Text) {
				votes[m[1]]++
			}
		}
	}
	monthFirst, dayUnsure := monthIsFirst(l)
	yearFirst, yearUnsure := yearIsFirst(l)
	named, isOpen := moneyOf(l), votes["."] == votes[","]
	named.whole = named.whole || !named.mills && isWrittenWhole(l)
	if named.whole || isOpen && !named.mills { // groups alone, in pages whose amounts have no decimals
		spaced = max(spaced, wholes)
	}
	n := Notation{Decimal: ',', monthFirst: monthFirst, yearFirst: yearFirst, yearUnsure: yearUnsure, dayUnsure: dayUnsure, months: ownMonths(l), signed: signed > 0 && signed >= spaced, spaced: spaced > 0 && signed < spaced, digits: digitsOf(long), money: named}
	// Where nothing decides, three digits behind a sign are a group, in yen and in euros.
	sign, groups := groupSign(l, spaced)
	if votes["."] > votes[","] || isOpen && !named.mills && sign == "," {
		n.Decimal = '.'
	}
	// A bottle of 0,75 l says nothing of amounts without decimals.
	if named.whole && sign == string(n.Decimal) && groups > votes[sign] {
		n.Decimal = map[string]byte{",": '.', ".": ','}[sign]
	}
	return n
}

// isLong reports whether a text has three digits at least, so that it may be a large number or a group of one.
func isLong(s string) bool {
	const least = 3
	digits := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	return digits >= least
}

// isWrittenWhole reports whether pages write their amounts without decimals, in whatever currency: more of their numbers have
// groups, or a currency, and no decimals than are written as cents are. Percentages do not count.
func isWrittenWhole(l *layout.Layout) bool {
	const least = 3
	whole, cents := 0, 0
	for _, r := range l.Rows {
		for i := 0; i < len(r.Words); i++ {
			s, used := joinGroups(r.Words[i:], true)
			text := r.Words[i].Text
			last := i + used - 1
			isShare := strings.Contains(r.Words[last].Text, "%") || last+1 < len(r.Words) && isPercentSign(r.Words[last+1].Text)
			switch {
			case isShare || dateLike().MatchString(text):
			case layout.SurelyDecimal().MatchString(s) || mixedSigns().MatchString(s):
				cents++
			case used > 1 || oneSign().MatchString(text) || lakhs().MatchString(text) || isWholeMoney(r.Words, i):
				whole++
			}
			i = last
		}
	}
	return whole >= least && whole > cents
}

// isWholeMoney reports whether a word is three digits or more with a currency beside them.
func isWholeMoney(of []*layout.Word, at int) bool {
	rest, code := CutCurrency(of[at].Text)
	if code == "" && at+1 < len(of) && layout.Near(of[at], of[at+1]) {
		code, _ = CurrencyAt(of[at+1:])
	}
	return code != "" && wholeNumber().MatchString(rest)
}

var wholeNumber = lexicon.Pattern(`^[-–−(]?[1-9]\d{2,}[-–−)]?$`)

// mills is how many decimals amounts of currencies with thousandths have.
const mills = 3

// moneyOf tells which kinds of currencies pages name.
func moneyOf(l *layout.Layout) (found money) {
	for _, r := range l.Rows {
		for _, w := range r.Words {
			if code := strings.Trim(w.Text, "0123456789-+.,:;()[]"); len(code) == len("JPY") {
				decimals := currency.MinorUnits(code)
				found.whole, found.mills = found.whole || decimals == 0, found.mills || decimals == mills
			}
		}
	}
	return found
}

// groupSign is the sign that most numbers have before each three digits, and how many do; empty where none has, or more numbers
// have spaces there.
func groupSign(l *layout.Layout, spaced int) (sign string, numbers int) {
	votes := map[string]int{}
	for _, r := range l.Rows {
		for _, w := range r.Words {
			if m := oneSign().FindStringSubmatch(w.Text); m != nil {
				votes[m[1]]++
			} else if lakhs().MatchString(w.Text) {
				votes[","]++
			}
		}
	}
	switch {
	case spaced > votes["."]+votes[","]:
		return "", 0
	case votes["."] > votes[","]:
		return ".", votes["."]
	case votes[","] > 0:
		return ",", votes[","]
	}
	return "", 0
}
