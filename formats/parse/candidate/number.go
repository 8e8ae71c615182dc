package candidate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
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

// endsClause matches an amount with the punctuation of a sentence behind it.
var endsClause = lexicon.Pattern(`\d[.,]\d\d[.,;]$`)

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
