package page

import (
	"slices"
	"time"

	bcp47 "golang.org/x/text/language"

	"einvoice/formats/pdf/archive"
	"einvoice/model"
)

// Options say how an invoice is drawn. The zero Options are the defaults.
type Options struct {
	Language string           // BCP 47, such as de; that of the buyer's or seller's country without it
	Look     *Look            // that of the seller's country without it
	Fonts    *Fonts           // for characters that the program's own fonts do not have; may be nil
	Date     time.Time        // of creation; the invoice's issue date without it
	Invoice  *archive.Invoice // what the metadata says about the attached invoice; nil if none is attached
	Files    []archive.File   // to attach
	Pages    int              // the most that the document may have; 2000 without it

	keeps bool // text and terms are kept for other formats
}

// maxPages is enough for some 60,000 lines.
const maxPages = 2000

// Rendered is an invoice as a PDF, or in another format.
type Rendered struct {
	Data    []byte
	Pages   int
	Missing []rune    // characters that no font has; U+FFFD is shown instead
	Unshown []Unshown // terms that the look leaves out
}

// PDF draws an invoice as a tagged PDF/A-3. The same invoice and options give the same
// bytes. An unknown language and a document that is too long are a *problem.Error.
func PDF(inv *model.Invoice, o Options) (*Rendered, error) {
	c, err := composed(inv, o)
	if err != nil {
		return nil, err
	}
	rendered := c.rendered()
	title := c.title()
	document, err := newDocument(c)
	if err != nil {
		return nil, err
	}
	rendered.Data, err = archive.Write(document, archive.Metadata{
		Title: title, Author: c.author(), Language: c.language.Tag, Date: o.date(inv),
		Accessible: true, Invoice: o.Invoice,
	}, o.Files)
	if err != nil {
		return nil, err
	}
	return rendered, nil
}

func (c *composer) rendered() *Rendered {
	return &Rendered{Pages: len(c.pages), Missing: c.fonts.missing, Unshown: c.unshownTerms()}
}

// composed sets an invoice on pages. Where the last page has little but technical details
// on it, the space between things is made smaller, if that saves the page.
func composed(inv *model.Invoice, o Options) (*composer, error) {
	language, err := languageFor(o.Language, inv)
	if err != nil {
		return nil, err
	}
	if o.Pages <= 0 {
		o.Pages = maxPages
	}
	look := o.Look
	if look == nil {
		look = lookFor(inv)
	}
	language = language.with(look.Labels)
	c, err := composedWith(inv, language, look, &o, 1)
	if err != nil || !c.endsBadly() {
		return c, err
	}
	for _, density := range []float64{0.8, 0.6, 0.4, 0.2} {
		if tight, err := composedWith(inv, language, look, &o, density); err == nil && len(tight.pages) < len(c.pages) {
			return tight, nil
		}
	}
	return c, nil
}

func composedWith(inv *model.Invoice, l *language, look *Look, o *Options, density float64) (*composer, error) {
	c := newComposer(inv, l, look, o, density)
	if err := c.compose(); err != nil {
		return nil, err
	}
	return c, nil
}

// longestTight is the length of documents whose spaces are made smaller to save a page.
const longestTight = 5

// endsBadly tells whether the last page has nothing on it but details that readers seldom
// need, or next to nothing.
func (c *composer) endsBadly() bool {
	n := len(c.pages)
	if n < 2 || n > longestTight {
		return false
	}
	little := 0.16 * pageHeight
	if n == 2 {
		little = 0.4 * pageHeight
	}
	last := c.pages[n-1]
	for _, class := range append(slices.Clone(last.classes), last.begins) {
		if class != "technical" && class != "further" {
			return c.y-c.top() < little
		}
	}
	return true
}

// languageFor is the language of pages: the one that is asked for, or else that of the
// country of the buyer, or of the seller, if there are words in it.
func languageFor(asked string, inv *model.Invoice) (*language, error) {
	if asked != "" {
		return languageOf(asked)
	}
	return languageOf(languageOfCountry(inv))
}

func languageOfCountry(inv *model.Invoice) string {
	var countries []string
	if inv.Buyer != nil && inv.Buyer.PostalAddress != nil {
		countries = append(countries, inv.Buyer.PostalAddress.CountryCode.Raw)
	}
	if inv.Seller != nil && inv.Seller.PostalAddress != nil {
		countries = append(countries, inv.Seller.PostalAddress.CountryCode.Raw)
	}
	for _, country := range countries {
		region, err := bcp47.ParseRegion(country)
		if err != nil || len(country) != 2 {
			continue
		}
		likely, err := bcp47.Compose(region)
		if err != nil {
			continue
		}
		base, _ := likely.Base() // the language that most people there speak, as CLDR has it
		if slices.Contains(Languages(), base.String()) {
			return base.String()
		}
	}
	return defaultLanguage
}

func (o Options) date(inv *model.Invoice) time.Time {
	if !o.Date.IsZero() {
		return o.Date
	}
	if inv.IssueDate.Valid {
		return inv.IssueDate.Time()
	}
	// A PDF needs a date, and the same invoice has to give the same bytes.
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
}
