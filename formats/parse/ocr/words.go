package ocr

import (
	"cmp"
	"image"
	"math"
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
	boxDescent = 0.22 // of the boxes of package text
)

// Least confidence and size of what is taken for a word: less is ink that is no text.
const (
	leastConfidence = 0.2
	leastSize       = 4 // points
)

// wordsOf makes words of ink: turned back where the page is askew, with the size and base
// line that their letters have.
func wordsOf(ink []inkWord, page image.Rectangle, dpi int) (words []text.Word) {
	ink = clean(ink)
	straighten(ink, page)
	sizes := lineSizes(ink)
	scale := 72 / float64(dpi)
	for i := range ink {
		w := &ink[i]
		size := sizes[w.line] * scale
		if size < leastSize {
			continue
		}
		base := w.base(sizes[w.line]) * scale
		words = append(words, text.Word{
			Text: w.text, Size: size, Doubt: 1 - w.confidence,
			Box: text.Box{Left: w.left * scale, Right: w.right * scale, Top: base - (1-boxDescent)*size, Bottom: base + boxDescent*size},
		})
	}
	return words
}

// shape says how far the letters of a text reach.
func shape(s string) (ascends, descends bool) {
	ascends = strings.ContainsFunc(s, func(c rune) bool { return !strings.ContainsRune("acemnorsuvwxzgpqyäöü.,-–:;", c) })
	return ascends, strings.ContainsAny(s, "gjpqyQ,;()[]{}/ç|")
}

// size is the size of the font that the ink of a word follows from; 0 where it does not.
func (w *inkWord) size() float64 {
	ascends, descends := shape(w.text)
	reach := xHeight
	if ascends {
		reach = capHeight
	}
	if descends {
		reach += descent
	}
	if !ascends && len([]rune(w.text)) < 3 { // such as a point
		return 0
	}
	return (w.bottom - w.top) / reach
}

// base is the base line of a word in a font of a size.
func (w *inkWord) base(size float64) float64 {
	ascends, descends := shape(w.text)
	switch {
	case strings.Trim(w.text, "-–—") == "": // in the middle of the letters
		return w.bottom + 0.25*size
	case ascends && descends:
		return w.top + capHeight*size
	case descends:
		return w.bottom - descent*size
	}
	return w.bottom
}

// lineSizes are the sizes of the fonts by line: the middle one of its words. A line
// without a word that tells has that of the page.
func lineSizes(ink []inkWord) map[string]float64 {
	byLine := map[string][]float64{}
	var all []float64
	for i := range ink {
		list := byLine[ink[i].line]
		if size := ink[i].size(); size > 0 {
			list, all = append(list, size), append(all, size)
		}
		byLine[ink[i].line] = list
	}
	usual := middle(all)
	sizes := map[string]float64{}
	for line, list := range byLine {
		sizes[line] = cmp.Or(middle(list), usual)
	}
	return sizes
}

func middle(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}

// Bounds of how far a page can be askew, as a slope: below the first it does not matter,
// and above the second it is no scan of a page.
const (
	leastSlope = 0.0008
	mostSlope  = 0.12
)

// straighten turns the boxes of words back around the middle of the page, by the slope
// that its lines have. On a photograph, lines at the top and at the bottom may have
// different ones.
func straighten(ink []inkWord, page image.Rectangle) {
	midX, midY := float64(page.Dx())/2, float64(page.Dy())/2
	lines := slopesOf(ink, float64(page.Dx()))
	slope, change := fit(lines, midY)
	if steepest := math.Abs(slope) + math.Abs(change)*midY; steepest < leastSlope || steepest > mostSlope {
		return
	}
	for i := range ink {
		w := &ink[i]
		x, y := (w.left+w.right)/2-midX, (w.top+w.bottom)/2-midY
		at := slope + change*y
		sin, cos := math.Sincos(-math.Atan(at))
		// The box is around a word that is askew, so it is higher than its letters.
		width := w.right - w.left
		height := max((w.bottom-w.top)-math.Abs(at)*width, 0.5*(w.bottom-w.top))
		newX, newY := x*cos-y*math.Sin(-math.Atan(slope))+midX, x*sin+y*cos+midY
		w.left, w.right, w.top, w.bottom = newX-width/2, newX+width/2, newY-height/2, newY+height/2
	}
}

// A sloped line has a slope at a height; long lines weigh more.
type sloped struct{ slope, y, weight float64 }

// leastLines is how many lines have to say how far a page is askew, and manyLines how
// many how that changes over the page.
const (
	leastLines = 3
	manyLines  = 8
)

// slopesOf are the slopes of the lines that are long enough to have one.
func slopesOf(ink []inkWord, width float64) (lines []sloped) {
	for start := 0; start < len(ink); {
		end := start
		for end < len(ink) && ink[end].line == ink[start].line {
			end++
		}
		first, last := &ink[start], &ink[end-1]
		if span := last.middle() - first.middle(); span > 0.1*width {
			size := max(first.size(), last.size())
			lines = append(lines, sloped{(last.base(size) - first.base(size)) / span, (first.bottom + last.bottom) / 2, span})
		}
		start = end
	}
	return lines
}

// fit is the slope in the middle of the page, and its change for each pixel below: the
// middle slope of all lines, and the line through those that are near it.
func fit(lines []sloped, midY float64) (slope, change float64) {
	if len(lines) < leastLines {
		return 0, 0
	}
	slices.SortFunc(lines, func(a, b sloped) int { return cmp.Compare(a.slope, b.slope) })
	total, sum := 0.0, 0.0
	for _, l := range lines {
		total += l.weight
	}
	for _, l := range lines {
		if sum += l.weight; sum >= total/2 {
			slope = l.slope
			break
		}
	}
	const near = 0.03
	var n, w, y, yy, s, ys float64
	for _, l := range lines {
		if d := l.y - midY; math.Abs(l.slope-slope) < near {
			n, w, y, yy, s, ys = n+1, w+l.weight, y+l.weight*d, yy+l.weight*d*d, s+l.weight*l.slope, ys+l.weight*d*l.slope
		}
	}
	if det := w*yy - y*y; n >= manyLines && det > 0 {
		return (s*yy - y*ys) / det, (w*ys - y*s) / det
	}
	return slope, 0
}

func (w *inkWord) middle() float64 { return (w.left + w.right) / 2 }
