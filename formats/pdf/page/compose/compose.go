package compose

import (
	"context"
	"slices"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/law"
	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/tongue"
)

// Options says how an invoice is set on pages. The zero Composing has the defaults.
type Options struct {
	Language string             // BCP 47, such as de; that of the buyer's or seller's country without it
	Look     *look.Look         // that of the seller's country without it
	Fonts    *typeset.Fonts     // for characters that the program's own fonts do not have; may be nil
	Pages    int                // the most that the document may have; 2000 without it
	Keeps    bool               // texts and terms are kept for other formats than PDF
	own      *language.Language // before the labels of the look
	Flows    bool               // the pages are not shown as such, so that none is saved
}

// maxPages is enough for some 60,000 lines. A PDF reaches the limit of its objects before.
const maxPages = 2000

// Composed is an invoice set on pages: PDF, HTML and SVG are ways to write it.
type Composed struct {
	Title, Author string
	Language      string
	Look          *look.Look
	Styles        *look.Styles
	Fonts         *typeset.FontUse
	Pages         []*tagged.Content
	Root          *tagged.Element // the structure of all pages
	Invoice       model.Object    // whose terms the texts show
	Unshown       []Unshown       // terms that the look leaves out
	Stamps        []string        // what is written across each page
	FootUnused    []string        // what of the look's foot shows nothing, in sentences
	Lacks         []law.Lack      // what the law wants to be said, and the invoice does not say
}

// Invoice sets an invoice on pages. An unknown language and a document that is too long are
// a *problem.Error.
func Invoice(ctx context.Context, inv *model.Invoice, o Options) (*Composed, error) {
	c, err := composed(ctx, inv, o)
	if err != nil {
		return nil, err
	}
	return c.composed(), nil
}

func (c *composer) composed() *Composed {
	return &Composed{
		Title: c.title(), Author: c.author(), Language: c.language.Tag, Look: c.look, Styles: c.style, Fonts: c.fonts,
		Pages: c.pages, Root: c.root, Invoice: c.invoice, Unshown: c.unshownTerms(),
		Stamps: c.stampWords(), FootUnused: c.footUnused, Lacks: c.law.Lacks(c.inv, c.isCredit()),
	}
}

// composed sets an invoice on pages. Where there are few, and that saves one, what readers seldom
// need is small print, notes and documents stand beside or closer to others, and the space
// between things is smaller.
func composed(ctx context.Context, inv *model.Invoice, o Options) (*composer, error) {
	words, err := languageFor(o.Language, inv)
	if err != nil {
		return nil, err
	}
	if o.Pages <= 0 {
		o.Pages = maxPages
	}
	if o.Look == nil {
		o.Look = look.For(inv)
	}
	if slices.Contains(layout.Default().Payment.Refunds, inv.TypeCode.Raw) {
		words = words.ForCredit()
	}
	o.own = words
	words = words.With(o.Look.Labels)
	c, err := composedWith(ctx, inv, words, &o, 1, false)
	if err != nil || o.Flows || len(c.pages) < 2 || len(c.pages) > longestTight {
		return c, err
	}
	// A page is saved where that can be: first by what stands where, then by the space between,
	// of which as much is left as there is place for.
	above := 1.0
	for _, density := range []float64{1, 0.75, 0.5, 0.3, leastDensity, 0.1} {
		tight, err := composedWith(ctx, inv, words, &o, density, true)
		if err != nil || len(tight.pages) >= len(c.pages) {
			above = density
			continue
		}
		for range refinements {
			if above == density {
				break // nothing has to be nearer
			}
			middle := (density + above) / 2
			looser, err := composedWith(ctx, inv, words, &o, middle, true)
			if err == nil && len(looser.pages) == len(tight.pages) {
				tight, density = looser, middle
			} else {
				above = middle
			}
		}
		return tight, ctx.Err()
	}
	return c, ctx.Err()
}

// refinements is how many densities are tried between one that saves a page and the next that
// does not.
const refinements = 3

func composedWith(ctx context.Context, inv *model.Invoice, l *language.Language, o *Options, density float64, compact bool) (*composer, error) {
	c := newComposer(ctx, inv, l, o, density)
	c.compact = compact
	if err := c.compose(); err != nil {
		return nil, err
	}
	return c, nil
}

// longestTight is the length of documents that are set closer to save a page.
const longestTight = 5

// leastDensity is the density below which the lines have no heading but the title.
const leastDensity = 0.15

// languageFor is the language of pages: the one that is asked for, or else that of the
// country of the buyer, or of the seller, if there are words in it.
func languageFor(asked string, inv *model.Invoice) (*language.Language, error) {
	if asked != "" {
		return language.Of(asked)
	}
	return language.Of(tongue.OfCountry(inv))
}
