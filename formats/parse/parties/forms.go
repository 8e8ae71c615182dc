package parties

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
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
func (d *draft) readForms() map[string]*party {
	forms := map[string]*party{}
	tried := 0
	for _, r := range d.Layout.Rows {
		if d.isLine[r.Index] {
			continue
		}
		for i := range r.Cells {
			role, rest := partyLabel(&r.Cells[i])
			if role == "" || len(rest) > 0 || forms[role] != nil || tried == maxForms {
				continue
			}
			tried++
			if p := d.formBelow(&r.Cells[i]); p.Name.Value != "" {
				forms[role] = p
			}
		}
	}
	return forms
}

// formBelow reads the labels and values below the label of a party.
func (d *draft) formBelow(head *layout.Cell) *party {
	p := &party{Score: lexicon.Weigh().Name.Form}
	above := head.Row
	for i := head.Row.Index + 1; i < len(d.Layout.Rows) && i <= head.Row.Index+formRows; i++ {
		r := d.Layout.Rows[i]
		if r.Page != head.Row.Page || d.isLine[i] || r.Top-above.Bottom > formGap*max(above.Height(), 8) {
			break
		}
		for j := range r.Cells {
			c := &r.Cells[j]
			if role, _ := partyLabel(c); role != "" && math.Abs(c.Left-head.Left) < 12 {
				return p
			}
			label, ok := c.Label(&lexicon.Words().PartyParts)
			if !ok || c.Left < head.Left-12 || c.Left > head.Left+60 {
				continue
			}
			value := valueCell(c, len(label.Tokens))
			if first := c.Row.Words[c.First]; lexicon.Words().NameStarts[lexicon.Fold(first.Text)] && len(value) > 0 && value[0] == c.Row.Words[min(c.First+1, c.Last)] && !strings.HasSuffix(first.Text, ":") {
				value = c.Words() // a name may begin with such a word
			}
			switch s := layout.TextOf(value); {
			case len(value) == 0:
			case label.Field == "name" && p.Name.Value == "" && isName(s):
				p.Name = d.wholeName(c, value)
			case label.Field == "address" && p.Address.City.Value == "":
				p.Address = d.addressBelow(c, value)
			}
		}
		above = r
	}
	return p
}

// valueCell are the words behind a label of some tokens: the rest of its cell, or else
// the next cell of its row.
func valueCell(c *layout.Cell, labelTokens int) []*layout.Word {
	last := c.Row.Tokens[c.Token+labelTokens-1].Word
	rest := withoutColon(c.Row.Words[last+1 : c.Last+1])
	if at := c.Row.CellAt(c.First); len(rest) == 0 && at+1 < len(c.Row.Cells) {
		rest = withoutColon(c.Row.Cells[at+1].Words())
	}
	return rest
}

// withoutColon drops the colon that words begin with.
func withoutColon(of []*layout.Word) []*layout.Word {
	for len(of) > 0 && len(of[0].Tokens) == 0 {
		of = of[1:]
	}
	return of
}

// wholeName is a name behind a label, with the row below that it goes on in.
func (d *draft) wholeName(label *layout.Cell, first []*layout.Word) candidate.Printed {
	of := first
	if rows := d.rowsBehind(label, first); len(rows) == 2 && !lexicon.HasDigit(layout.TextOf(rows[1])) {
		of = slices.Concat(first, rows[1])
	}
	return candidate.Printed{Value: layout.TextOf(of), Words: of}
}

// rowsBehind are the rows of a value behind a label, which have one left edge. Other columns may have rows of their own
// between them; another label in the column of the first one ends the value.
func (d *draft) rowsBehind(label *layout.Cell, first []*layout.Word) [][]*layout.Word {
	const (
		most = 5   // rows
		near = 3.0 // points
	)
	rows, last := [][]*layout.Word{first}, label.Row
	left := first[0].Box.Left
	for i := last.Index + 1; i < len(d.Layout.Rows) && i <= label.Row.Index+2*most && len(rows) < most; i++ {
		next := d.Layout.Rows[i]
		isLabelled := label.Left < left-near && slices.ContainsFunc(next.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-label.Left) < near })
		if next.Page != last.Page || next.Top-last.Bottom > formGap*max(last.Height(), 8) || isLabelled {
			break
		}
		if at := slices.IndexFunc(next.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-left) < near }); at >= 0 {
			rows, last = append(rows, next.Cells[at].Words()), next
		}
	}
	return rows
}

// addressBelow reads an address behind a label.
func (d *draft) addressBelow(label *layout.Cell, first []*layout.Word) (a Address) {
	lines := d.rowsBehind(label, first)
	for i, line := range lines {
		country, code, city, ok := candidate.CityIn(layout.TextOf(line))
		if !ok {
			continue
		}
		a.PostCode, a.City = candidate.Printed{Value: code, Words: line}, candidate.Printed{Value: city, Words: line}
		if country != "" {
			a.Country = d.countryOf(country, line)
		}
		if i > 0 {
			a.Line1 = candidate.Printed{Value: strings.Trim(layout.TextOf(lines[0]), " ,"), Words: lines[0]}
		}
		if i+1 < len(lines) && a.Country.Value == "" {
			if code, known := lexicon.Words().Countries.Exactly(layout.TextOf(lines[i+1])); known {
				a.Country = candidate.Printed{Value: code, Words: lines[i+1]}
			}
		}
		return a
	}
	return a
}
