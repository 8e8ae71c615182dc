package picture

import "image"

// Shrink makes a picture smaller, so that its longer side has at most so many pixels. Each
// is the mean of those that it is made of.
func Shrink(grey *image.Gray, side int) *image.Gray {
	width, height := grey.Rect.Dx(), grey.Rect.Dy()
	longer := max(width, height)
	if longer <= side {
		return grey
	}
	small := image.NewGray(image.Rect(0, 0, max(width*side/longer, 1), max(height*side/longer, 1)))
	sums := make([]int, small.Rect.Dx())
	ends := make([]int, len(sums)) // of the columns that each is made of
	for x := range ends {
		ends[x] = (x + 1) * width / len(ends)
	}
	for y := range small.Rect.Dy() {
		clear(sums)
		top, bottom := y*height/small.Rect.Dy(), (y+1)*height/small.Rect.Dy()
		for from := top; from < bottom; from++ {
			row := grey.Pix[from*grey.Stride : from*grey.Stride+width]
			left := 0
			for x, right := range ends {
				sum := 0
				for _, v := range row[left:right] {
					sum += int(v)
				}
				sums[x] += sum
				left = right
			}
		}
		left := 0
		for x, right := range ends {
			small.Pix[y*small.Stride+x] = byte(sums[x] / ((right - left) * (bottom - top)))
			left = right
		}
	}
	return small
}

// Enlarge makes a picture larger, each pixel between the four around its place.
func Enlarge(grey *image.Gray, width, height int) *image.Gray {
	large := image.NewGray(image.Rect(0, 0, width, height))
	type step struct{ at, next, share int } // share is in parts of 256
	steps := func(from, to int) []step {
		all := make([]step, to)
		for i := range all {
			place := max((2*i+1)*from*128/to-128, 0)
			at := min(place/256, from-1)
			all[i] = step{at, min(at+1, from-1), place % 256}
		}
		return all
	}
	columns := steps(grey.Rect.Dx(), width)
	for y, row := range steps(grey.Rect.Dy(), height) {
		above := grey.Pix[row.at*grey.Stride:]
		below := grey.Pix[row.next*grey.Stride:]
		out := large.Pix[y*large.Stride : y*large.Stride+width]
		for x, c := range columns {
			over := int(above[c.at])*(256-c.share) + int(above[c.next])*c.share
			under := int(below[c.at])*(256-c.share) + int(below[c.next])*c.share
			out[x] = byte((over*(256-row.share) + under*row.share + 1<<15) >> 16)
		}
	}
	return large
}
