package candidate

import (
	"maps"
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// mostGroups is how many words a VAT number may be written in, as 501 964 843.
const mostGroups = 4

// nationalVatIDAt reads a VAT number that is printed without its country behind a label of that
// country, such as "NIF: B12345674". The identifier has the country before it. The check digit has
// to be right: nothing else says that the number is one.
func nationalVatIDAt(of []*layout.Word) (string, int) {
	if len(of) == 0 {
		return "", 0
	}
	label, rest, joined := strings.Cut(of[0].Text, ":")
	label = lexicon.Fold(label)
	if len(label) < 3 {
		return "", 0
	}
	for _, country := range nationalCountries() {
		known := lexicon.Words().NationalVatNumbers[country]
		if !known.Labels[label] {
			continue
		}
		if rest != "" {
			if id := nationalVatID(country, rest); id != "" {
				return id, 1
			}
			continue
		}
		from := 1
		for from < min(len(of), mostFillers+1) && !joined && isFiller(of[from].Text) { // n.º, Reg No.
			from++
		}
		if id, n := nationalNumberAt(country, of[from:]); n > 0 {
			return id, from + n
		}
	}
	return "", 0
}

// mostFillers is how many words are between the label of a VAT number and the number at most.
const mostFillers = 3

func isFiller(s string) bool {
	f := lexicon.Fold(s)
	return lexicon.Words().Fillers[f] || lexicon.Words().OfRegistration[f]
}

// nationalCountries are the countries whose VAT numbers are known without them, always in one
// order: two may have one label.
func nationalCountries() []string {
	return slices.Sorted(maps.Keys(lexicon.Words().NationalVatNumbers))
}

// nationalNumberAt reads a VAT number of a country in some words.
func nationalNumberAt(country string, of []*layout.Word) (string, int) {
	number := ""
	for n := range min(len(of), mostGroups) {
		number += of[n].Text
		if id := nationalVatID(country, number); id != "" {
			return id, n + 1
		}
	}
	return "", 0
}

// NationalVatIDBehind reads a VAT number without its country behind the words of a label, of which
// one is a label of that country, such as NIF del cliente.
func NationalVatIDBehind(label, of []*layout.Word) (string, int) {
	for _, country := range nationalCountries() {
		known := lexicon.Words().NationalVatNumbers[country]
		isOf := slices.ContainsFunc(label, func(w *layout.Word) bool {
			word, _, _ := strings.Cut(w.Text, ":")
			return known.Labels[lexicon.Fold(word)]
		})
		if !isOf {
			continue
		}
		if id, n := nationalNumberAt(country, of); n > 0 {
			return id, n
		}
	}
	return "", 0
}

// nationalVatID is the VAT identifier for a number of a country; empty where its shape or its check
// digit is another.
func nationalVatID(country, number string) string {
	known := lexicon.Words().NationalVatNumbers[country]
	m := known.Shape.FindStringSubmatch(strings.ToUpper(strings.ReplaceAll(idSigns.Replace(number), " ", "")))
	if m == nil || !isChecked(&known, m[1]) {
		return ""
	}
	return country + m[1]
}

func isChecked(known *lexicon.NationalVatNumber, number string) bool {
	switch known.Check {
	case "luhn":
		return luhn(number)%10 == 0
	case "nif":
		return isNIF(number)
	case "gb":
		return isBritish(number)
	}
	sum := 0
	for i, weight := range known.Weights {
		sum += weight * int(number[i]-'0')
	}
	rest := sum % known.Modulus
	return rest == 0 || known.TenIsZero && rest == 1 && strings.HasSuffix(number, "0")
}

// luhn is the sum of the digits, of which every second from the last but one on is doubled first.
func luhn(digits string) (sum int) {
	for i := range len(digits) {
		digit := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return sum
}

// isBritish reports whether the last two digits of a British number are right: 97 less the weighted sum of the others,
// or 55 less than that for numbers given out since 2009 (HMRC, VAT registration number format).
func isBritish(digits string) bool {
	const modulus, since2009 = 97, 55
	sum := int(digits[7]-'0')*10 + int(digits[8]-'0')
	for i := range 7 {
		sum += (8 - i) * int(digits[i]-'0')
	}
	return sum%modulus == 0 || (sum+since2009)%modulus == 0
}

// isNIF reports whether the last character of a Spanish number is right: that of a person is a
// letter by the remainder of 23, that of an organisation a digit, or a letter in its place.
func isNIF(s string) bool {
	const ofPersons, ofOrganisations = "TRWAGMYFPDXBNJZSQVHLCKE", "JABCDEFGHI"
	digits, last := s[1:8], s[8]
	if first := strings.IndexByte("XYZ", s[0]); first >= 0 || s[0] >= '0' && s[0] <= '9' {
		if first < 0 {
			first = int(s[0] - '0')
		}
		for i := range len(digits) {
			first = first*10 + int(digits[i]-'0')
		}
		return last == ofPersons[first%len(ofPersons)]
	}
	digit := (10 - luhn(digits+"0")%10) % 10
	return last == byte('0'+digit) || last == ofOrganisations[digit]
}

// hasLetterAndDigits reports whether a text has a letter, and digits enough for a number.
func hasLetterAndDigits(s string) bool {
	digits := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			digits++
		}
	}
	return digits >= 7 && strings.ContainsAny(strings.ToUpper(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
