package compose

import (
	"strings"

	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A stamp is what a document is beside an invoice: a test, or a copy.
type stamp struct {
	field       *model.Field
	word, about string // of the language
}

// stamps are those of the document.
func (c *composer) stamps() (found []stamp) {
	for _, s := range []stamp{
		{c.field("testIndicator"), "test", "notAnInvoice"}, {c.field("copyIndicator"), "copy", "copyOf"},
	} {
		if c.invoice.Has(s.field) && isTrue(c.invoice.Raw(s.field)) {
			found = append(found, s)
		}
	}
	return found
}

// isTrue tells of the value of an indicator, as XML Schema writes it.
func isTrue(raw string) bool {
	raw = strings.TrimSpace(raw)
	return raw == "true" || raw == "1"
}

// stampsAbout are what the stamps mean, in a sentence each.
func (c *composer) stampsAbout() (about []string) {
	for _, s := range c.stamps() {
		about = append(about, c.language.Word(s.about))
	}
	return about
}

// stampWords are what is written across pages.
func (c *composer) stampWords() (words []string) {
	for _, s := range c.stamps() {
		words = append(words, strings.ToUpper(c.language.Word(s.word)))
	}
	return words
}

// stampPage writes the stamps across a page, under its texts.
func (c *composer) stampPage() {
	words := c.stampWords()
	if len(words) == 0 || c.err != nil {
		return
	}
	p := typeset.Words(strings.Join(words, " · "))
	st := &typeset.Style{Size: 96, Bold: true, Colour: c.look.Colours.Shade.Colour}
	width := c.fonts.Width(p.Text, st)
	if most := 0.8 * typeset.PageHeight; width > most {
		st.Size *= most / width
		width = most
	}
	c.page().Across(tagged.Decoration, c.fonts, p, st, width)
	if c.keeps {
		c.page().Items = append(c.page().Items, tagged.Item{Text: &tagged.Styled{Phrase: p, Style: st}, Width: width, Across: true})
	}
}
