package picture

import (
	"image"
	"slices"
)

// Turn turns a picture clockwise by 0, 90, 180 or 270 degrees.
func Turn(grey *image.Gray, degrees int) *image.Gray {
	switch degrees {
	case 90:
		return orient(grey, 6)
	case 180:
		return orient(grey, 3)
	case 270:
		return orient(grey, 8)
	}
	return grey
}

// orient makes a picture upright that is stored in one of the eight orientations of
// TIFF 6.0, where 1 is upright, 3 upside down, and 6 and 8 are turned by a quarter.
func orient(grey *image.Gray, orientation int) *image.Gray {
	width, height := grey.Rect.Dx(), grey.Rect.Dy()
	if orientation <= 1 || orientation > 8 {
		return grey
	}
	out := image.NewGray(image.Rect(0, 0, width, height))
	if orientation >= 5 {
		out = image.NewGray(image.Rect(0, 0, height, width))
	}
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride : y*out.Stride+out.Rect.Dx()]
		for x := range row {
			fromX, fromY := x, y
			switch orientation {
			case 2:
				fromX = width - 1 - x
			case 3:
				fromX, fromY = width-1-x, height-1-y
			case 4:
				fromY = height - 1 - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, height-1-x
			case 7:
				fromX, fromY = width-1-y, height-1-x
			case 8:
				fromX, fromY = width-1-y, x
			}
			row[x] = grey.Pix[fromY*grey.Stride+fromX]
		}
	}
	return out
}

// seenSide is the size of the picture in which rows of text are looked for: they are some
// pixels high, and letters are not.
const seenSide = 900

// sidewaysBy is how much more the ink changes from column to column than from row to row
// on a page that lies on its side.
const sidewaysBy = 1.3

// IsSideways reports whether the rows of text run up or down: ink changes between rows of
// text and the space between them, and hardly along them.
func IsSideways(grey *image.Gray) bool {
	small := Shrink(grey, seenSide)
	width, height := small.Rect.Dx(), small.Rect.Dy()
	rows, columns := make([]int, height), make([]int, width)
	for y := range height {
		for x := range width {
			ink := 255 - int(small.Pix[y*small.Stride+x])
			rows[y] += ink
			columns[x] += ink
		}
	}
	return changes(columns) > sidewaysBy*changes(rows)
}

// edges is how many differences are left out, the largest: those of a dark column, of a bar or of rules.
const edges = 6

// changes is the sum of the squares of the differences of neighbours, but for the largest.
func changes(sums []int) (sum float64) {
	var all []float64
	for i := 1; i < len(sums); i++ {
		d := float64(sums[i] - sums[i-1])
		all = append(all, d*d)
	}
	slices.Sort(all)
	for _, d := range all[:max(len(all)-edges, 0)] {
		sum += d
	}
	return sum
}
