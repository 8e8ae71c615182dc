package binding

import (
	"strings"

	"einvoice/model"
)

// codes translates the codes of a syntax into those of the model.
type codes struct {
	syntax model.Syntax
	pairs  []codePair
}

type codePair struct{ document, model string }

// toModel keeps a code that the table does not know as it is, so that a rule
// finds it. One that would pass for a code of the model says where it is from.
func (c *codes) toModel(raw string) string {
	code := strings.Trim(raw, xmlSpace)
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
