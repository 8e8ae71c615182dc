package ocr

import (
	"image"
	"math"
)

// Bounds of how far a page can be skewed, as a slope: below the first it does not matter,
// and above the second it is not a scan of a page.
const (
	leastSlope = 0.0008
	mostSlope  = 0.12
)

// A lean is how far the rows of a page are skewed: the slope of those in its middle, and
// its change for each pixel below. On a photograph, rows at the top and at the bottom may
// have different slopes.
type lean struct{ slope, change float64 }

// at is the slope at a height, from the middle of the page.
func (l lean) at(y float64) float64 { return l.slope + l.change*y }

// straighten turns the boxes of words back around the middle of the page.
func straighten(ink []inkWord, page image.Rectangle) {
	midX, midY := float64(page.Dx())/2, float64(page.Dy())/2
	found := leanOf(ink, midX, midY)
	if math.Abs(found.slope)+math.Abs(found.change)*midY < leastSlope {
		return
	}
	for i := range ink {
		w := &ink[i]
		x, y := w.middle()-midX, (w.top+w.bottom)/2-midY
		at := found.at(y)
		sin, cos := math.Sincos(-math.Atan(at))
		// The box is around a word that is skewed, so it is higher than its letters.
		width := w.right - w.left
		height := max((w.bottom-w.top)-math.Abs(at)*width, 0.5*(w.bottom-w.top))
		newX, newY := x*cos-y*math.Sin(-math.Atan(found.slope))+midX, x*sin+y*cos+midY
		w.left, w.right, w.top, w.bottom = newX-width/2, newX+width/2, newY-height/2, newY+height/2
	}
}

// How many words have to say how far a page is skewed, how many how that changes over the
// page, and how many are asked.
const (
	fewWords  = 10
	manyWords = 50
	mostWords = 600
)

// A footing is where a word is on its base line, from the middle of the page.
type footing struct{ x, y, width float64 }

// leanOf finds how far a page is skewed: turned back by that, the base lines of its words
// are on the fewest heights. Tesseract's own lines do not tell, because those of the cells
// of a table are short.
func leanOf(ink []inkWord, midX, midY float64) lean {
	footings, letters := footingsOf(ink, midX, midY)
	if len(footings) < fewWords {
		return lean{}
	}
	// The grid becomes finer around the best so far. What a step moves the end of a row by
	// is less than the height of the bins that base lines are counted in.
	best := lean{}
	reach, steps := mostSlope, 40
	reachOfChange, stepsOfChange := 0.03/midY, 5
	if len(footings) < manyWords {
		stepsOfChange = 0
	}
	for _, bin := range []float64{0.25, 0.15, 0.1} {
		around := best
		score := sharpness(footings, best, bin*letters)
		for i := -steps; i <= steps; i++ {
			for j := -stepsOfChange; j <= stepsOfChange; j++ {
				tried := lean{around.slope + reach*float64(i)/float64(steps), around.change}
				if stepsOfChange > 0 {
					tried.change += reachOfChange * float64(j) / float64(stepsOfChange)
				}
				if math.Abs(tried.slope)+math.Abs(tried.change)*midY > mostSlope {
					continue
				}
				if s := sharpness(footings, tried, bin*letters); s > score {
					best, score = tried, s
				}
			}
		}
		reach, steps = 1.5*reach/float64(steps), 6
		if stepsOfChange > 0 {
			reachOfChange, stepsOfChange = 1.5*reachOfChange/float64(stepsOfChange), 3
		}
	}
	return best
}

// footingsOf are the places of words that say where their base line is, and the usual size
// of their letters.
func footingsOf(ink []inkWord, midX, midY float64) (footings []footing, letters float64) {
	var sizes []float64
	every := len(ink)/mostWords + 1
	for i := 0; i < len(ink); i += every {
		w := &ink[i]
		if size := w.size(); size > 0 {
			sizes = append(sizes, size)
			footings = append(footings, footing{w.middle() - midX, w.base(size) - midY, w.right - w.left})
		}
	}
	return footings, middle(sizes)
}

// sharpness is how few heights the base lines have: the sum of the squares of how many
// there are in each bin.
func sharpness(footings []footing, by lean, bin float64) (sum float64) {
	if bin <= 0 {
		return 0
	}
	bins := map[int]float64{}
	for _, s := range footings {
		at := by.at(s.y)
		// The bottom of a box is that of its lower end.
		height := (s.y - math.Abs(at)*s.width/2 - at*s.x) / bin
		low := math.Floor(height)
		bins[int(low)] += 1 - (height - low)
		bins[int(low)+1] += height - low
	}
	for _, n := range bins {
		sum += n * n
	}
	return sum
}
