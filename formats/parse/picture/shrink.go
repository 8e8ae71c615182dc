package picture

import (
	"image"

	"golang.org/x/image/draw"
)

// Shrink makes a picture smaller, so that its longer side has at most so many pixels.
func Shrink(grey *image.Gray, side int) *image.Gray {
	width, height := grey.Rect.Dx(), grey.Rect.Dy()
	longer := max(width, height)
	if longer <= side {
		return grey
	}
	small := image.NewGray(image.Rect(0, 0, max(width*side/longer, 1), max(height*side/longer, 1)))
	draw.ApproxBiLinear.Scale(small, small.Rect, grey, grey.Rect, draw.Src, nil)
	return small
}
