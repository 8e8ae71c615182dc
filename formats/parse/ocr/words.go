package ocr

import (
	"context"
	"image"
	"slices"
	"strings"

	"einvoice/formats/pdf/text"
)

// How far letters reach, as parts of the size of a usual font: above the base line with
// and without an ascender, and below it with a descender.
const (
	capHeight  = 0.72
	xHeight    = 0.53
	descent    = 0.21
	tail       = 0.13 // of a comma
	boxDescent = 0.22 // of the boxes of package text
)

// Least confidence and size of what is taken for a word: less is ink that is not text.
const (
	leastConfidence = 0.2
	leastSize       = 4 // points
)

// wordsIn recognises the words of a picture. It is read in two ways: as rows of text in the
// first of some languages, which costs least and tells which one the page is in, and then
// in that.
func wordsIn(ctx context.Context, read reader, languages []string, picture *image.Gray, dpi int) ([]text.Word, error) {
	out, err := read(ctx, picture, dpi, languages[0], block)
	if err != nil {
		return nil, err
	}
	rows := clean(readTSV(out))
	language := languageOf(rows, languages)
	if out, err = read(ctx, picture, dpi, language, sparse); err != nil {
		return nil, err
	}
	return wordsOf(combine(clean(readTSV(out)), rows, language != languages[0]), picture.Rect, dpi), nil
}

// wordsOf makes words of ink: turned back where the page is skewed, with the size and base
// line that their letters have.
func wordsOf(ink []inkWord, page image.Rectangle, dpi int) (words []text.Word) {
	straighten(ink, page)
	scale := 72 / float64(dpi)
	for _, p := range placed(ink) {
		if size := p.size * scale; size >= leastSize {
			base := p.base * scale
			words = append(words, text.Word{
				Text: p.text, Other: p.other, Size: size, Doubt: 1 - p.confidence,
				Box: text.Box{Left: p.left * scale, Right: p.right * scale, Top: base - (1-boxDescent)*size, Bottom: base + boxDescent*size},
			})
		}
	}
	return words
}

// reach says how far the letters of a text reach above and below the base line, as parts
// of the size of its font.
func reach(s string) (up, down float64) {
	up = xHeight
	if strings.ContainsFunc(s, func(c rune) bool { return !strings.ContainsRune("acemnorsuvwxzgpqyäöü.,-–:;", c) }) {
		up = capHeight
	}
	switch {
	case strings.ContainsAny(s, "gjpqyQ()[]{}/ç|"):
		down = descent
	case strings.ContainsAny(s, ",;"):
		down = tail
	}
	return up, down
}

// size is the size of the font that the ink of a word follows from; 0 where it does not.
func (w *inkWord) size() float64 {
	up, down := reach(w.text)
	if up == xHeight && len([]rune(w.text)) < 3 { // such as a point
		return 0
	}
	return (w.bottom - w.top) / (up + down)
}

// base is the base line of a word in a font of a size.
func (w *inkWord) base(size float64) float64 {
	up, down := reach(w.text)
	switch {
	case strings.Trim(w.text, "-–—") == "": // in the middle of the letters
		return w.bottom + 0.25*size
	case up == capHeight && down > 0:
		return w.top + capHeight*size
	}
	return w.bottom - down*size
}

// middle is the median of numbers, and the smaller one of two; 0 of none.
func middle(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[(len(of)-1)/2]
}

func (w *inkWord) middle() float64 { return (w.left + w.right) / 2 }
