package binding

import (
	"strings"
	"unicode/utf8"

	"einvoice/model"
)

// codes translates between the codes of a syntax and those of the model.
type codes struct {
	syntax model.Syntax
	pairs  []codePair
}

type codePair struct{ document, model string }

// toModel translates a code of a document. A code that is not in the table is kept
// as it is, so that a rule can report it. If the model uses the same code with
// another meaning, it is marked with the syntax that it is from.
func (c *codes) toModel(raw string) string {
	code := trim(raw)
	collides := false
	for _, p := range c.pairs {
		if p.document == code {
			return p.model
		}
		collides = collides || p.model == code
	}
	if collides {
		return string(c.syntax) + ":" + code
	}
	return raw
}

// toDocument translates a code of the model. ok is false if documents use the same
// code with another meaning.
func (c *codes) toDocument(raw string) (code string, ok bool) {
	code = trim(raw)
	if own, marked := strings.CutPrefix(code, string(c.syntax)+":"); marked {
		return own, true
	}
	for _, p := range c.pairs {
		if p.model == code {
			return p.document, true
		}
	}
	for _, p := range c.pairs {
		if p.document == code {
			return "", false
		}
	}
	return raw, true
}

// split separates the code and the text of "#AAI#text".
func (p *prefixTerm) split(raw string) (front, text string, ok bool) {
	rest, ok := strings.CutPrefix(raw, p.mark)
	if !ok {
		return "", "", false
	}
	front, text, ok = strings.Cut(rest, p.mark)
	return front, text, ok && utf8.RuneCountInString(front) == p.length
}

const xmlSpace = " \t\r\n"

func trim(s string) string { return strings.Trim(s, xmlSpace) }
