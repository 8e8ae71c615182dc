package picture

import (
	"image"
	"math"
	"slices"
)

// A corner is a place in a picture, in pixels.
type corner struct{ x, y float64 }

// Bounds of a sheet of paper that is photographed: how much of the picture it covers, and
// how far, as a part of its size, a corner is at least from where a rectangle has it.
const (
	paperLeast  = 0.4
	leastSlant  = 0.006
	outlineSide = 600 // pixels of the picture in which the sheet is looked for
)

// Rectify makes a rectangle of a sheet of paper that was photographed from aside, on a
// darker ground. Other pictures stay as they are: to draw one again costs sharpness.
func Rectify(grey *image.Gray) (*image.Gray, bool) {
	small := Shrink(grey, outlineSide)
	corners, ok := sheetCorners(small)
	if !ok {
		return grey, false
	}
	scale := float64(grey.Rect.Dx()) / float64(small.Rect.Dx())
	for i := range corners {
		corners[i] = corner{corners[i].x * scale, corners[i].y * scale}
	}
	width := (distance(corners[0], corners[1]) + distance(corners[3], corners[2])) / 2
	height := (distance(corners[0], corners[3]) + distance(corners[1], corners[2])) / 2
	return project(grey, corners, int(width), int(height)), true
}

// sheetCorners are the corners of a bright sheet, clockwise from the top left.
func sheetCorners(small *image.Gray) (corners [4]corner, ok bool) {
	width, height := small.Rect.Dx(), small.Rect.Dy()
	if width < 100 || height < 100 {
		return corners, false
	}
	small = lit(small)
	limit := between(small)
	if edge := edgeBrightness(small); edge >= limit {
		return corners, false
	}
	// Of a bright sheet, the corners are the pixels that are farthest in the four diagonal
	// directions. Specks are left out: a pixel counts with its neighbours.
	var best [4]float64
	for i := range best {
		best[i] = math.Inf(-1)
	}
	area := 0
	for y := 2; y < height-2; y++ {
		for x := 2; x < width-2; x++ {
			if !isPaper(small, x, y, limit) {
				continue
			}
			area++
			for i, far := range [4]float64{-float64(x + y), float64(x - y), float64(x + y), float64(y - x)} {
				if far > best[i] {
					best[i], corners[i] = far, corner{float64(x), float64(y)}
				}
			}
		}
	}
	quad := quadArea(corners)
	whole := float64(width * height)
	if quad < paperLeast*whole || float64(area) < 0.6*quad {
		return corners, false
	}
	slant := 0.0
	for i, c := range corners {
		next := corners[(i+1)%4]
		dx, dy := math.Abs(next.x-c.x), math.Abs(next.y-c.y)
		slant = max(slant, min(dx, dy)/max(dx, dy, 1))
	}
	return corners, slant > leastSlant
}

// A slope of light is the brightness of paper by its place: a + b*x + c*y.
type lightSlope struct{ a, b, c float64 }

// usualPaper is the brightness that paper has after lit.
const usualPaper = 200

// lit is a picture as if the light came from everywhere: where it comes from aside, paper
// far from it is hardly brighter than the ground near it. The bright part is taken for
// paper, then once more what is as bright as paper is at its place.
func lit(small *image.Gray) *image.Gray {
	even := small
	for range 2 {
		slope, ok := lightOf(small, even, between(even))
		if !ok {
			return small
		}
		even = image.NewGray(small.Rect)
		for y := range small.Rect.Dy() {
			for x := range small.Rect.Dx() {
				paper := max(slope.a+slope.b*float64(x)+slope.c*float64(y), 1)
				even.Pix[y*even.Stride+x] = byte(min(float64(small.Pix[y*small.Stride+x])/paper*usualPaper, 255))
			}
		}
	}
	return even
}

// lightOf fits the light (least squares) to the pixels that are as bright in another
// picture as a limit.
func lightOf(small, by *image.Gray, limit byte) (lightSlope, bool) {
	var n, sx, sy, sxx, sxy, syy, sv, sxv, syv float64
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			if by.Pix[y*by.Stride+x] < limit {
				continue
			}
			fx, fy, v := float64(x), float64(y), float64(small.Pix[y*small.Stride+x])
			n, sx, sy, sv = n+1, sx+fx, sy+fy, sv+v
			sxx, sxy, syy, sxv, syv = sxx+fx*fx, sxy+fx*fy, syy+fy*fy, sxv+fx*v, syv+fy*v
		}
	}
	if n == 0 {
		return lightSlope{}, false
	}
	// Around the middle of the pixels, two equations are left.
	xx, xy, yy := sxx-sx*sx/n, sxy-sx*sy/n, syy-sy*sy/n
	xv, yv := sxv-sx*sv/n, syv-sy*sv/n
	det := xx*yy - xy*xy
	if det < 1 {
		return lightSlope{}, false
	}
	b, c := (xv*yy-yv*xy)/det, (yv*xx-xv*xy)/det
	return lightSlope{(sv - b*sx - c*sy) / n, b, c}, true
}

// between is the brightness that parts the pixels of a picture best into dark and bright
// ones (Otsu, 1979).
func between(small *image.Gray) byte {
	var count [256]int
	sum := 0
	for _, v := range small.Pix {
		count[v]++
		sum += int(v)
	}
	best, limit, dark, darkSum := 0.0, 0, 0, 0
	for v := range 256 {
		dark, darkSum = dark+count[v], darkSum+v*count[v]
		bright := len(small.Pix) - dark
		if dark == 0 || bright == 0 {
			continue
		}
		apart := float64(darkSum)/float64(dark) - float64(sum-darkSum)/float64(bright)
		if score := float64(dark) * float64(bright) * apart * apart; score > best {
			best, limit = score, v+1
		}
	}
	return byte(min(limit, 255))
}

// isPaper reports whether a pixel and those beside it are as bright as paper.
func isPaper(small *image.Gray, x, y int, limit byte) bool {
	at := y*small.Stride + x
	return small.Pix[at] >= limit && small.Pix[at-2] >= limit && small.Pix[at+2] >= limit && small.Pix[at-2*small.Stride] >= limit && small.Pix[at+2*small.Stride] >= limit
}

// edgeBrightness is the middle brightness of the picture's edge.
func edgeBrightness(small *image.Gray) byte {
	var edge []byte
	width, height := small.Rect.Dx(), small.Rect.Dy()
	edge = append(edge, small.Pix[:width]...)
	edge = append(edge, small.Pix[(height-1)*small.Stride:(height-1)*small.Stride+width]...)
	for y := range height {
		edge = append(edge, small.Pix[y*small.Stride], small.Pix[y*small.Stride+width-1])
	}
	slices.Sort(edge)
	return edge[len(edge)/2]
}

func distance(a, b corner) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

func quadArea(c [4]corner) float64 {
	sum := 0.0
	for i := range c {
		next := c[(i+1)%4]
		sum += c[i].x*next.y - next.x*c[i].y
	}
	return math.Abs(sum) / 2
}

// project draws the quadrilateral of four corners as a rectangle, by the perspective that
// leads from the unit square to it (Heckbert, 1989).
func project(grey *image.Gray, c [4]corner, width, height int) *image.Gray {
	sx, sy := c[0].x-c[1].x+c[2].x-c[3].x, c[0].y-c[1].y+c[2].y-c[3].y
	dx1, dx2, dy1, dy2 := c[1].x-c[2].x, c[3].x-c[2].x, c[1].y-c[2].y, c[3].y-c[2].y
	det := dx1*dy2 - dx2*dy1
	g, h := 0.0, 0.0
	if det != 0 {
		g, h = (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	}
	a, b := c[1].x-c[0].x+g*c[1].x, c[3].x-c[0].x+h*c[3].x
	d, e := c[1].y-c[0].y+g*c[1].y, c[3].y-c[0].y+h*c[3].y
	out := image.NewGray(image.Rect(0, 0, max(width, 1), max(height, 1)))
	for y := range out.Rect.Dy() {
		v := (float64(y) + 0.5) / float64(height)
		row := out.Pix[y*out.Stride : y*out.Stride+out.Rect.Dx()]
		for x := range row {
			u := (float64(x) + 0.5) / float64(width)
			w := g*u + h*v + 1
			row[x] = sample(grey, (a*u+b*v+c[0].x)/w-0.5, (d*u+e*v+c[0].y)/w-0.5)
		}
	}
	return out
}

// sample is the brightness between four pixels.
func sample(grey *image.Gray, x, y float64) byte {
	left, top := int(math.Floor(x)), int(math.Floor(y))
	if left < 0 || top < 0 || left+1 >= grey.Rect.Dx() || top+1 >= grey.Rect.Dy() {
		return 255
	}
	fx, fy := x-float64(left), y-float64(top)
	at := top*grey.Stride + left
	above := float64(grey.Pix[at])*(1-fx) + float64(grey.Pix[at+1])*fx
	below := float64(grey.Pix[at+grey.Stride])*(1-fx) + float64(grey.Pix[at+grey.Stride+1])*fx
	return byte(above*(1-fy) + below*fy + 0.5)
}
