package parse

import (
	"math"
	"slices"
	"strings"
)

// A form is a party that is set as a list of labels and values below the label of the
// party:
//
//	Buyer
//	Number:   4711
//	Name:     Oak Street Bakery
//	Address:  Oak Street 5
//	          20095 Hamburg

// Bounds of a form.
const (
	formRows = 16
	formGap  = 3.0 // between rows, in heights
	maxForms = 30  // labels of parties that are tried
)

// readForms reads the parties that are forms.
func (d *partyDraft) readForms() map[string]*party {
	forms := map[string]*party{}
	tried := 0
	for _, r := range d.layout.rows {
		if d.isLine[r.index] {
			continue
		}
		for i := range r.cells {
			role, rest := partyLabel(&r.cells[i])
			if role == "" || len(rest) > 0 || forms[role] != nil || tried == maxForms {
				continue
			}
			tried++
			if p := d.formBelow(&r.cells[i]); p.name.value != "" {
				forms[role] = p
			}
		}
	}
	return forms
}

// formBelow reads the labels and values below the label of a party.
func (d *partyDraft) formBelow(head *cell) *party {
	p := &party{score: weightForm}
	above := head.row
	for i := head.row.index + 1; i < len(d.layout.rows) && i <= head.row.index+formRows; i++ {
		r := d.layout.rows[i]
		if r.page != head.row.page || d.isLine[i] || r.top-above.bottom > formGap*max(above.height(), 8) {
			break
		}
		for j := range r.cells {
			c := &r.cells[j]
			if role, _ := partyLabel(c); role != "" && math.Abs(c.left-head.left) < 12 {
				return p
			}
			label, ok := c.label(&words().PartyParts)
			if !ok || c.left < head.left-12 || c.left > head.left+60 {
				continue
			}
			value := valueCell(c, len(label.tokens))
			switch s := textOf(value); {
			case len(value) == 0:
			case label.field == "name" && p.name.value == "" && isName(s):
				p.name = printed{s, value}
			case label.field == "address" && p.address.city.value == "":
				p.address = d.addressBelow(r, value)
			}
		}
		above = r
	}
	return p
}

// valueCell are the words behind a label of some tokens: the rest of its cell, or else
// the next cell of its row.
func valueCell(c *cell, labelTokens int) []*word {
	last := c.row.tokens[c.token+labelTokens-1].word
	rest := withoutColon(c.row.words[last+1 : c.last+1])
	if at := c.row.cellAt(c.first); len(rest) == 0 && at+1 < len(c.row.cells) {
		rest = withoutColon(c.row.cells[at+1].words())
	}
	return rest
}

// withoutColon drops the colon that words begin with.
func withoutColon(of []*word) []*word {
	for len(of) > 0 && len(of[0].tokens) == 0 {
		of = of[1:]
	}
	return of
}

// addressBelow reads an address whose first row is known and whose other rows have the
// same left edge.
func (d *partyDraft) addressBelow(r *row, first []*word) (a address) {
	const most = 5 // rows
	lines := [][]*word{first}
	for i := r.index + 1; i < len(d.layout.rows) && i < r.index+most && d.layout.rows[i].page == r.page; i++ {
		next := d.layout.rows[i]
		at := slices.IndexFunc(next.cells, func(c cell) bool { return math.Abs(c.left-first[0].Box.Left) < 3 })
		if at != 0 { // nothing below, or another label
			break
		}
		lines = append(lines, next.cells[at].words())
	}
	for i, line := range lines {
		country, code, city, ok := postcodeIn(textOf(line))
		if !ok {
			continue
		}
		a.postCode, a.city = printed{code, line}, printed{city, line}
		if country != "" {
			a.country = d.countryOf(country, line)
		}
		if i > 0 {
			a.line1 = printed{strings.Trim(textOf(lines[0]), " ,"), lines[0]}
		}
		if i+1 < len(lines) && a.country.value == "" {
			if code, known := words().Countries.exactly(textOf(lines[i+1])); known {
				a.country = printed{code, lines[i+1]}
			}
		}
		return a
	}
	return a
}
