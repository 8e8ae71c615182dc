package picture

import (
	"image"
	"slices"
)

// blockSize is the side of the squares in pixels for each of which the paper's brightness
// is measured: larger than letters, smaller than shadows.
const blockSize = 32

// unevenLight is the ratio of the brightness of the darkest paper to that of the
// brightest, below which a picture is evened out. Cleaning up what is even costs digits.
const unevenLight = 0.8

// EvenLight makes the paper of a picture as bright everywhere as it is where the light is
// best, if it is uneven, as in a photograph. It reports whether it did.
func EvenLight(grey *image.Gray) bool {
	columns, rows := (grey.Rect.Dx()+blockSize-1)/blockSize, (grey.Rect.Dy()+blockSize-1)/blockSize
	if columns < 3 || rows < 3 {
		return false
	}
	paper := paperOf(grey, columns, rows)
	sorted := slices.Clone(paper)
	slices.Sort(sorted)
	if dark, bright := sorted[len(sorted)/20], sorted[len(sorted)*19/20]; float64(dark) > unevenLight*float64(bright) || bright == 0 {
		return false
	}
	for y := range grey.Rect.Dy() {
		row := grey.Pix[y*grey.Stride : y*grey.Stride+grey.Rect.Dx()]
		for x := range row {
			row[x] = byte(min(int(row[x])*255/max(brightness(paper, columns, rows, x, y), 1), 255))
		}
	}
	return true
}

// paperOf is the brightness of the paper in each square: that of nearly its brightest
// pixel, smoothed over its neighbours.
func paperOf(grey *image.Gray, columns, rows int) []int {
	raw := make([]int, columns*rows)
	for row := range rows {
		for column := range columns {
			raw[row*columns+column] = nearlyBrightest(grey, column*blockSize, row*blockSize)
		}
	}
	smooth := make([]int, len(raw))
	for row := range rows {
		for column := range columns {
			sum, n := 0, 0
			for y := max(row-1, 0); y <= min(row+1, rows-1); y++ {
				for x := max(column-1, 0); x <= min(column+1, columns-1); x++ {
					sum, n = sum+raw[y*columns+x], n+1
				}
			}
			smooth[row*columns+column] = sum / n
		}
	}
	return smooth
}

// nearlyBrightest is the brightness that one of ten pixels of a square exceeds.
func nearlyBrightest(grey *image.Gray, left, top int) int {
	var count [256]int
	all := 0
	for y := top; y < min(top+blockSize, grey.Rect.Dy()); y++ {
		for _, v := range grey.Pix[y*grey.Stride+left : y*grey.Stride+min(left+blockSize, grey.Rect.Dx())] {
			count[v]++
			all++
		}
	}
	for v, above := 255, 0; v >= 0; v-- {
		if above += count[v]; 10*above >= all {
			return v
		}
	}
	return 0
}

// brightness is that of the paper at a pixel, between the middles of the four squares
// around it.
func brightness(paper []int, columns, rows, x, y int) int {
	// Places in parts of 1/blockSize of a square, from the middle of the first.
	px, py := max(x-blockSize/2, 0), max(y-blockSize/2, 0)
	column, row := min(px/blockSize, columns-1), min(py/blockSize, rows-1)
	right, below := min(column+1, columns-1), min(row+1, rows-1)
	dx, dy := px%blockSize, py%blockSize
	above := paper[row*columns+column]*(blockSize-dx) + paper[row*columns+right]*dx
	under := paper[below*columns+column]*(blockSize-dx) + paper[below*columns+right]*dx
	return (above*(blockSize-dy) + under*dy) / (blockSize * blockSize)
}
