package candidate

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model"
)

// CurrencyAt is the currency that the first of some words names, where a currency is expected: behind its label, or beside
// the amount of a total.
func CurrencyAt(of []*layout.Word) (string, bool) {
	if len(of) == 0 {
		return "", false
	}
	s := strings.Trim(of[0].Text, "():;,")
	if slices.Contains(lexicon.Words().OtherCurrencies, s) {
		return s, true
	}
	return lexicon.CurrencyWord(s)
}

// idSigns drops what is between the parts of a VAT identifier, or around it.
var idSigns = strings.NewReplacer(".", "", ":", "", "-", "", ",", "", ";", "", ")", "", "(", "", "|", "")

// VatIDAt reads the VAT identifier that begins at a word of a row, without the spaces
// and points inside. Whether its check digits are right is not asked: many that are
// printed fail theirs.
func VatIDAt(of []*layout.Word) (string, int) {
	s := ""
	found, used := "", 0
	if id, n := nationalVatIDAt(of); n > 0 {
		return id, n
	}
	if len(of) > 0 && strings.HasPrefix(of[0].Text, "No") { // a number, and none of Norway
		return "", 0
	}
	for i := 0; i < len(of) && i < 6 && len(s) < 20; i++ {
		if i > 0 && (isLowerWord(of[0].Text) || insideAmount().MatchString(of[i].Text)) { // plateau de 50 at 62,00 is no identifier
			break
		}
		s += strings.ToUpper(idSigns.Replace(of[i].Text))
		if len(s) < 2 || !isUpper(s[0]) || !isUpper(s[1]) {
			return "", 0
		}
		if HasShapeOfVatID(s) {
			found, used = s, i+1
			if i == 0 { // in one word: a number behind it is another, even where some of the country are longer
				break
			}
		} else if found != "" {
			break
		}
	}
	return found, used
}

// HasShapeOfVatID reports whether an identifier has the shape of those of its country.
func HasShapeOfVatID(id string) bool {
	shape, known := lexicon.Words().VatIdentifiers[id[:min(2, len(id))]]
	return known && shape.MatchString(id)
}

// isLowerWord reports whether a word has small letters at its beginning, and no digit: it is none of an identifier that is
// printed in parts.
func isLowerWord(s string) bool {
	return s != "" && unicode.IsLower([]rune(s)[0]) && !lexicon.HasDigit(s)
}

// insideAmount matches a comma between digits.
var insideAmount = lexicon.Pattern(`\d,\d`)

// looseVatID matches what a label for VAT identifiers may have beside it, whatever the
// shape of those of its country.
var looseVatID = lexicon.Pattern(`^[A-Z]{2}[A-Z0-9]{3,14}$`)

// LabelledVatIDAt reads the VAT identifier that begins at a word behind a label. A shape
// that is not its country's is taken: it is printed, and the rules will tell.
func LabelledVatIDAt(of []*layout.Word) (string, int) {
	if id, n := VatIDAt(of); n > 0 || len(of) == 0 {
		return id, n
	}
	if s := of[0].Text; strings.Count(s, "-") == 3 || hasLetterAndDigits(s) { // a shape that says enough without a label of its country
		for _, country := range []string{"PL", "ES"} {
			if id := nationalVatID(country, s); id != "" {
				return id, 1
			}
		}
	}
	id := strings.ToUpper(strings.Trim(of[0].Text, ".,;()"))
	digits := 0
	for _, c := range id {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	if _, known := lexicon.Words().VatIdentifiers[id[:min(2, len(id))]]; !known || digits < 4 || !looseVatID().MatchString(id) || fiscalCode().MatchString(id) {
		return "", 0
	}
	return id, 1
}

// fiscalCode matches the codice fiscale of a person in Italy, which may begin as the VAT identifiers of a country.
var fiscalCode = lexicon.Pattern(`^[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]$`)

// widestBlank is how wide the space between the groups of an account is at most, of the size of the
// letters: in a row that is set to both edges it may be as wide as that between cells.
const widestBlank = 3

// leastSize is how large letters are at least that gaps are measured by.
const leastSize = 4

// IBANAt reads the IBAN that begins at a word of a row, without its spaces.
func IBANAt(of []*layout.Word) (string, int) {
	if iban, n := polishIBANAt(of); n > 0 {
		return iban, n
	}
	s := ""
	for i := 0; i < len(of) && i < 12; i++ {
		// A word goes on, and no IBAN, or another cell begins.
		if i > 0 && (strings.ToUpper(of[i].Text) != of[i].Text || isApart(of[i-1], of[i])) {
			return "", 0
		}
		s += strings.ToUpper(strings.Trim(of[i].Text, ".,;()"))
		if len(s) < 4 {
			continue
		}
		length := lexicon.Words().IBANLengths[s[:2]]
		switch {
		case length == 0 || !isDigit(s[2]) || !isDigit(s[3]) || len(s) > length:
			return "", 0
		case len(s) == length:
			if strings.IndexFunc(s, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) }) >= 0 {
				return "", 0
			}
			return s, i + 1
		}
	}
	return "", 0
}

// isApart reports whether a word begins another cell than the group of an account before it.
func isApart(before, w *layout.Word) bool {
	return w.Box.Left-before.Box.Right > widestBlank*max(w.Size, leastSize)
}

// AccountAt reads the IBAN that begins at a word of a row, and its words. One that the end of the row,
// or of its column, cuts goes on in the row below, where a cell begins with the rest: its length and its
// check digits have to be right then. So they have where letters were recognised for digits.
func (d *Pages) AccountAt(r *layout.Row, at int) (string, []*layout.Word) {
	if at >= len(r.Words) {
		return "", nil
	}
	isRecognised := d.Layout.Pages[r.Page-1].Recognised
	if iban, n := IBANAt(r.Words[at:]); n > 0 {
		if misread, of := misreadIBANAt(r.Words[at : at+n]); isRecognised && of == n && !model.HasCheckDigits(iban) {
			iban = misread
		}
		return iban, r.Words[at : at+n]
	}
	begun := r.Words[at].Text
	if country := strings.ToUpper(begun[:min(2, len(begun))]); lexicon.Words().IBANLengths[country] == 0 {
		return "", nil
	}
	end := at + 1
	for end < len(r.Words) && !isApart(r.Words[end-1], r.Words[end]) {
		end++
	}
	for _, below := range d.rowsBelow(r) {
		for i := range below.Cells {
			joined := slices.Concat(r.Words[at:end], below.Words[below.Cells[i].First:])
			if iban, n := IBANAt(joined); n > end-at && model.HasCheckDigits(iban) {
				return iban, joined[:n]
			}
		}
	}
	if iban, n := misreadIBANAt(r.Words[at:end]); isRecognised {
		return iban, r.Words[at : at+n]
	}
	return "", nil
}

// misreadIBANAt reads an IBAN of which letters were recognised for digits, as DEO2 for DE02. The third and fourth
// character are digits in all countries, and in most all behind them. No others are tried, as one in 97 has right check
// digits by chance.
func misreadIBANAt(of []*layout.Word) (string, int) {
	s := ""
	for i, w := range of {
		s += strings.Trim(w.Text, ".,;()")
		length := lexicon.Words().IBANLengths[strings.ToUpper(s[:min(2, len(s))])]
		if len(s) > 1 && (length == 0 || len(s) > length) {
			return "", 0
		}
		if len(s) < length || length == 0 {
			continue
		}
		if iban := misreadIBAN(s); iban != "" {
			return iban, i + 1
		}
	}
	return "", 0
}

// misreadIBAN is the only IBAN with right check digits that a text of its length may be; empty where there is none, or
// there are two.
func misreadIBAN(s string) (found string) {
	const country, checked = 2, 4 // characters up to each
	for _, upTo := range []int{checked, len(s)} {
		iban := strings.ToUpper(s[:country]) + lexicon.AsDigits(s[country:upTo]) + s[upTo:]
		switch isRight := countDigits(s) > len(s)/2 && model.HasCheckDigits(iban); {
		case isRight && found != "" && found != iban:
			return ""
		case isRight:
			found = iban
		}
	}
	return found
}

func countDigits(s string) (n int) {
	for _, c := range []byte(s) {
		if isDigit(c) {
			n++
		}
	}
	return n
}

// IsDebited reports whether the account at a word of a row is said to be the buyer's, from which the
// amount is taken: between it and the account before, or in the sentence that goes on from the row above in its column.
func (d *Pages) IsDebited(r *layout.Row, at int) bool {
	last := 0 // word behind the account before
	for i := 0; i < at && i < len(r.Words); i++ {
		if _, n := IBANAt(r.Words[i:]); n > 0 && i+n <= at {
			last = i + n
		}
	}
	for _, h := range r.Find(&lexicon.Words().Debits) {
		if h.First >= last && h.First < at {
			return true
		}
	}
	const begin = 4 // words of a row that a sentence goes on in
	if at >= len(r.Words) || last > 0 || r.Index == 0 {
		return false
	}
	own := &r.Cells[r.CellAt(at)]
	above := d.Layout.Rows[r.Index-1]
	if at-own.First > begin || above.Page != r.Page || r.Top-above.Bottom >= r.Height() {
		return false
	}
	const same = 3 // points
	for i := range above.Cells {
		if c := &above.Cells[i]; math.Abs(c.Left-own.Left) < same {
			return isDebit(c.Words()[max(len(c.Words())-begin-1, 0):], r.Words[own.First:at])
		}
	}
	return false
}

// isDebit reports whether words of a row and of the one below say that an account is the buyer's.
func isDebit(above, below []*layout.Word) bool {
	var tokens []lexicon.Token
	for i, w := range slices.Concat(above, below) {
		for _, t := range w.Tokens {
			tokens = append(tokens, lexicon.Token{Text: t, Word: i})
		}
	}
	for i := range tokens {
		if _, is := lexicon.Words().Debits.Longest(tokens[i:]); is {
			return true
		}
	}
	return false
}

// IsOfAccount reports whether a row has an account or the label of one with its beginning: the groups of its digits are
// neither a quantity nor an amount.
func (d *Pages) IsOfAccount(r *layout.Row) bool {
	for _, h := range r.Find(&lexicon.Words().Header) {
		if next := h.Last + 1; h.Field == "iban" && next < len(r.Words) {
			begun := r.Words[next].Text
			if lexicon.Words().IBANLengths[begun[:min(2, len(begun))]] > 0 {
				return true
			}
		}
	}
	for i := range r.Words {
		if iban, n := IBANAt(r.Words[i:]); n > 0 && model.HasCheckDigits(iban) {
			return true
		}
	}
	return false
}

// polishAccount is how many digits an account has that Poland prints without its country.
const polishAccount = 26

// polishIBANAt reads a Polish account without its country. Its check digits have to be right: nothing else says that
// digits are one.
func polishIBANAt(of []*layout.Word) (string, int) {
	s := ""
	for i := 0; i < len(of) && i < 8; i++ {
		part := strings.Trim(of[i].Text, ".,;")
		if strings.ContainsFunc(part, func(c rune) bool { return c < '0' || c > '9' }) {
			break
		}
		if s += part; len(s) == polishAccount && model.HasCheckDigits("PL"+s) {
			return "PL" + s, i + 1
		}
	}
	return "", 0
}

// looseIBAN matches what a label for an IBAN may have beside it, whatever the length of those
// of its country.
var looseIBAN = lexicon.Pattern(`^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$`)

// LabelledIBANAt reads the IBAN that begins at a word behind a label. A length that is not its
// country's is taken: it is printed, and the rules will tell.
func LabelledIBANAt(of []*layout.Word) (string, int) {
	if iban, n := IBANAt(of); n > 0 || len(of) == 0 {
		return iban, n
	}
	s, n := "", 0
	for n < len(of) && n < 10 && len(s) < 34 && (n == 0 || layout.Near(of[n-1], of[n]) && lexicon.HasDigit(of[n].Text)) {
		s += strings.ToUpper(strings.Trim(of[n].Text, ".,;"))
		n++
	}
	if !looseIBAN().MatchString(s) || lexicon.Words().IBANLengths[s[:2]] == 0 {
		return "", 0
	}
	return s, n
}

// BICShape matches a BIC.
var BICShape = lexicon.Pattern(`^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$`)

// IDAt reads the identifier that begins at a word of a row: a word with a digit, with
// the parts that are written apart from it, but for a day.
func IDAt(of []*layout.Word) (string, int) {
	n := 0
	if len(of) > 1 && isPrefix(of[0].Text) && lexicon.HasDigit(of[1].Text) && layout.Near(of[0], of[1]) {
		n = 1
	}
	if len(of) <= n || !lexicon.HasDigit(of[n].Text) || len(of[n].Text) > 60 || strings.HasPrefix(of[n].Text, "(") {
		return "", 0
	}
	n++
	for n+1 < len(of) && (of[n].Text == "/" || of[n].Text == "-") && lexicon.HasDigit(of[n+1].Text) && layout.Near(of[n], of[n+1]) && !dateLike().MatchString(of[n+1].Text) {
		if _, isDate := (Notation{}).DateAt(of[n+1:]); isDate > 0 { // 004247 - 15 June 2026
			break
		}
		n += 2
	}
	id := strings.TrimSpace(strings.Trim(layout.TextOf(of[:n]), ".,;:()#"))
	if _, named := CurrencyAt(of); named && n == 2 && numberShape().MatchString(of[1].Text) { // an amount, as KWD 31,573.000
		return "", 0
	}
	if n == 1 && moneyShape().MatchString(id) || documentType().MatchString(id) || daySpan().MatchString(id) {
		return "", 0
	}
	return id, n
}

// documentType matches the code of a kind of document of FatturaPA.
var documentType = lexicon.Pattern(`^TD(?:0[1-9]|1\d|2[0-9])$`)

// daySpan matches days from one to another, as 22–24/08.
var daySpan = lexicon.Pattern(`^\d{1,2}\.?–\d{1,2}[./]\d{1,2}\.?$`)

// groupOfDigits matches a part of a number that is written in groups.
var groupOfDigits = lexicon.Pattern(`^[\d/]+[.,;]?$`)

// GroupedAt reads the identifier that begins at a word of a row, with the groups of digits
// that follow it after no more than a space, as in 044 241 601 03.
func GroupedAt(of []*layout.Word) (string, int) {
	_, n := IDAt(of)
	if n != 1 || !groupOfDigits().MatchString(of[0].Text) {
		return IDAt(of)
	}
	const most = 13 // digits of a tax number
	digits := len(of[0].Text)
	for n < len(of) && layout.Near(of[n-1], of[n]) && groupOfDigits().MatchString(of[n].Text) && digits+len(of[n].Text) <= most {
		digits += len(of[n].Text)
		n++
	}
	return strings.Trim(layout.TextOf(of[:n]), " .,;"), n
}

// moneyShape matches what is rather an amount than an identifier.
var moneyShape = lexicon.Pattern(`^[€$£]?\d{1,3}(?:[.,']\d{3})*[.,]\d{2}[€$£]?$`)

// isPrefix reports whether a word may be the first part of an identifier, as RE in RE 17.
func isPrefix(s string) bool {
	return len(s) <= 5 && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsUpper(c) && c != '-' && c != '/' && c != '#' }) < 0
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
