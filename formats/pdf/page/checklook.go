package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/tongue"
)

// CheckLook composes three documents in a look, of one line, of forty, and with every term, and
// says what is wrong with their pages: texts that overlap each other, the logo or texts of the
// letter paper, letter paper that shows something where texts stand, colours that are not told
// apart, terms that invoices have to show and the body lacks, and keys of the look that nothing
// shows. Each is a sentence.
func CheckLook(ctx context.Context, l *look.Look, draw Draw) ([]string, error) {
	faults := append(l.Contrasts(), l.Ignored()...)
	shown, err := underTexts(ctx, l, draw)
	if err != nil {
		return nil, err
	}
	faults = append(faults, shown...)
	one, forty := Sample(), Sample()
	one.Lines, forty.Lines = one.Lines[:1], forty.Lines[:40]
	every := &model.Invoice{}
	fillTerms(model.ObjectOf(every), 0)
	for _, d := range []struct {
		name string
		inv  *model.Invoice
	}{{"one line", one}, {"forty lines", forty}, {"every term", every}} {
		c, err := compose.Invoice(ctx, d.inv, compose.Options{Language: tongue.Default, Look: l, Keeps: true})
		if err != nil {
			return nil, err
		}
		for _, u := range c.Unshown {
			if slices.Contains(mandatory, u.Term) {
				faults = append(faults, fmt.Sprintf("%s (%s) is not in the body of the pages; add the section that shows it", u.Name, u.Term))
			}
		}
		if d.inv == every {
			faults = append(faults, c.FootUnused...)
		}
		made, err := PDF(ctx, d.inv, Options{Language: tongue.Default, Look: l})
		if err != nil {
			return nil, err
		}
		overlaps, err := overlapping(c, made.Data, d.name)
		if err != nil {
			return nil, err
		}
		faults = append(faults, overlaps...)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(faults, func(f string) bool {
		twice := seen[f]
		seen[f] = true
		return twice
	}), nil
}

// mandatory are terms that every invoice shows.
var mandatory = []string{"BT-1", "BT-2", "BT-27", "BT-44", "BT-109", "BT-112", "BT-115", "BT-116", "BT-117", "BT-131", "BT-153"}

// fillTerms gives every term of a group a value; sub lines are one level deep.
func fillTerms(o model.Object, depth int) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f.Kind == model.KindGroup:
			fillTerms(o.EnsureGroup(f), depth)
		case f.Kind == model.KindList && f.Elem == o.Type && depth > 0, f.Name == "testIndicator", f.Name == "copyIndicator":
		case f.Kind == model.KindList:
			next := depth
			if f.Elem == o.Type {
				next++
			}
			fillTerms(o.AppendGroup(f), next)
		case f.Kind == model.KindDate:
			o.Set(f, "2026-11-21")
		case f.Kind == model.KindNumber, f.Kind == model.KindAmount:
			o.Set(f, "1234.50")
		case f.Kind == model.KindBinary:
			o.Set(f, "QUJD")
		case f.Name == "currencyCode":
			o.Set(f, "EUR")
		case f.Name == "typeCode" && o.Type == model.InvoiceType():
			o.Set(f, "380")
		case f.Name == "schemeId":
			o.Set(f, "0088")
		case f.Name == "email":
			o.Set(f, "accounts.receivable@seller.example")
		default:
			o.Set(f, "Value "+cmp.Or(f.BT, f.Name))
		}
	}
}

// mostOverlaps is how many overlaps of a document are told.
const mostOverlaps = 3

// overlapping are the texts of the PDF of a named document that cover each other, or the logo. What letter paper shows
// is text of the PDF as well.
func overlapping(c *compose.Composed, data []byte, name string) (found []string, err error) {
	container, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		return nil, err
	}
	sheets, err := text.Words(container, text.DefaultLimits())
	if err != nil {
		return nil, err
	}
	for i, sheet := range sheets {
		words := slices.DeleteFunc(sheet.Words, func(w text.Word) bool { return w.Turned || w.Hidden })
		slices.SortFunc(words, func(a, b text.Word) int { return int(8*a.Box.Top) - int(8*b.Box.Top) })
		for j := range words {
			a := &words[j]
			for k := j + 1; k < len(words) && words[k].Box.Top < a.Box.Bottom; k++ {
				if b := &words[k]; covers(a.Box, b.Box) && len(found) < mostOverlaps {
					found = append(found, fmt.Sprintf("page %d: %q and %q overlap (%s)", i+1, a.Text, b.Text, name))
				}
			}
			if i >= len(c.Pages) {
				continue
			}
			for _, item := range c.Pages[i].Items {
				if item.Picture == nil {
					continue
				}
				logo := text.Box{Left: item.X, Top: item.Y, Right: item.X + item.Width, Bottom: item.Y + item.Height}
				if covers(a.Box, logo) && len(found) < mostOverlaps {
					found = append(found, fmt.Sprintf("page %d: %q and the logo overlap (%s)", i+1, a.Text, name))
				}
			}
		}
	}
	return found, nil
}

// covers reports whether boxes overlap by more than the edges of letters.
func covers(a, b text.Box) bool {
	const edge = 1.5 // points, and the space above and below letters
	width := min(a.Right, b.Right) - max(a.Left, b.Left)
	height := min(a.Bottom, b.Bottom) - max(a.Top, b.Top)
	return width > edge && height > max(edge, 0.4*min(a.Bottom-a.Top, b.Bottom-b.Top))
}

// Lightest is a colour that is a ground for text of another: itself, or with white.
func Lightest(ground, text typeset.Colour) typeset.Colour {
	for step := range 21 {
		lighter := ground
		for i := range lighter {
			lighter[i] += (1 - lighter[i]) * float32(step) / 20
		}
		if lighter.Contrast(text) >= 2*look.LeastContrast {
			return lighter
		}
	}
	return typeset.Colour{1, 1, 1}
}

// NewLook is the file of a look that has a logo, which may be empty, and two colours: one of
// headings and one of areas. What would not be read with them is darker or lighter.
func NewLook(name, based, logo, accent, shade string) (string, error) {
	headings, err := look.ParseColour(accent)
	if err != nil {
		return "", fmt.Errorf("the colour of headings: %w", err)
	}
	areas, err := look.ParseColour(shade)
	if err != nil {
		return "", fmt.Errorf("the colour of areas: %w", err)
	}
	text := typeset.Colour{0.12, 0.15, 0.19}
	areas = Lightest(areas, text)
	for headings.Contrast(areas) < look.LeastContrast+0.2 {
		for i := range headings {
			headings[i] *= 0.9
		}
	}
	muted := typeset.Colour{0.33, 0.38, 0.44}
	line := areas
	for i := range line {
		line[i] *= 0.88
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# yaml-language-server: $schema=look.schema.json\nname: %s\nbased: %s\ncolours: {text: %q, muted: %q, accent: %q, line: %q, shade: %q}\n",
		name, based, text.Hex(), muted.Hex(), headings.Hex(), line.Hex(), areas.Hex())
	if logo != "" {
		place := "{file: %q, x: 190, y: 12, width: 62, height: 24, right: true}\n"
		if based == "french" {
			place = "{file: %q, x: 190, y: 10, width: 70, height: 26, right: true}\n"
		}
		fmt.Fprintf(&b, "logo: "+place, logo)
	}
	b.WriteString("# before: {en: \"Thank you for your order.\"}   # a text above the lines, by language\n# after: {en: \"Our terms of business apply.\"}    # and one below the rest\n")
	return b.String(), nil
}
