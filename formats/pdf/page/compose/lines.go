package compose

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A lineTable makes the rows of the lines of the invoice, each with its sub lines below it.
type lineTable struct {
	*table
	lines    *model.Field
	subLines *model.Field
	// The most digits after the decimal mark that a quantity, and a price, has.
	quantityDigits, priceDigits int
	sums                        []model.Decimal // of the amounts, after so many rows; as many as are known
	legend                      map[string]bool // categories that the breakdown says in words
	sum                         model.Decimal
	sumValid                    bool // every line so far has an amount
}

// maxIndent is how many levels of sub lines are indented.
const maxIndent = 6

// The columns of the table of lines.
const (
	columnQuantity = 2
	columnPrice    = 4
)

func (c *composer) lines() {
	lines, _ := c.invoice.Type.Field("lines") // the model has it
	subLines, _ := lines.Elem.Field("subLines")
	list := c.invoice.List(lines)
	if list.Len() == 0 {
		return
	}
	w := c.language.Word
	t := &lineTable{lines: lines, subLines: subLines, sumValid: true, sums: []model.Decimal{{}}}
	t.table = c.table("lines", c.left(), c.width(), []column{
		{title: w("position")}, {title: w("description"), grows: true}, {title: w("quantity"), right: true}, {title: w("unit")},
		{title: w("price"), right: true}, {title: w("vat"), right: true}, {title: c.inCurrency("net"), right: true},
	})
	t.mostDigits(list)
	t.legend = c.legends()
	outside, depths := c.shown, lineDepths(c.inv.Lines)
	for i := range list.Len() {
		t.line(list.At(i), &c.inv.Lines[i], nil, depths[i])
	}
	c.shown = outside
	t.carried = func(rows int) string {
		if rows >= len(t.sums) {
			return ""
		}
		sum := model.NumberOf(t.sums[rows])
		return c.language.Money(&sum, c.currency)
	}
	t.tail = c.tail("lines")
	if c.compact && c.density < leastDensity && c.ownWords != nil && w("lines") == c.ownWords.Word("lines") { // the title says it
		c.begin("lines", t.begins()+t.reserve())
		c.space(20)
		t.draw(c.root.Section("lines"))
		return
	}
	t.draw(c.heading("lines", w("lines"), t.begins()+t.reserve()))
}

// mostDigits finds the most digits after the decimal mark, to align numbers by it.
func (t *lineTable) mostDigits(list model.List) {
	const maxDigits = 6
	l := &t.layout.Lines
	for i := range list.Len() {
		o := list.At(i)
		t.quantityDigits = max(t.quantityDigits, min(maxDigits, t.language.Digits(leafNumber(o, l.Quantity), 0)))
		price := leafNumber(o, l.Price)
		t.priceDigits = max(t.priceDigits, min(maxDigits, t.language.Digits(price, language.LeastDigits(price, t.currency))))
		t.mostDigits(o.List(t.subLines))
	}
}

// termOf is the term that a template shows, which consists of one, in its usual form.
func termOf(o model.Object, s layout.Source) (model.Object, *model.Field, string) {
	path := s.Parts[0].Path
	for _, f := range path[:len(path)-1] {
		o = o.Group(f)
	}
	return o, path[len(path)-1], ""
}

// leafNumber is the number that a template shows, which consists of one term.
func leafNumber(o model.Object, s layout.Source) *model.Number {
	path := s.Parts[0].Path
	for _, f := range path[:len(path)-1] {
		o = o.Group(f)
	}
	return o.Number(path[len(path)-1])
}

// line adds a line with its sub lines.
func (t *lineTable) line(o model.Object, of, around *model.Line, depth int) {
	c, l := t.composer, &t.layout.Lines
	if c.stopped() {
		return
	}
	c.shown = map[any]bool{} // the terms of this line
	text, strong, detail := &c.style.Text, &c.style.Strong, &c.style.Detail
	if depth > 0 {
		strong = text
	}
	row := tableRow{cells: make([]tableCell, len(t.columns)), indent: float64(min(depth, maxIndent)) * 4 * typeset.MM}
	row.cells[0].add(c.fill(l.Position.Template, o), text)
	row.cells[1].add(c.fill(l.Name.Template, o), strong)
	row.cells[1].add(c.fill(l.Description.Template, o), detail)
	row.cells[columnQuantity].add(c.fill(l.Quantity.Template, o), text)
	row.cells[columnQuantity].shift = t.shift(leafNumber(o, l.Quantity), 0, t.quantityDigits)
	row.cells[3].add(c.fill(l.Unit.Template, o), text)
	row.cells[columnPrice].add(c.fill(l.Price.Template, o), text)
	price := leafNumber(o, l.Price)
	row.cells[columnPrice].shift = t.shift(price, language.LeastDigits(price, c.currency), t.priceDigits)
	if per := c.fill(l.Per.Template, o); !per.Empty() && !t.isOne(o) {
		per = per.Solid()
		before, after, _ := strings.Cut(typeset.Solid(c.language.Word("per")), "#")
		row.cells[columnPrice].add(typeset.Words(before).Plus(per).Plus(typeset.Words(after)), detail)
	}
	row.cells[5].add(c.fill(l.Rate.Template, o), text)
	row.cells[5].add(c.category(o, l.Rate, l.Category, t.legend), detail)
	amount, counts := leafNumber(o, l.Amount), model.CountsInTotals(of.Subtype(around))
	if text := c.fill(l.Amount.Template, o); counts || text.Empty() {
		row.cells[6].add(text, &c.style.Text)
	} else { // nobody adds what is a part or the sum of others
		within := "ofWhich"
		if strings.TrimSpace(of.Subtype(around).Raw) == model.LineGroup {
			within = "subtotal"
		}
		row.cells[6].add(typeset.Words(c.language.Word(within)+" ").Plus(typeset.Words("(").Plus(text).Plus(typeset.Words(")")).Solid()), detail)
	}
	row.below = t.details(o)
	if depth > 0 {
		row.class = "sub" + strconv.Itoa(min(depth, maxIndent))
	}
	t.rows = append(t.rows, row)
	if counts {
		t.sumValid = t.sumValid && amount.Valid
		t.sum = t.sum.Add(amount.Value)
	}
	if t.sumValid {
		t.sums = append(t.sums, t.sum)
	}
	sub := o.List(t.subLines)
	for i := range sub.Len() {
		t.line(sub.At(i), &of.SubLines[i], of, depth+1)
	}
}

// legends are the categories of VAT that the breakdown says in words.
func (c *composer) legends() map[string]bool {
	codes := map[string]bool{}
	each(c.invoice, c.layout.Vat.Groups, func(o model.Object) { codes[leafText(o, c.layout.Vat.Code.Parts)] = true })
	return codes
}

// category is what a rate is not enough to say: the code where the breakdown explains it, or else
// its name.
func (c *composer) category(o model.Object, rate, category layout.Source, legends map[string]bool) typeset.Phrase {
	code := c.fill(category.Template, o)
	switch plain := slices.Contains(c.layout.Lines.PlainCategories, code.Text); {
	case plain && legends[code.Text] && leafNumber(o, rate).Value.Sign() > 0: // the rate says it
		return typeset.Phrase{}
	case legends[code.Text] || code.Empty():
		return code
	}
	return c.value(termOf(o, category)) // nothing else would say what the code means
}

// isOne reports whether a price is for one of what the quantity counts, which need not be
// said.
func (t *lineTable) isOne(o model.Object) bool {
	parts := t.layout.Lines.Per.Parts
	quantity := leafNumber(o, layout.Source{Template: &layout.Template{Parts: parts[0].Inner}})
	unit := leafText(o, parts[1].Inner)
	return quantity.Valid && quantity.Value.Equal(one) && (unit == "" || unit == leafText(o, t.layout.Lines.Unit.Parts))
}

var one = model.MustDecimal("1")

// leafText is the text that parts of a template show, the last of which is a term.
func leafText(o model.Object, parts []layout.Part) string {
	path := parts[len(parts)-1].Path
	for _, f := range path[:len(path)-1] {
		o = o.Group(f)
	}
	return o.Raw(path[len(path)-1])
}

// shift is how far a number is moved so that its decimal mark is below those of others.
func (t *lineTable) shift(n *model.Number, least, digits int) float64 {
	own := t.language.Digits(n, least)
	if !n.Valid || own >= digits {
		return 0
	}
	blank := strings.Repeat("0", digits-own)
	if own == 0 {
		blank += t.language.Decimal
	}
	return t.fonts.Width(blank, &t.style.Text)
}

// details are the other terms of a line, in muted text below it.
func (t *lineTable) details(o model.Object) []tagged.Styled {
	c := t.composer
	var below []tagged.Styled
	add := func(pairs []pair) {
		if len(pairs) > 0 {
			below = append(below, tagged.Styled{Phrase: c.inline(pairs), Style: &c.style.Detail})
		}
	}
	var all []pair
	for _, entries := range append(slices.Clone(c.layout.Lines.Details), nil) {
		pairs := c.pairs(entries, o)
		if entries == nil {
			pairs = c.unshown(o, t.subLines)
		}
		if all = append(all, pairs...); !c.compact {
			add(pairs)
		}
	}
	if c.compact {
		add(all)
	}
	return below
}

// The lengths of labels that are not broken, less than any column has, and of a label's last word
// with the first of its value, in letters.
const (
	longestSolid = 14
	longestPair  = 34
)

// labelled is a pair in one line.
func (c *composer) labelled(p pair) typeset.Phrase {
	if p.label == "" {
		return p.value
	}
	label := p.label
	if utf8.RuneCountInString(label) <= longestSolid {
		label = typeset.Solid(label)
	}
	colon := c.language.Word("colon")
	word, _, _ := strings.Cut(p.value.Text, " ")
	if last := label[strings.LastIndex(label, " ")+1:]; utf8.RuneCountInString(last+colon+word) <= longestPair {
		colon = typeset.Solid(colon)
	}
	return typeset.Words(label + colon).Plus(p.value)
}
