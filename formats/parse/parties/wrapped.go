package parties

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// joined are the values of two rows of which the lower one goes on with the upper one.
func joined(above, below candidate.Printed) candidate.Printed {
	sign := " "
	switch end := layout.TextOf(above.Words); {
	case strings.HasSuffix(above.Value, "-") && !strings.HasSuffix(above.Value, " -"): // a hyphen at which the row was broken
		sign = ""
	case strings.HasSuffix(end, ",") && !strings.HasSuffix(above.Value, ","): // Calle Mayor, / 15
		sign = ", "
	}
	return candidate.Printed{Value: above.Value + sign + below.Value, Words: slices.Concat(above.Words, below.Words)}
}

// joinStreet joins the rows of a street that a narrow column broke: the lower one is no more than a number, as 135 below
// Straße des 17. Juni, or the upper one has to go on, as 128 avenue du does.
func joinStreet(rows []candidate.Printed) []candidate.Printed {
	for i := len(rows) - 1; i > 0; i-- {
		if above := rows[i-1].Words; len(above) > 0 && (hasToGoOn(above) || strings.HasSuffix(layout.TextOf(above), ",") || IsRestOfStreet(rows[i].Value) || isBrokenStreet(rows[i-1], rows[i])) {
			rows = slices.Replace(rows, i-1, i+1, joined(rows[i-1], rows[i]))
		}
	}
	return rows
}

// mayBeBroken reports whether the last row of a street may be the rest of one that begins in the row above: that row had no
// room for the first word of it, as far as the rows of the column go.
func mayBeBroken(rows []candidate.Printed, cells []*layout.Cell) bool {
	const space = 0.3 // of the size of letters
	if len(rows) < 2 || len(rows[len(rows)-1].Words) == 0 || len(rows[len(rows)-2].Words) == 0 {
		return false
	}
	above, below := rows[len(rows)-2].Words, rows[len(rows)-1].Words[0]
	end := 0.0
	for _, c := range cells {
		end = max(end, c.Right)
	}
	last := above[len(above)-1]
	return last.Box.Right+space*last.Size+below.Box.Right-below.Box.Left > end
}

// isBrokenStreet reports whether the upper row begins as streets do and has no number, and the lower one has it and begins
// no street of its own, as in Piazza San / Babila 4.
func isBrokenStreet(above, below candidate.Printed) bool {
	w := lexicon.Words()
	first, next := above.Words[0], below.Words[0]
	return w.StreetsFirst[lexicon.Fold(first.Text)] && !lexicon.HasDigit(above.Value) && lexicon.HasDigit(below.Value) && !lexicon.HasDigit(next.Text) && !w.StreetsFirst[lexicon.Fold(next.Text)]
}

// IsRestOfStreet reports whether a text is what stands at the end of a street and nothing more: a number without a word of
// three letters, as 135 and 12 B, or what begins in small letters as no street does, as km 4 and des Prés Hauts.
func IsRestOfStreet(s string) bool {
	const least = 3 // letters of a word
	first, _ := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if unicode.IsLower(first) && !lexicon.Words().StreetsFirst[lexicon.Fold(word)] {
		return true
	}
	return unicode.IsDigit(first) && !slices.ContainsFunc(strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) }), func(word string) bool {
		return utf8.RuneCountInString(word) >= least
	})
}

// EndsOpen reports whether a text cannot end there: the last of its words is one such as du or im.
func EndsOpen(s string) bool {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	return strings.Contains(s, " ") && utf8.RuneCountInString(last) > 1 && last == strings.ToLower(last) && lexicon.Words().NameJoiners[lexicon.Fold(last)]
}

// addToCity adds the row below the one of a city to it, where that was broken: Breisgau below Freiburg im, (Saale) below
// Halle. A short number below a city may be that of a district, as in Dublin 2, or anything.
func addToCity(a *Address, of []*layout.Word) (added bool) {
	s := strings.Trim(layout.TextOf(of), " ,")
	_, isName := lexicon.Words().NameJoiners[lexicon.Fold(a.City.Value)] // Den / Haag
	isBracketed := strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")")
	isDistrict := districtNumber().MatchString(s)
	switch {
	case lexicon.HasDigit(s) && !isDistrict:
		return false
	case isDistrict, isBracketed && !strings.Contains(a.City.Value, "("), isName, beginsSmall(s), EndsOpen(a.City.Value), strings.HasSuffix(a.City.Value, "-"):
		a.City, a.CityOpen = joined(a.City, candidate.Printed{Value: s, Words: of}), a.CityOpen || isDistrict
		return true
	}
	return false
}

// districtNumber matches the number of the district of a city.
var districtNumber = lexicon.Pattern(`^\d{1,2}[A-Z]?$`)

// inWrappedLine are the name, the street and the city of a party that is set in one line which goes on in the next rows:
// nil where the cells are none. The name ends at its legal form, as nothing else says where it does; it goes
// on in the next row only behind a label, as in Buyer: Wattwerk / Energietechnik GmbH, Am Ring 3, 79098 Freiburg.
func (d *draft) inWrappedLine(of []*layout.Word, below []*layout.Cell, isLabelled bool) (parts []string, words []*layout.Word) {
	const most = 4 // rows more
	s := layout.TextOf(of)
	n := legalForm(of)
	isInName := isLabelled && !strings.Contains(s, ",")
	if !isInName && (n == 0 || n == len(of) || !strings.HasSuffix(of[n-1].Text, ",")) {
		return nil, nil
	}
	words = of
	for i, c := range below[:min(most, len(below))] {
		if d.startsHeader(c) || isTitle(c) || layout.IsLabel(c) || i == 0 && !isInName && !isOpenStreet(of[n:], c) {
			return nil, nil
		}
		line := joined(candidate.Printed{Value: s, Words: words}, candidate.Printed{Value: c.Text(), Words: c.Words()})
		if s, words = line.Value, line.Words; i+1 < len(below) && strings.HasSuffix(s, "-") {
			continue
		}
		if parts = inOneLine(s); parts != nil && isName(parts[0]) && (!isInName || endsAtForm(words, parts[0])) {
			return parts, words
		}
	}
	return nil, nil
}

// beginsSmall reports whether a text begins with a small letter.
func beginsSmall(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(first)
}

// endsAtForm reports whether a name that words begin with ends at its legal form.
func endsAtForm(words []*layout.Word, name string) bool {
	n := len(strings.Fields(name))
	return n <= len(words) && legalForm(words[:n]) == n
}

// isOpenStreet reports whether the words at the end of a row are the beginning of a street that goes on in the cell below,
// and not a text of its own, as a department: they are like a street, have a number or no more than some letters, or what is
// below is the rest of one.
func isOpenStreet(of []*layout.Word, below *layout.Cell) bool {
	const few = 3 // letters
	s := layout.TextOf(of)
	rest, _, _ := strings.Cut(below.Text(), ",")
	return !strings.HasSuffix(s, ",") && (lexicon.HasDigit(s) || utf8.RuneCountInString(s) <= few || hasToGoOn(of) || isStreet(candidate.Printed{Value: s, Words: of}) || IsRestOfStreet(rest))
}
