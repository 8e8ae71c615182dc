package parse

import (
	"math/bits"
	"strconv"
	"strings"
)

// A number is one that is printed, in millionths.
type number struct {
	value    int64
	decimals int
	words    []*word
	currency string // printed with it
	percent  bool
	exact    string // what is printed, in decimal notation, where that is more than value has
	readAs   string // what was recognised, where another value is taken; else empty
	computed bool   // it follows from other numbers, and has no words
}

// unitsPerOne is how many parts a number has for each 1.
const unitsPerOne = 1_000_000

// cent is one hundredth.
const cent = unitsPerOne / 100

// A notation is how a document writes numbers and days.
type notation struct {
	decimal    byte // ',' or '.'
	monthFirst bool // of days in figures
	signed     bool // groups are parted by a sign, so that what a space parts are two numbers
	spaced     bool // groups are parted by a space
}

var (
	surelyDecimal  = pattern(`\d([.,])\d{2}\D*$`)
	signedGroups   = pattern(`^\D*\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.|(?:['’]\d{3})+[.,])\d{2}\D*$`)
	bothSigns      = pattern(`^\D*\d{1,3}(?:[.,'’]\d{3})*([.,])\d{2}\D*$`)
	numberShape    = pattern(`^([-–−+(]?)((?:\d{1,3}(?:[.,'’]\d{3})+|\d+)(?:[.,](?:\d+|[-–—]{1,2}))?)([-–−)]?)$`)
	groupHead      = pattern(`^(?:[-–−+(]?[€£$]?|[€£$][-–−])\d{1,3}$`)
	groupTail      = pattern(`^\d{3}(?:[.,]\d{2,4}\D{0,4})?$`)
	groupLast      = pattern(`^\d{3}[.,]\d{2,4}\D{0,4}$`)
	currencyPrefix = pattern(`^([-–−(]?)(?:([A-Z]{3})|([€£$]))`)
	currencySuffix = pattern(`(?:([A-Z]{3})|([€£$]))\)?$`)
)

// maxDecimals is how many digits behind the decimal sign are kept.
const maxDecimals = 6

// maxExact is how many digits behind the decimal sign a number may have, such as the price of
// a kilowatt-hour. Of more than maxDecimals, the first count in sums.
const maxExact = 12

// maxDigits bounds the digits of a number before its decimal sign, so that sums of as many
// as there may be lines cannot overflow.
const maxDigits = 9

// notationOf decides what the decimal sign of a document is: the one that most numbers
// with two decimals have.
func notationOf(l *layout) notation {
	votes := map[string]int{}
	signed, spaced := 0, 0
	for _, r := range l.rows {
		for i, w := range r.words {
			if signedGroups().MatchString(w.Text) {
				signed++
			}
			if _, words := joinGroups(r.words[i:], false); words > 1 {
				spaced++
			}
			if m := bothSigns().FindStringSubmatch(w.Text); m != nil {
				votes[m[1]]++
			} else if m := surelyDecimal().FindStringSubmatch(w.Text); m != nil && !dateLike().MatchString(w.Text) {
				votes[m[1]]++
			}
		}
	}
	n := notation{decimal: ',', monthFirst: monthIsFirst(l), signed: signed > 0 && signed >= spaced, spaced: spaced > 0 && signed < spaced}
	if votes["."] > votes[","] {
		n.decimal = '.'
	}
	return n
}

// at reads the number that begins at a word of a row, and says how many words it has.
func (n notation) at(of []*word) (number, int) {
	if len(of) == 0 || len(of[0].Text) > 40 {
		return number{}, 0
	}
	var out number
	skip := 0
	if code, ok := currencyWord(of[0].Text); ok && len(of) > 1 { // EUR 12,00
		out.currency, skip = code, 1
	}
	s, used := of[skip].Text, 1
	if !n.signed {
		s, used = joinGroups(of[skip:], n.spaced)
	}
	used += skip
	var next *word
	if used < len(of) && of[used].Box.Left-of[used-1].Box.Right < cellGap*max(of[used].Size, 4) {
		next = of[used]
	}
	switch {
	case cutPercent(&s):
		out.percent, next = true, nil
	case next != nil && isPercentSign(next.Text):
		s = strings.TrimPrefix(s, "(")
	case skip == 0:
		s, out.currency = cutCurrency(s)
	}
	if isClosing(s) {
		s = strings.TrimSuffix(s, ")")
	}
	if !n.parse(s, &out) {
		return number{}, 0
	}
	if next != nil {
		switch code, ok := currencyWord(next.Text); {
		case isPercentSign(next.Text):
			out.percent = true
			used++
		case ok && out.currency == "":
			out.currency = code
			used++
		}
	}
	out.words = of[:used]
	return out, used
}

// isClosing tells whether a bracket behind an amount was opened before it, as in "VAT (19 % of
// 1,600.00)"; one of its own around it makes it negative.
func isClosing(s string) bool {
	return strings.HasSuffix(s, ")") && !strings.Contains(s, "(") && surelyDecimal().MatchString(s)
}

// behindPercent are signs that may follow a percentage at once, as in "VAT (19 %): 3.80".
const behindPercent = ":;,.)"

func isPercentSign(s string) bool { return strings.TrimRight(s, behindPercent) == "%" }

// cutPercent cuts the sign off a percentage that is written in one word.
func cutPercent(s *string) bool {
	number, is := strings.CutSuffix(strings.TrimRight(*s, behindPercent), "%")
	if is {
		*s = strings.TrimLeft(number, "(@")
	}
	return is
}

// joinGroups joins the groups of a number that spaces part, as in 1 234 567,89; whole is
// whether 1 234 is one number as well.
func joinGroups(of []*word, whole bool) (string, int) {
	if !groupHead().MatchString(of[0].Text) {
		return of[0].Text, 1
	}
	joined, i := of[0].Text, 1
	for ; i < len(of) && i < 4; i++ {
		if of[i].Box.Left-of[i-1].Box.Right > max(0.45*max(of[i].Size, 4), 1.1*of[i].letterWidth()) || !groupTail().MatchString(of[i].Text) {
			break
		}
		joined += of[i].Text
		if groupLast().MatchString(of[i].Text) {
			return joined, i + 1
		}
	}
	if whole && i > 1 {
		return joined, i
	}
	return of[0].Text, 1
}

// letterWidth is the width of a letter, which is that of a space in fonts of one width.
func (w *word) letterWidth() float64 {
	return min((w.Box.Right-w.Box.Left)/float64(max(len(w.Text), 1)), 0.62*w.Size)
}

func currencyWord(s string) (string, bool) {
	if len(s) > 8 {
		return "", false
	}
	return words().Currencies.exactly(s)
}

func cutCurrency(s string) (rest, currency string) {
	if m := currencyPrefix().FindStringSubmatch(s); m != nil {
		if code, ok := currencyWord(m[2] + m[3]); ok {
			return m[1] + s[len(m[0]):], code
		}
	}
	if m := currencySuffix().FindStringSubmatch(s); m != nil {
		if code, ok := currencyWord(m[1] + m[2]); ok {
			return strings.TrimSuffix(s, m[0]), code
		}
	}
	return s, ""
}

// parse reads the digits of a number.
func (n notation) parse(s string, into *number) bool {
	m := numberShape().FindStringSubmatch(s)
	if m == nil || m[1] == "(" != (m[3] == ")") {
		return false
	}
	whole, fraction := n.split(m[2])
	fraction = strings.Trim(fraction, "-–—")
	if len(whole) > maxDigits || len(fraction) > maxExact || whole == "" {
		return false
	}
	v, err := strconv.ParseInt(whole+(fraction + "000000")[:maxDecimals], 10, 64)
	if err != nil {
		return false
	}
	if negative := m[1] != "" && m[1] != "+" || m[3] != ""; negative {
		v = -v
	}
	into.value, into.decimals = v, min(len(fraction), maxDecimals)
	if len(fraction) > maxDecimals {
		into.exact = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:] + "." + fraction
		if v < 0 {
			into.exact = "-" + into.exact
		}
	}
	return true
}

// split parts the digits before the decimal sign from those behind it, and drops the
// signs between groups. A single sign with three digits behind it groups, unless it is
// the decimal sign of the document; with another number of digits it is decimal.
func (n notation) split(s string) (whole, fraction string) {
	drop := strings.NewReplacer(".", "", ",", "", "'", "", "’", "")
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return drop.Replace(s), ""
	}
	behind := s[last+1:]
	groups := len(behind) == 3 && (s[last] != n.decimal || strings.Count(s, s[last:last+1]) > 1)
	if groups {
		return drop.Replace(s), ""
	}
	return drop.Replace(s[:last]), behind
}

// decimal writes the number with a point and the decimals that are printed.
func (n *number) decimal() string {
	if n.exact != "" {
		return n.exact
	}
	return decimalText(n.value, max(n.decimals, 0))
}

// amountText writes an amount with two decimals at least.
func amountText(value int64) string {
	if value%cent != 0 {
		return decimalText(value, 0)
	}
	return decimalText(value, 2)
}

func decimalText(value int64, decimals int) string {
	sign := ""
	if value < 0 {
		sign, value = "-", -value
	}
	s := strconv.FormatInt(value, 10)
	if len(s) <= maxDecimals {
		s = strings.Repeat("0", maxDecimals+1-len(s)) + s
	}
	whole, fraction := s[:len(s)-maxDecimals], s[len(s)-maxDecimals:]
	for decimals == 0 && fraction != "" && fraction[len(fraction)-1] == '0' { // as few as there are
		fraction = fraction[:len(fraction)-1]
	}
	if decimals == 0 {
		decimals = len(fraction)
	}
	if decimals == 0 {
		return sign + whole
	}
	return sign + whole + "." + fraction[:decimals]
}

// tooLarge is what a product is that would not fit, which equals no printed number.
const tooLarge = int64(1) << 60

// times multiplies two numbers and rounds the result, halves away from zero.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(abs(a)), uint64(abs(b)))
	if high >= unitsPerOne {
		return tooLarge
	}
	product, rest := bits.Div64(high, low, unitsPerOne)
	if 2*rest >= unitsPerOne {
		product++
	}
	if product > uint64(tooLarge) {
		return tooLarge
	}
	if (a < 0) != (b < 0) {
		return -int64(product)
	}
	return int64(product)
}

// share is a percentage of an amount, to the cent.
func share(of, percent int64) int64 { return toCent(times(of, percent) / 100) }

// toCent rounds to cents, halves away from zero.
func toCent(v int64) int64 {
	if v < 0 {
		return -toCent(-v)
	}
	return (v + cent/2) / cent * cent
}

func abs(v int64) int64 { return max(v, -v) }
