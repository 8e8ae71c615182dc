package parse_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// widths of columns in millimetres; the item takes what is left.
var widths = map[string]float64{"pos": 10, "article": 20, "qty": 16, "unit": 16, "price": 26, "rate": 17, "discount": 18, "amount": 28}

// aligned are the columns that are set to the right.
var aligned = map[string]bool{"qty": true, "price": true, "rate": true, "discount": true, "amount": true}

// width is that of a column; quantities with their unit need more.
func (m *maker) width(column string) float64 {
	if column == "qty" && !slices.Contains(m.family.Columns, "unit") {
		return widths[column] + 10
	}
	return widths[column]
}

func (m *maker) places() map[string][2]float64 {
	rest := rightEdge - leftEdge
	for _, c := range m.family.Columns {
		rest -= m.width(c)
	}
	at, x := map[string][2]float64{}, leftEdge
	for _, c := range m.family.Columns {
		width := m.width(c)
		if c == "item" {
			width = rest
		}
		at[c] = [2]float64{x, x + width}
		x += width
	}
	return at
}

func (m *maker) put(places map[string][2]float64, column string, y float64, s string) {
	place := places[column]
	if aligned[column] {
		m.right(place[1]-1, y, s)
		return
	}
	m.text(place[0]+1, y, s)
}

func (m *maker) head(places map[string][2]float64) {
	m.font("B", 0.95)
	top := m.y
	for _, c := range m.family.Columns {
		label := m.labels[c]
		if c == "amount" && m.family.Currency == "head" {
			label += " EUR"
		}
		y := top
		if m.family.TallHead {
			y = m.tallHead(places, c, top)
			m.y = top + 3*m.step()
		}
		if m.family.BrokenHeads {
			y += m.breakHead(places, c, top, &label)
			m.y = top + m.step()
		}
		m.put(places, c, y, label)
	}
	m.rule(top - 0.8*m.step())
	m.y += 0.35 * m.step()
	m.rule(m.y)
	m.y += 1.1 * m.step()
	m.font("", 1)
}

// breakHead draws the first part of a name and leaves the rest for the next row, how far
// below it returns.
func (m *maker) breakHead(places map[string][2]float64, column string, top float64, label *string) float64 {
	first, rest, broken := strings.Cut(*label, " ")
	if runes := []rune(*label); !broken && len(runes) > 9 && column != "item" {
		first, rest, broken = string(runes[:len(runes)/2])+"-", string(runes[len(runes)/2:]), true
	}
	if !broken {
		return 0
	}
	m.put(places, column, top, first)
	*label = rest
	return m.step()
}

func (m *maker) rule(y float64) {
	if m.family.Rules != "none" {
		m.Line(leftEdge, y, rightEdge, y)
	}
}

func (m *maker) table() {
	places := m.places()
	m.head(places)
	sum, group := int64(0), int64(0)
	for n := range m.inv.Lines {
		l := &m.inv.Lines[n]
		if m.y > 255 {
			m.font("", 1)
			m.text(leftEdge, m.y+2, m.labels["carried"])
			m.right(rightEdge-1, m.y+2, m.money(sum))
			m.AddPage()
			m.footer()
			m.y = 30
			m.head(places)
		}
		m.line(places, l, n)
		sum += l.Net
		group += l.Net
		if m.family.Attributes {
			m.font("", 0.9)
			m.put(places, "item", m.y+0.3*m.step(), m.labels["attribute"]+": "+m.words.Country)
			m.font("", 1)
			m.y += 1.6 * m.step()
		}
		if m.family.GroupSums && n%3 == 2 && n+1 < len(m.inv.Lines) {
			m.put(places, "item", m.y, m.labels["group1"])
			m.put(places, "amount", m.y, m.money(group))
			m.y, group = m.y+m.step(), 0
		}
		if m.family.Detail && !m.family.Wrapped && n%2 == 0 {
			m.font("", 0.85)
			m.put(places, "item", m.y, l.Detail)
			m.font("", 1)
			m.y += m.step()
		}
		if m.family.Rules == "grid" {
			m.rule(m.y - 0.6*m.step())
			m.y += 0.5 * m.step()
		}
	}
	m.rule(m.y)
	m.y += 1.5 * m.step()
	if m.y > 225 {
		m.AddPage()
		m.footer()
		m.y = 30
	}
}

// line draws one line of the invoice.
func (m *maker) line(places map[string][2]float64, l *Line, n int) {
	top := m.y
	for _, c := range m.family.Columns {
		s, y := m.cell(l, c, n), top
		if m.family.AmountsBelow && (aligned[c] || c == "unit") {
			y += m.step()
		}
		if m.family.Half && c == "amount" {
			y += 0.75 * m.step()
		}
		if c == "item" && m.family.Wrapped {
			s, y = m.wrap(places[c], top, l.Item+", "+l.Detail)
			m.y = y
			l.Item = l.Item + ", " + l.Detail
		}
		m.put(places, c, y, s)
	}
	m.y += m.step()
	if m.family.AmountsBelow || m.family.Half {
		m.y += m.step()
	}
}

// wrap draws the rows of a text that fill a column, and returns the last one.
func (m *maker) wrap(place [2]float64, y float64, s string) (last string, at float64) {
	row := ""
	for _, word := range strings.Fields(s) {
		if next := strings.TrimSpace(row + " " + word); m.GetStringWidth(next) <= place[1]-place[0]-3 {
			row = next
			continue
		}
		m.text(place[0]+1, y, row)
		row, y = word, y+m.step()
	}
	return row, y
}

func (m *maker) cell(l *Line, column string, n int) string {
	switch column {
	case "pos":
		return fmt.Sprint(n + 1)
	case "article":
		return l.Article
	case "item":
		return l.Item
	case "qty":
		if !slices.Contains(m.family.Columns, "unit") && m.family.Currency == "after" {
			return m.quantity(l.Quantity) + " " + l.Unit
		}
		return m.quantity(l.Quantity)
	case "unit":
		return l.Unit
	case "price":
		return m.money(l.Price)
	case "discount":
		if l.Discount == 0 {
			return ""
		}
		return fmt.Sprintf("%d%%", l.Discount)
	case "rate":
		if n%2 == 0 || m.family.Currency != "none" {
			return fmt.Sprintf("%d %%", l.Rate)
		}
		return fmt.Sprintf("%d%%", l.Rate)
	}
	return m.money(l.Net)
}

// totalRows are the labels and amounts below the lines.
func (m *maker) totalRows() [][2]string {
	i := m.inv
	var rows [][2]string
	add := func(label string, cents int64) { rows = append(rows, [2]string{label, m.money(cents)}) }
	if i.Allowance != 0 || i.Charge != 0 {
		add(m.labels["linetotal"], i.LineTotal)
	}
	if i.Allowance != 0 {
		add(m.labels["allowance"], -i.Allowance)
	}
	if i.Charge != 0 {
		add(m.labels["charge"], i.Charge)
	}
	net, gross := m.labels["net"], m.labels["gross"]
	if m.family.Qualified {
		net, gross = m.labels["sum"]+" "+m.labels["excl"], m.labels["sum"]+" ("+m.labels["incl"]+")"
	}
	add(net, i.Net)
	for _, v := range i.Vat {
		add(fmt.Sprintf("%s %d %%", m.labels["vat"], v.Rate), v.Tax)
	}
	add(gross, i.Gross)
	if i.Paid != 0 && !m.family.Payments {
		add(m.labels["paid"], -i.Paid)
	}
	if i.PayableDiffers {
		add(m.labels["topay"], i.Payable())
	}
	return rows
}

func (m *maker) totals() {
	if m.family.VatTable {
		m.vatTable()
	}
	rows := m.totalRows()
	switch m.family.Totals {
	case "headRow":
		width := (rightEdge - leftEdge) / float64(len(rows))
		for n, row := range rows {
			x := leftEdge + float64(n+1)*width
			m.font("B", 0.75)
			m.right(x, m.y, row[0])
			m.font("", 0.9)
			m.right(x, m.y+m.step()*1.2, row[1])
		}
		m.y += 3 * m.step()
	case "left":
		for _, row := range rows {
			m.text(leftEdge, m.y, row[0])
			m.right(leftEdge+85, m.y, row[1])
			m.y += 1.1 * m.step()
		}
	default:
		for _, row := range rows {
			m.text(122, m.y, row[0])
			m.right(rightEdge-1, m.y, row[1])
			m.y += 1.1 * m.step()
		}
	}
	m.font("", 1)
	if m.inv.Paid != 0 && m.family.Payments {
		m.payments()
	}
	if m.family.Footer == "none" {
		m.text(leftEdge, m.y+12, "IBAN: "+spaced(m.inv.IBAN)+", BIC: "+m.inv.BIC)
	}
}

func (m *maker) vatTable() {
	m.font("B", 0.85)
	for n, s := range []string{m.labels["rate"], m.labels["net"], m.labels["vat"]} {
		m.right(leftEdge+25+float64(n)*26, m.y, s)
	}
	m.font("", 0.95)
	for n, v := range m.inv.Vat {
		y := m.y + float64(n+1)*m.step()
		for k, s := range []string{fmt.Sprintf("%d %%", v.Rate), m.plain(v.Base), m.plain(v.Tax)} {
			m.right(leftEdge+25+float64(k)*26, y, s)
		}
	}
	m.font("", 1)
	if m.family.Totals == "left" {
		m.y += float64(len(m.inv.Vat)+2) * m.step()
	}
}
