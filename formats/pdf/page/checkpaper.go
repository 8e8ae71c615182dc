package page

import (
	"context"
	"fmt"
	"image"

	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
)

// A Draw makes a picture of a page of a PDF, counted from 0, with so many dots per inch.
type Draw func(ctx context.Context, pdf []byte, page, dpi int) (image.Image, error)

// paperDPI shows a line of a quarter of a point as a line.
const paperDPI = 100

// underTexts are the areas of pages in which texts stand and the letter paper shows something on
// which they are not read. Letter paper may have light areas and watermarks.
func underTexts(ctx context.Context, l *look.Look, draw Draw) (faults []string, err error) {
	for i, paper := range l.Papers {
		if paper == nil {
			continue
		}
		picture, err := draw(ctx, paper.Data, paper.Page, paperDPI)
		if err != nil {
			return nil, fmt.Errorf("the letter paper cannot be looked at: %w", err)
		}
		where := [2]string{"the first page", "the pages that follow"}[i]
		for _, area := range l.TextAreas(i == 0) {
			if found, contrast := darkest(picture, area, l); !found.Empty() {
				faults = append(faults, fmt.Sprintf("paper: on %s it shows something where texts or the logo stand, from %.0f to %.0f mm across and %.0f to %.0f mm down (contrast %.1f); change the margins, or take it off the paper",
					where, mm(found.Min.X), mm(found.Max.X), mm(found.Min.Y), mm(found.Max.Y), contrast))
			}
		}
	}
	return faults, nil
}

// mm is a length of a picture of letter paper in millimetres.
func mm(pixels int) float64 { return float64(pixels) * 25.4 / paperDPI }

// darkest is the part of an area on which texts of the look are not read, and the least contrast
// that they have there.
func darkest(picture image.Image, area look.Box, l *look.Look) (found image.Rectangle, least float64) {
	on := func(ground typeset.Colour) float64 {
		return min(l.Colours.Text.Contrast(ground), l.Colours.Muted.Contrast(ground), l.Colours.Accent.Contrast(ground))
	}
	enough := min(look.LeastContrast, on(typeset.Colour{1, 1, 1})) // colours that are not read on white are told apart from paper
	least = enough
	dots := func(length float64) int { return int(length * paperDPI / 25.4) }
	within := image.Rect(dots(area.X), dots(area.Y), dots(area.X+area.Width), dots(area.Y+area.Height)).Intersect(picture.Bounds())
	contrasts := map[typeset.Colour]float64{}
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			ground := typeset.Colour{float32(r) / 0xffff, float32(g) / 0xffff, float32(b) / 0xffff}
			contrast, known := contrasts[ground]
			if !known {
				contrast = on(ground)
				contrasts[ground] = contrast
			}
			if contrast < enough {
				found, least = found.Union(image.Rect(x, y, x+1, y+1)), min(least, contrast)
			}
		}
	}
	return found, least
}
