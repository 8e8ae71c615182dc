package compose

import (
	"strings"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// placeFields are the terms of a place, by their letters in patterns.
var placeFields = map[rune]string{'Z': "postCode", 'C': "city", 'S': "countrySubdivision"}

// hasPlace reports whether an address has a term of a place that satisfies a condition.
func hasPlace(o model.Object, is func(*model.Field) bool) bool {
	for _, name := range placeFields {
		if f, known := o.Type.Field(name); known && o.Has(f) && o.Raw(f) != "" && is(f) {
			return true
		}
	}
	return false
}

// place is post code, city and region of an address as its country writes them, on lines of their
// own where it does. What the country does not write, and the address has, is the last line.
func (c *composer) place(o model.Object) typeset.Phrase {
	country := ""
	if f, known := o.Type.Field(countryField); known {
		country = strings.TrimSpace(o.Raw(f))
	}
	pattern := language.PlaceOf(country)
	for _, letter := range "ZCS" {
		if !strings.ContainsRune(pattern, letter) {
			pattern += "|" + string(letter)
		}
	}
	var text typeset.Phrase
	between := ""
	for _, r := range pattern {
		name, isTerm := placeFields[r]
		if !isTerm {
			if r == '|' {
				r = '\n'
			}
			between += string(r)
			continue
		}
		f, known := o.Type.Field(name)
		if !known || !o.Has(f) || o.Raw(f) == "" {
			if strings.Contains(between, "\n") {
				between = "\n"
			} else {
				between = strings.TrimSuffix(between, " ") // one blank is enough
			}
			continue
		}
		c.markShown(o, f)
		if !text.Empty() {
			if strings.Contains(between, "\n") {
				between = "\n"
			} else if strings.TrimSpace(between) == "" {
				between = " "
			}
			text = text.Plus(typeset.Words(between))
		}
		text, between = text.Plus(c.value(o, f, "")), ""
	}
	return text
}
