package look

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model/tongue"
)

// LeastContrast is how well text is told from its ground, as WCAG 2 asks (AA).
const LeastContrast = 4.5

// ParseColour reads a colour, #RRGGBB.
func ParseColour(s string) (typeset.Colour, error) {
	var c hexColour
	if err := c.parse(s); err != nil {
		return typeset.Colour{}, err
	}
	return c.Colour, nil
}

// Contrasts are the colours of text that are not told from what they stand on.
func (l *Look) Contrasts() (faults []string) {
	c := &l.Colours
	white := typeset.Colour{1, 1, 1}
	for _, p := range []struct {
		name, ground string
		of, on       typeset.Colour
	}{
		{"text", "paper", c.Text.Colour, white}, {"muted", "paper", c.Muted.Colour, white}, {"accent", "paper", c.Accent.Colour, white},
		{"text", "shade", c.Text.Colour, c.Shade.Colour}, {"accent", "shade", c.Accent.Colour, c.Shade.Colour},
	} {
		if contrast := p.of.Contrast(p.on); contrast < LeastContrast {
			faults = append(faults, fmt.Sprintf("colours: %s on %s has a contrast of %.1f; at least %.1f is read", p.name, p.ground, contrast, LeastContrast))
		}
	}
	return faults
}

// Ignored are the keys of the look that nothing shows.
func (l *Look) Ignored() (faults []string) {
	if len(l.Countries) > 0 && !slices.Contains(Names(), l.Name) {
		faults = append(faults, "countries: a look of your own is chosen by its name, not by the country; leave it out")
	}
	if l.Logo.File == "" && l.Logo != (logoLook{}) {
		faults = append(faults, "logo: there is no file to show; give one, or leave logo out")
	}
	faults = append(faults, l.Letter.ignored()...)
	for where, texts := range map[string]map[string]string{"before": l.Before, "after": l.After} {
		for _, tag := range slices.Sorted(maps.Keys(texts)) {
			if tag != language.Any && !slices.Contains(tongue.Tags(), tag) {
				faults = append(faults, fmt.Sprintf("%s: there are no pages in %q; there are %s, and %s for all others", where, tag, strings.Join(tongue.Tags(), ", "), language.Any))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// ignored are the marks of a letter, and keys of them, that nothing shows: a mark is a line.
func (l *letterLook) ignored() (faults []string) {
	if l == nil {
		return nil
	}
	for i, m := range l.Marks {
		switch {
		case m.Width == 0:
			faults = append(faults, fmt.Sprintf("letter: mark %d has no width, so that nothing is drawn; give one, or leave the mark out", i+1))
		case m.Height != 0:
			faults = append(faults, fmt.Sprintf("letter: mark %d has a height, and a mark is a line; leave it out", i+1))
		}
	}
	return faults
}
