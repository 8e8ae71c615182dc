package parse_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
)

// Made pages show invoices in many layouts and seven languages, with what is printed on
// them, to measure how well pages are read. The layouts are data (families.yaml), and so
// are the words (words.yaml). The same seed gives the same pages.

// A Made is a PDF with what is printed on it.
type Made struct {
	Name    string
	PDF     []byte
	Invoice *Invoice
}

// A maker draws one invoice. Places are in millimetres.
type maker struct {
	*fpdf.Fpdf
	family *Family
	words  *language
	random *rand.Rand
	labels map[string]string // those that were chosen for this document
	inv    *Invoice
	y      float64
}

const (
	leftEdge  = 20.0
	rightEdge = 192.0
)

// Make makes the pages of an invoice.
func Make(f Family, lang string, seed uint64) (*Made, error) { return made(f, lang, seed, 0) }

// MakeStrange is Make with labels that nobody knows: each is one with the given
// probability.
func MakeStrange(f Family, lang string, seed uint64, strange float64) (*Made, error) {
	return made(f, lang, seed, strange)
}

func made(f Family, lang string, seed uint64, strange float64) (*Made, error) {
	if f.Size == 0 {
		f.Size = 9
	}
	r := rand.New(rand.NewPCG(seed, seedOf(f.Name+lang)))
	m := &maker{Fpdf: fpdf.New("P", "mm", "A4", ""), family: &f, words: languages()[lang], random: r, labels: map[string]string{}}
	for _, name := range sortedKeys(m.words.Labels) {
		m.labels[name] = pick(r, m.words.Labels[name])
	}
	m.makeStrange(strange, seed)
	regular, bold := liberationsansregular.TTF, liberationsansbold.TTF
	switch f.Font {
	case "serif":
		regular, bold = liberationserifregular.TTF, liberationserifbold.TTF
	case "mono":
		regular, bold = liberationmonoregular.TTF, liberationmonobold.TTF
	}
	m.AddUTF8FontFromBytes("f", "", regular)
	m.AddUTF8FontFromBytes("f", "B", bold)
	m.SetCreationDate(time.Unix(0, 0))
	m.SetModificationDate(time.Unix(0, 0))
	m.SetAutoPageBreak(false, 0)
	m.inv = newInvoice(&f, m.words, r)
	m.draw()
	var out bytes.Buffer
	err := m.Output(&out)
	return &Made{fmt.Sprintf("%s-%s-%d", f.Name, lang, seed), out.Bytes(), m.inv}, err
}

// makeStrange replaces labels by words of no language. It has random numbers of its own,
// so that the rest of the invoice stays as it is.
func (m *maker) makeStrange(probability float64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, seedOf("strange "+m.family.Name)))
	for _, name := range sortedKeys(m.labels) {
		if r.Float64() >= probability || strings.Contains(m.labels[name], "%s") {
			continue
		}
		word := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) {
				return rune("abdefgiklmnoprstu"[r.IntN(17)])
			}
			return c
		}, m.labels[name])
		m.labels[name] = word
	}
}

func seedOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // a hash accepts everything
	return h.Sum64()
}

func (m *maker) draw() {
	m.AddPage()
	m.footer()
	m.parties()
	m.title()
	m.meta()
	m.table()
	m.totals()
	m.text(leftEdge, m.y+6, fmt.Sprintf(m.labels["terms"], m.date(m.inv.Due)))
}

func (m *maker) font(style string, scale float64) { m.SetFont("f", style, m.family.Size*scale) }

func (m *maker) step() float64 { return m.family.Size * 0.47 }

func (m *maker) text(x, y float64, s string) { m.Text(x, y, s) }

func (m *maker) right(x, y float64, s string) { m.Text(x-m.GetStringWidth(s), y, s) }

func (m *maker) date(t time.Time) string {
	switch m.family.Dates {
	case "us":
		return t.Format("01/02/2006")
	case "iso":
		return t.Format("2006-01-02")
	case "short":
		return t.Format("02.01.06")
	case "long":
		return strings.Replace(t.Format(m.words.Long), t.Format("January"), m.words.Months[t.Month()-1], 1)
	}
	return t.Format(m.words.Date)
}

// money writes an amount of cents.
func (m *maker) money(cents int64) string {
	s := m.plain(cents)
	switch m.family.Currency {
	case "after":
		if m.inv.Currency != "EUR" {
			return s + " " + m.inv.Currency
		}
		return s + " €"
	case "before":
		return "€" + s
	case "code":
		return m.inv.Currency + " " + s
	}
	return s
}

func (m *maker) plain(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + m.words.Group + whole[i:]
	}
	return fmt.Sprintf("%s%s%s%02d", sign, whole, m.words.Decimal, cents%100)
}

func (m *maker) quantity(hundredths int64) string {
	if hundredths%100 == 0 {
		return fmt.Sprint(hundredths / 100)
	}
	return m.plain(hundredths)
}

func (m *maker) footer() {
	i := m.inv
	m.font("", 0.78)
	switch y := 280.0; m.family.Footer {
	case "columns":
		for col, rows := range [][]string{
			{i.Seller.Name, i.Seller.Street, i.Seller.City}, {m.labels["vatid"] + ": " + i.Seller.VatID, "www.example.com"}, {"IBAN: " + i.IBAN, "BIC: " + i.BIC},
		} {
			for n, row := range rows {
				m.text(leftEdge+float64(col)*62, y+float64(n)*3.3, row)
			}
		}
	case "line":
		m.text(leftEdge, y, i.Seller.Name+", "+i.Seller.Street+", "+i.Seller.City+", "+m.labels["vatid"]+" "+i.Seller.VatID)
		m.text(leftEdge, y+4, "IBAN "+spaced(i.IBAN)+"  BIC "+i.BIC)
	}
	if form := i.Seller.form(); m.family.Capital && form != "" {
		m.text(leftEdge, 292, form+" "+m.words.Capital+" "+m.plain(1_000_000)+" "+m.inv.Currency)
	}
	m.right(rightEdge, 292, fmt.Sprintf("%s %d", m.words.Page, m.PageNo()))
}

func spaced(s string) string {
	var parts []string
	for len(s) > 4 {
		parts, s = append(parts, s[:4]), s[4:]
	}
	return strings.Join(append(parts, s), " ")
}

func (m *maker) rows(x, y float64, rows ...string) float64 {
	for _, row := range rows {
		if row != "" {
			m.text(x, y, row)
			y += m.step()
		}
	}
	return y
}

func (m *maker) parties() {
	s, b := m.inv.Seller, m.inv.Buyer
	m.font("", 1)
	end := 60.0
	vat := ""
	if m.family.Footer == "none" {
		vat = m.labels["vatid"] + ": " + s.VatID
	}
	switch m.family.Seller {
	case "sender":
		m.font("", 0.7)
		at := 48.0
		if m.family.Attached {
			at = 54 - 0.9*m.step()
		}
		m.text(leftEdge, at, strings.Join([]string{s.Name, s.Street, s.City}, pick(m.random, []string{" · ", " | ", ", ", " - "})))
		m.font("B", 1.8)
		m.right(rightEdge, 22, s.Name)
	case "topLeft":
		m.font("B", 1.3)
		m.text(leftEdge, 18, s.Name)
		m.font("", 1)
		m.rows(leftEdge, 23, s.Street, s.City, vat)
	case "topRight":
		m.rows(130, 18, s.Name, s.Street, s.City, "Tel. 030 / 123456", vat)
	case "topCenter":
		m.font("B", 1.6)
		m.text(105-m.GetStringWidth(s.Name)/2, 18, s.Name)
		m.font("", 0.85)
		line := s.Street + ", " + s.City
		m.text(105-m.GetStringWidth(line)/2, 23, line)
	case "form":
		end = m.form(leftEdge, 24, "seller", &s, vat)
	case "labelled":
		m.font("B", 1)
		m.text(leftEdge, 34, m.labels["seller"]+pick(m.random, []string{"", ":"}))
		m.font("", 1)
		end = m.rows(leftEdge, 34+m.step(), s.Name, s.Street, s.City, vat)
	}
	m.font("", 1)
	salutation := ""
	if m.family.Salutation {
		salutation = m.labels["salutation"]
	}
	switch m.family.Buyer {
	case "window":
		end = m.rows(leftEdge, 54, salutation, b.Name, b.Street, b.City)
	case "form":
		end = m.form(leftEdge, 56, "buyer", &b, "")
	case "spaced":
		end = m.rows(leftEdge, 50, salutation, b.Name)
		end = m.rows(leftEdge, end, b.Street)
		end = m.rows(leftEdge, end+m.step(), b.City)
	case "right":
		end = m.rows(125, 46, salutation, b.Name, b.Street, b.City)
	case "labelled":
		m.font("B", 1)
		m.text(leftEdge, 46, m.labels["buyer"]+":")
		m.font("", 1)
		end = m.rows(leftEdge, 46+m.step(), b.Name, b.Street, b.City, m.labels["buyervat"]+": "+b.VatID)
	case "labelledRight":
		m.font("B", 1)
		m.text(110, 34, m.labels["buyer"]+pick(m.random, []string{"", ":"}))
		m.font("", 1)
		end = max(end, m.rows(110, 34+m.step(), b.Name, b.Street, b.City))
	}
	m.y = max(end, 60) + 10
}

func (m *maker) title() {
	title := m.labels["title"]
	if m.inv.Credit {
		title = m.labels["creditTitle"]
	}
	m.font("B", 1.7)
	switch m.family.Title {
	case "left":
		m.text(leftEdge, m.y+8, title)
	case "right":
		m.right(rightEdge, 22, title)
	case "center":
		m.text(105-m.GetStringWidth(title)/2, m.y+8, title)
	case "line":
		m.font("B", 1.4)
		m.text(leftEdge, m.y+8, fmt.Sprintf("%s (380) %s %s %s %s", title, m.labels["no"], m.inv.Number, m.labels["dated"], m.date(m.inv.Issue)))
	case "number":
		m.font("B", 1.3)
		m.text(leftEdge, m.y+8, m.labels["number"]+" "+m.inv.Number)
	}
	m.y += 14
}

func (m *maker) meta() {
	i := m.inv
	pairs := [][2]string{
		{m.labels["number"], i.Number}, {m.labels["date1"], m.date(i.Issue)}, {m.labels["customer"], i.Customer},
		{m.labels["delivery"], m.date(i.Delivery)}, {m.labels["due"], m.date(i.Due)}, {m.labels["order"], i.Order},
	}
	if m.family.Your {
		pairs[5][0] = m.labels["your"]
	}
	if i.Currency != "EUR" && m.family.Currency == "none" {
		pairs = append(pairs, [2]string{m.labels["currencyWord"], i.Currency})
	}
	if m.family.Title == "line" { // number and date are in the title
		pairs = pairs[2:]
	}
	m.font("", 1)
	switch y := m.y; m.family.Meta {
	case "offset":
		for n, p := range pairs {
			y = 34 + float64(n)*1.25*m.step()
			m.font("", 0.65)
			m.text(122, y-0.4*m.step(), p[0])
			m.font("B", 1)
			m.right(rightEdge, y, p[1])
		}
		m.y = max(m.y, y+m.step())
	case "colonValue":
		for _, p := range pairs {
			m.text(leftEdge, y, p[0])
			m.text(leftEdge+48, y, ": "+p[1])
			y += m.step()
		}
		m.y = y
	case "rightPairs", "rightColon", "leftPairs", "leftColon":
		x, colon := leftEdge, ""
		if strings.HasPrefix(m.family.Meta, "right") {
			x, y = 130, 34
			if m.family.Buyer == "right" || m.family.Buyer == "labelledRight" {
				y = m.y
			}
		}
		if strings.HasSuffix(m.family.Meta, "Colon") {
			colon = ":"
		}
		for _, p := range pairs {
			m.text(x, y, p[0]+colon)
			if x > 100 && colon == "" {
				m.right(rightEdge, y, p[1])
			} else {
				m.text(x+36, y, p[1])
			}
			y += m.step()
		}
		m.y = max(m.y, y)
	case "headRow":
		for n, p := range pairs {
			m.font("B", 0.85)
			m.text(leftEdge+float64(n)*29, y, p[0])
			m.font("", 0.95)
			m.text(leftEdge+float64(n)*29, y+m.step()*1.1, p[1])
		}
		m.y = y + 2*m.step()
	case "inline":
		for n := 0; n+1 < len(pairs); n += 2 {
			m.text(leftEdge, y, pairs[n][0]+": "+pairs[n][1])
			m.text(115, y, pairs[n+1][0]+": "+pairs[n+1][1])
			y += m.step()
		}
		m.y = y
	case "sentence":
		m.text(leftEdge, y, fmt.Sprintf("%s %s   %s %s", pairs[0][0], i.Number, pairs[1][0], m.date(i.Issue)))
		for _, p := range pairs[3:] {
			y += m.step()
			m.text(leftEdge, y, p[0]+" "+p[1])
		}
		m.y = y + m.step()
	}
	m.y += m.step()
	m.text(leftEdge, m.y, m.labels["sentence"])
	m.y += 2 * m.step()
}
