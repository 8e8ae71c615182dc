package candidate

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model/currency"
)

// A Number is one that is printed, in millionths.
type Number struct {
	Value    int64
	Decimals int
	Words    []*layout.Word
	Currency string // printed with it
	Percent  bool
	Exact    string // what is printed, in decimal notation, where that is more than value has
	ReadAs   string // what was recognised, where another value is taken; else empty
	Computed bool   // it follows from other numbers, and has no words
	money    money  // how amounts of the pages may be written
}

// HasCents reports whether a number is written as an amount is: with as many decimals as the money of the pages has. Where
// that has none, small numbers count.
func (n *Number) HasCents() bool {
	return n.Decimals == 2 || n.money.mills && n.Decimals == mills || n.IsWhole()
}

// IsWhole reports whether a number is an amount without decimals, of pages whose amounts have none.
func (n *Number) IsWhole() bool {
	const small = 100
	return n.money.whole && n.Decimals == 0 && (n.Value == 0 || Abs(n.Value) >= small*UnitsPerOne)
}

// Rounding is by how much rounding may change an amount: half a unit where it has no decimals, else a cent.
func (n *Number) Rounding() int64 {
	if n.IsWhole() && n.Value != 0 {
		return UnitsPerOne / 2
	}
	return Cent
}

// UnitsPerOne is how many parts a number has for each 1.
const UnitsPerOne = 1_000_000

// Cent is one hundredth.
const Cent = UnitsPerOne / 100

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

var (
	signedGroups   = lexicon.Pattern(`^\D*\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.|(?:['’]\d{3})+[.,])\d{2}\D*$`)
	bothSigns      = lexicon.Pattern(`^\D*\d{1,3}(?:[.,'’]\d{3})*([.,])\d{2}\D*$`)
	oneSign        = lexicon.Pattern(`^\D*[1-9]\d{0,2}(?:([.,])\d{3})+\D*$`)
	mixedSigns     = lexicon.Pattern(`^\D*\d{1,3}(?:(?:[,'’]\d{3})+(\.)|(?:[.'’]\d{3})+(,))\d+\D*$`)
	numberShape    = lexicon.Pattern(`^([-–−+(]?)((?:\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:[.,'’]\d{3})+|\d+)(?:[.,](?:\d+|[-–—]{1,2})|['’]\d{2})?|[.,]\d{2})([-–−)]?)$`)
	lakhs          = lexicon.Pattern(`^\D*\d{1,2}(?:,\d{2})+,\d{3}\D*$`)
	groupHead      = lexicon.Pattern(`^(?:[-–−+(]?\p{Sc}?|\p{Sc}[-–−])\d{1,3}$`)
	groupTail      = lexicon.Pattern(`^\d{3}(?:[.,]\d{2,4}\D{0,4}|[-–−)])?$`)
	groupLast      = lexicon.Pattern(`^\d{3}[.,]\d{2,4}\D{0,4}$`)
	currencyPrefix = lexicon.Pattern(`^([-–−(]?)(?:([A-Z]{3})|([A-Z]{0,3}\$|\p{Sc}))`)
	currencySuffix = lexicon.Pattern(`(?:([A-Z]{3})|([A-Z]{0,3}\$|\p{Sc}))\)?$`)
)

// maxDecimals is how many digits behind the decimal sign are kept.
const maxDecimals = 6

// maxExact is how many digits behind the decimal sign a number may have, such as the price of
// a kilowatt-hour. Of more than maxDecimals, the first count in sums.
const maxExact = 12

// maxDigits bounds the digits of a number before its decimal sign, so that sums of as many
// as there may be lines cannot overflow.
const maxDigits = 9

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

// At reads the number that begins at a word of a row, and says how many words it has.
func (n Notation) At(of []*layout.Word) (Number, int) {
	if len(of) == 0 || len(of[0].Text) > 40 {
		return Number{}, 0
	}
	var out Number
	skip := 0
	if code, ok := CurrencyAt(of); ok && len(of) > 1 { // EUR 12,00
		out.Currency, skip = code, 1
	}
	s, used := of[skip].Text, 1
	if !n.signed || beginsWithZero(of[skip:]) {
		s, used = joinGroups(of[skip:], n.spaced)
	}
	used += skip
	var next *layout.Word
	if used < len(of) && of[used].Box.Left-of[used-1].Box.Right < layout.CellGap*max(of[used].Size, 4) {
		next = of[used]
	}
	switch {
	case cutPercent(&s):
		out.Percent, next = true, nil
	case next != nil && isPercentSign(next.Text):
		s = strings.TrimPrefix(s, "(")
	case skip == 0:
		s, out.Currency = CutCurrency(s)
	}
	if isClosing(s) {
		s = strings.TrimSuffix(s, ")")
	}
	if endsClause().MatchString(s) {
		s = s[:len(s)-1]
	}
	if !n.Parse(s, &out) {
		return Number{}, 0
	}
	if next != nil {
		switch code, ok := CurrencyAt(of[used:]); {
		case isPercentSign(next.Text):
			out.Percent = true
			used++
		case ok && out.Currency == "" && (isSurely(next.Text) || out.isAmount()):
			out.Currency = code
			used++
		}
	}
	if skip > 0 && !isSurely(of[0].Text) && !out.isAmount() { // ALL 12, TOP 3
		return Number{}, 0
	}
	out.Words = of[:used]
	return out, used
}

// isSurely reports whether a word is a currency wherever it stands.
func isSurely(s string) bool {
	_, ok := lexicon.CurrencyWord(s)
	return ok && !lexicon.IsShortCurrency(s)
}

// isAmount reports whether a number is written as an amount is, so that capitals beside it may be the code of a currency.
func (n *Number) isAmount() bool { return n.HasCents() || n.Decimals == mills }

// isClosing reports whether a bracket behind an amount was opened before it, as in "VAT (19 % of
// 1,600.00)"; one of its own around it makes it negative.
func isClosing(s string) bool {
	return strings.HasSuffix(s, ")") && !strings.Contains(s, "(") && layout.SurelyDecimal().MatchString(s)
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

// beginsWithZero reports whether the second word is no number of its own: 024,52 goes on after 1, whatever parts the groups of
// other numbers.
func beginsWithZero(of []*layout.Word) bool {
	return len(of) > 1 && zeroGroup().MatchString(of[1].Text)
}

// zeroGroup matches a group of digits that begins with zero, with decimals behind it.
var zeroGroup = lexicon.Pattern(`^0\d\d[.,]\d\d$`)

// mostParts is how many groups a number may have: more than one that is read, as the first of them are none.
const mostParts = 6

// joinGroups joins the groups of a number that spaces part, as in 1 234 567,89; whole is
// whether 1 234 is one number as well.
func joinGroups(of []*layout.Word, whole bool) (string, int) {
	if !groupHead().MatchString(of[0].Text) {
		return of[0].Text, 1
	}
	joined, i := of[0].Text, 1
	for ; i < len(of) && i < mostParts; i++ {
		if of[i].Box.Left-of[i-1].Box.Right > max(0.45*max(of[i].Size, 4), 1.1*of[i].LetterWidth()) || !groupTail().MatchString(of[i].Text) {
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

// isOfCurrency reports whether a letter or sign is one that currencies are written with.
func isOfCurrency(c rune) bool { return c >= 'A' && c <= 'Z' || unicode.Is(unicode.Sc, c) }

// CutCurrency cuts a currency off the text of an amount. A code that goes on with a letter, as in EURL, does not count. A sign
// of a currency that nobody knows is cut as well, and names none.
func CutCurrency(s string) (rest, currency string) {
	if !strings.ContainsFunc(s, isOfCurrency) {
		return s, ""
	}
	if m := currencyPrefix().FindStringSubmatch(s); m != nil {
		behind, _ := utf8.DecodeRuneInString(s[len(m[0]):])
		if code, ok := amountCode(m[2], m[3]); ok && (m[2] == "" || !unicode.IsLetter(behind)) {
			return m[1] + s[len(m[0]):], code
		}
	}
	if m := currencySuffix().FindStringSubmatch(s); m != nil {
		before, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(s, m[0]))
		if code, ok := amountCode(m[1], m[2]); ok && (m[1] == "" || !unicode.IsLetter(before)) {
			return strings.TrimSuffix(s, m[0]), code
		}
	}
	return s, ""
}

// amountCode is the currency that letters or a sign beside the digits of an amount name.
func amountCode(letters, sign string) (string, bool) {
	if code, ok := lexicon.CurrencyWord(letters + sign); ok || sign != "" {
		return code, true
	}
	return letters, slices.Contains(lexicon.Words().OtherCurrencies, letters)
}

// Parse reads the digits of a number.
func (n Notation) Parse(s string, into *Number) bool {
	s = fractions.Replace(s)
	m := numberShape().FindStringSubmatch(s)
	if m == nil || m[1] == "(" != (m[3] == ")") {
		return false
	}
	whole, fraction := n.split(m[2])
	if dashes := strings.Trim(fraction, "-–—") == "" && fraction != ""; dashes { // 250,-
		fraction = "00"
	}
	if len(whole) > max(n.digits, maxDigits) || len(fraction) > maxExact || whole == "" {
		return false
	}
	v, err := strconv.ParseInt(whole+(fraction + "000000")[:maxDecimals], 10, 64)
	if err != nil {
		return false
	}
	if negative := m[1] != "" && m[1] != "+" || m[3] != ""; negative {
		v = -v
	}
	into.Value, into.Decimals, into.money = v, min(len(fraction), maxDecimals), n.money
	if len(fraction) > maxDecimals {
		into.Exact = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:] + "." + fraction
		if v < 0 {
			into.Exact = "-" + into.Exact
		}
	}
	return true
}

// fractions writes the signs of fractions as decimals: 2½ hours, ¼ ton. Texts of pages have them taken apart.
var fractions = strings.NewReplacer("¼", ".25", "½", ".50", "¾", ".75", "1⁄4", ".25", "1⁄2", ".50", "3⁄4", ".75")

// groupSigns drops the signs between groups of digits.
var groupSigns = strings.NewReplacer(".", "", ",", "", "'", "", "’", "")

// split parts the digits before the decimal sign from those behind it, and drops the
// signs between groups. A single sign with three digits behind it groups, unless it is
// the decimal sign of the document, the digits before it make no group, or another sign groups before it, as in 6,861.680
// dinars; with another number of digits it is decimal.
func (n Notation) split(s string) (whole, fraction string) {
	if m := centsBehindApostrophe().FindStringSubmatch(s); m != nil { // 1.250'50, as in Spain
		return groupSigns.Replace(m[1]), m[2]
	}
	last := strings.LastIndexAny(s, ".,")
	if last == 0 { // ,50
		return "0", s[1:]
	}
	if last < 0 {
		return groupSigns.Replace(s), ""
	}
	behind := s[last+1:]
	groups := len(behind) == 3 && decimalBehindGroups(s) == "" && !noGroup().MatchString(s) && (s[last] != n.Decimal || strings.Count(s, s[last:last+1]) > 1)
	if groups {
		return groupSigns.Replace(s), ""
	}
	return groupSigns.Replace(s[:last]), behind
}

var centsBehindApostrophe = lexicon.Pattern(`^(.+)['’](\d{2})$`)

// noGroup matches a number whose digits before its only sign are no group, so that it is the decimal sign, also with three digits
// behind it: 2229,600 and 0,535.
var noGroup = lexicon.Pattern(`^\D*(?:[1-9]\d{3,}|0)([.,])\d{3}\D*$`)

// decimalBehindGroups is the decimal sign of a number whose groups are parted by another sign,
// however many digits are behind it; empty where there are no groups.
func decimalBehindGroups(s string) string {
	if m := mixedSigns().FindStringSubmatch(s); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// Decimal writes the number with a point and the decimals that are printed.
func (n *Number) Decimal() string {
	if n.Exact != "" {
		return n.Exact
	}
	return DecimalText(n.Value, max(n.Decimals, 0))
}

// AmountText writes an amount with two decimals at least.
func AmountText(value int64) string {
	if value%Cent != 0 {
		return DecimalText(value, 0)
	}
	return DecimalText(value, 2)
}

// endsClause matches an amount with the punctuation of a sentence behind it.
var endsClause = lexicon.Pattern(`\d[.,]\d\d[.,;]$`)

// DecimalText writes a number with some decimals, or with 0 as few as it has.
func DecimalText(value int64, decimals int) string {
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

// TooLarge is what a product is that would not fit, which equals no printed number.
const TooLarge = int64(1) << 60

// Times multiplies two numbers and rounds the result, halves away from zero.
func Times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(Abs(a)), uint64(Abs(b)))
	if high >= UnitsPerOne {
		return TooLarge
	}
	product, rest := bits.Div64(high, low, UnitsPerOne)
	if 2*rest >= UnitsPerOne {
		product++
	}
	if product > uint64(TooLarge) {
		return TooLarge
	}
	if (a < 0) != (b < 0) {
		return -int64(product)
	}
	return int64(product)
}

// Share is a percentage of an amount, to the cent.
func Share(of, percent int64) int64 { return ToCent(Times(of, percent) / 100) }

// ToCent rounds to cents, halves away from zero.
func ToCent(v int64) int64 {
	if v < 0 {
		return -ToCent(-v)
	}
	return (v + Cent/2) / Cent * Cent
}

// Abs is a number without its sign.
func Abs(v int64) int64 { return max(v, -v) }

// Span is one word as wide as the number.
func (n *Number) Span() layout.Word {
	span := *n.Words[0]
	span.Box.Right = n.Words[len(n.Words)-1].Box.Right
	return span
}

// Suits reports whether a number can be one of a column.
func (n *Number) Suits(field string) bool {
	switch field {
	case "lineNet", "lineGross", "vatAmount":
		return !n.Percent
	case "vatRate":
		return n.Value >= 0 && n.Value <= 30*UnitsPerOne && n.Currency == ""
	case "quantity", "unitPrice":
		return !n.Percent
	}
	return true
}
