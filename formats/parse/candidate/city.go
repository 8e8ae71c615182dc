package candidate

import (
	"slices"
	"strings"

	"einvoice/formats/parse/lexicon"
)

// PostCode matches the line of an address with postcode and city: its parts are an
// optional country, the postcode, and the city.
var PostCode = lexicon.Pattern(`^(?:([A-Z]{1,2})[- ] ?)?(\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|[AC-FHKNPRTV-Y]\d[\dW] [\dAC-FHKNPRTV-Y]{4}|\d{4,6})\s+((?:['’][a-z][- ])?\p{Lu}[\p{L}'’. /()-]{1,40}(?:\s+\d{1,2}|\s+[Cc][Ee][Dd][Ee][Xx](?:\s\d+)?)?),?$`)

// cityFirst matches London SW1A 1AA, Scranton PA 18503, and the like.
var cityFirst = lexicon.Pattern(`^(\p{Lu}[\p{L}'’. -]{1,40}(?: \d{1,2})?),?\s+([A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|[AC-FHKNPRTV-Y]\d[\dW] [\dAC-FHKNPRTV-Y]{4}|[A-Z]{2} \d{5}(?:-\d{4})?)$`)

// USCity has the parts of Scranton PA 18503, which may have commas between them.
var USCity = lexicon.Pattern(`^(\p{Lu}[\p{L}'’. -]{1,40}),?\s+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)$`)

// Separators part the line of an address, as the sender's line of a letter is.
var Separators = lexicon.Pattern(`\s*[·•|∙‧●*■]\s*|\s+[-–—]\s+|\s*[,;]\s+`)

// HasCity reports whether a part of a line is a postal code with its city, so that the line is one of an address.
func HasCity(text string) bool {
	return slices.ContainsFunc(Separators().Split(strings.TrimSpace(text), -1), func(part string) bool {
		_, _, _, is := CityIn(part)
		return is
	})
}

// dutchCode matches a Dutch postal code alone, whose letters are no city.
var dutchCode = lexicon.Pattern(`^\d{4} ?[A-Z]{2}$`)

// CityIn reads the line of an address with postal code and city.
func CityIn(text string) (country, code, city string, ok bool) {
	s, _, _ := strings.Cut(strings.TrimSpace(text), ", ")
	if len(s) > 80 || !lexicon.HasDigit(text) { // all patterns have digits
		return "", "", "", false
	}
	if m := USCity().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return "", m[2] + " " + m[3], m[1], true
	}
	if m := PostCode().FindStringSubmatch(s); m != nil && !dutchCode().MatchString(s) && !isLegalForm(m[3]) {
		return m[1], m[2], m[3], true
	}
	if m := cityFirst().FindStringSubmatch(s); m != nil {
		return "", m[2], m[1], true
	}
	return "", "", "", false
}

// isLegalForm reports whether what stands behind a number is the legal form of a name, as in Kabel 2026 B.V., or begins with one
// that has points. The city As is none: it is not written as the form AS.
func isLegalForm(text string) bool {
	const shortest = 4 // letters of forms that no city is called as
	if first, _, _ := strings.Cut(text, " "); strings.Count(first, ".") > 1 && lexicon.Words().LegalForms[lexicon.Fold(first)] {
		return true
	}
	return lexicon.Words().LegalForms[lexicon.Fold(text)] && (len(text) >= shortest || text == strings.ToUpper(text))
}
