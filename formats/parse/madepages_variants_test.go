package parse_test

// form draws a party as a list of labels and values, and returns where it ends.
func (m *maker) form(x, y float64, role string, p *Party, vat string) float64 {
	m.font("B", 1.05)
	m.text(x, y, m.labels[role])
	m.font("", 1)
	for _, row := range [][2]string{
		{m.labels["formNumber"] + ":", "549910"}, {m.labels["formName"] + ":", p.Name}, {m.labels["formAddress"] + ":", p.Street}, {"", p.City},
	} {
		y += 1.15 * m.step()
		m.text(x, y, row[0])
		m.text(x+45, y, row[1])
	}
	if vat != "" {
		y += 1.15 * m.step()
		m.text(x, y, vat)
	}
	return y + 2*m.step()
}

// tallHead draws the rows of a column's name above its last one, and returns where that
// is: names of one row are in the middle.
func (m *maker) tallHead(places map[string][2]float64, column string, top float64) float64 {
	switch column {
	case "article":
		m.put(places, column, top, m.labels["customer"])
		return top + 2*m.step()
	case "amount":
		m.put(places, column, top+2.5*m.step(), m.labels["excl"])
		return top + 1.5*m.step()
	}
	return top + 1.7*m.step()
}

// payments draws what was paid as a table.
func (m *maker) payments() {
	m.y += m.step()
	m.font("B", 0.8)
	for n, s := range []string{m.labels["payment"], m.labels["date1"], m.labels["amount"]} {
		m.text(leftEdge+float64(n)*32, m.y, s)
	}
	m.font("", 0.9)
	m.y += m.step()
	for n, s := range []string{"SEPA", m.date(m.inv.Issue), m.money(m.inv.Paid)} {
		m.text(leftEdge+float64(n)*32, m.y, s)
	}
	m.font("", 1)
	m.y += m.step()
}
