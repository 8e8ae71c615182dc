package text

import (
	"iter"
	"math"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Hiding says why nobody sees a word; empty of a word that is seen.
type Hiding string

// The ways in which words are hidden.
const (
	HiddenByMode    Hiding = "mode"    // it is not painted, as recognised text behind a scan
	HiddenByColour  Hiding = "colour"  // it has the colour of its ground, or is transparent
	HiddenBySize    Hiding = "size"    // its letters are too small to be read
	HiddenByEdge    Hiding = "edge"    // it is outside of the page
	HiddenByClip    Hiding = "clip"    // it is cut off
	HiddenByCover   Hiding = "cover"   // a later area is painted over it
	HiddenByPicture Hiding = "picture" // a later picture is painted over it
	HiddenByLayer   Hiding = "layer"   // it is optional content that is off
)

const (
	contrast     = 0.08 // of a channel, between text and ground, that can be seen
	readable     = 3.0  // points of letters that can be read
	readableStep = 1.5  // points from one letter to the next
	seenPart     = 0.3  // of a letter within the clip
	coveredPart  = 0.8  // of a word below one area
	opaque       = 0.95
	thick        = 4.0 // points of a line that is as good as an area
)

// A ground is an area that was painted.
type ground struct {
	area    area
	colour  colour
	exact   bool // it fills all of its area
	opaque  bool
	picture bool
}

// An area is a part of the page's content, in which y grows upwards.
type area struct{ left, bottom, right, top float64 }

var everywhere = area{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}

func (a area) and(b area) area {
	return area{max(a.left, b.left), max(a.bottom, b.bottom), min(a.right, b.right), min(a.top, b.top)}
}

func (a area) size() float64 { return max(a.right-a.left, 0) * max(a.top-a.bottom, 0) }

func (a area) has(x, y float64) bool {
	return x >= a.left && x <= a.right && y >= a.bottom && y <= a.top
}

// around is the smallest area with an area of another coordinate system.
func (m matrix) around(a area) (out area) {
	for n, p := range [][2]float64{{a.left, a.bottom}, {a.right, a.bottom}, {a.left, a.top}, {a.right, a.top}} {
		x, y := m.apply(p[0], p[1])
		if n == 0 {
			out = area{x, y, x, y}
		}
		out = area{min(out.left, x), min(out.bottom, y), max(out.right, x), max(out.top, y)}
	}
	return out
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return x*m[0] + y*m[2] + m[4], x*m[1] + y*m[3] + m[5]
}

// isStraight reports whether areas stay areas with upright edges.
func (m matrix) isStraight() bool { return m[1] == 0 && m[2] == 0 || m[0] == 0 && m[3] == 0 }

// A path is what is being drawn.
type path struct {
	areas   []area
	points  [][2]float64 // of the part that is being drawn
	inexact bool         // it has parts that are not areas with upright edges
	box     area
	begun   bool
	clips   bool // W or W* was said
}

// maxAreas bounds the areas of a path that are told apart.
const maxAreas = 500

func (p *path) add(x, y float64) {
	if !p.begun {
		p.begun, p.box = true, area{x, y, x, y}
	}
	p.box = area{min(p.box.left, x), min(p.box.bottom, y), max(p.box.right, x), max(p.box.top, y)}
	if len(p.points) < 6 {
		p.points = append(p.points, [2]float64{x, y})
	}
}

// end ends a part of the path, which is an area if it has four corners with upright edges.
func (p *path) end() {
	n := len(p.points)
	if n == 0 {
		return
	}
	q := p.points
	p.points = nil
	if n == 5 && q[0] == q[4] {
		n = 4
	}
	upright := n == 4 && (q[0][0] == q[1][0] && q[1][1] == q[2][1] && q[2][0] == q[3][0] && q[3][1] == q[0][1] ||
		q[0][1] == q[1][1] && q[1][0] == q[2][0] && q[2][1] == q[3][1] && q[3][0] == q[0][0])
	if !upright || len(p.areas) >= maxAreas {
		p.inexact = true
		return
	}
	a := area{min(q[0][0], q[2][0]), min(q[0][1], q[2][1]), max(q[0][0], q[2][0]), max(q[0][1], q[2][1])}
	for _, other := range p.areas { // one within the other may be a hole
		p.inexact = p.inexact || a.and(other).size() > 0
	}
	p.areas = append(p.areas, a)
}

// draw follows paths, colours and what is painted.
func (i *interpreter) draw(op *content.Op) {
	p, s := &i.words.path, &i.state
	switch op.Name {
	case "re":
		x, y, w, h := numberOperand(op, 0), numberOperand(op, 1), numberOperand(op, 2), numberOperand(op, 3)
		p.end()
		for _, c := range [][2]float64{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}} {
			p.add(s.ctm.apply(c[0], c[1]))
		}
		p.end()
	case "m":
		p.end()
		p.add(s.ctm.apply(numberOperand(op, 0), numberOperand(op, 1)))
	case "l":
		p.add(s.ctm.apply(numberOperand(op, 0), numberOperand(op, 1)))
	case "c", "v", "y":
		for n := 0; n+1 < len(op.Args); n += 2 {
			p.add(s.ctm.apply(numberOperand(op, n), numberOperand(op, n+1)))
		}
		p.inexact = true
	case "W", "W*":
		p.clips = true
	case "w":
		s.lineWidth = numberOperand(op, 0)
	case "gs":
		i.setLook(op)
	case "sh":
		i.cover(ground{area: s.clip})
	case "BI":
		i.paintPicture(op.Image["IM"] != true && op.Image["ImageMask"] != true)
	case "n":
		i.endPath()
	default:
		if with := pathPaint[op.Name]; with != 0 {
			i.paintPath(with)
			return
		}
		i.chooseColour(op)
	}
}

// paintPath paints the path, and ends it.
func (i *interpreter) paintPath(with int) {
	p, s := &i.words.path, &i.state
	p.end()
	if width := s.lineWidth * length(s.ctm[0], s.ctm[1]); with&stroke != 0 && width > thick {
		i.cover(ground{area: area{p.box.left - width/2, p.box.bottom - width/2, p.box.right + width/2, p.box.top + width/2}})
	}
	if with&fill != 0 && s.fill.alpha > 1-opaque {
		if p.inexact {
			i.cover(ground{area: p.box})
		} else {
			solid := s.plain && s.fill.alpha >= opaque
			c := s.fill
			c.known = c.known && solid
			for _, a := range p.areas {
				i.cover(ground{area: a, colour: c, exact: true, opaque: solid})
			}
		}
	}
	i.endPath()
}

// endPath ends a path, and clips to it where that was said.
func (i *interpreter) endPath() {
	p := &i.words.path
	p.end()
	if p.clips && p.begun {
		i.state.clip = i.state.clip.and(p.box)
	}
	*p = path{areas: p.areas[:0]}
}

// paintPicture paints a picture, which fills the unit square.
func (i *interpreter) paintPicture(solid bool) {
	m := i.state.ctm
	i.cover(ground{area: m.around(area{0, 0, 1, 1}), exact: solid && m.isStraight(), opaque: solid && i.state.plain && i.state.fill.alpha >= opaque, picture: true})
}

// mostGrounds bounds the areas of a page, each of which is kept for its words.
const mostGrounds = 300_000

// cover adds an area that was painted.
func (i *interpreter) cover(g ground) {
	g.area = g.area.and(i.state.clip)
	if len(i.words.grounds) >= mostGrounds {
		i.Fail(ErrLimit)
		return
	}
	if g.area.size() > 0 && i.layersOff == 0 {
		i.words.bands.add(g.area, len(i.words.grounds))
		i.words.grounds = append(i.words.grounds, g)
	}
}

// hiding says why a letter between two places of its base line is not seen.
func (i *interpreter) hiding(g *glyph) Hiding {
	s := &i.state
	paint := textPaint[s.renderingMode&7]
	w := placedWord{fromX: g.fromX, fromY: g.fromY, toX: g.toX, toY: g.toY, dirX: g.dirX, dirY: g.dirY, size: g.size}
	var box area
	box.left, box.bottom, box.right, box.top = w.corners()
	switch {
	case i.layersOff > 0:
		return HiddenByLayer
	case paint == 0:
		return HiddenByMode
	case g.size < readable && length(g.toX-g.fromX, g.toY-g.fromY) < readableStep:
		return HiddenBySize
	case box.size() > 0 && box.and(s.clip).size() < seenPart*box.size():
		return HiddenByClip
	}
	below := i.groundAt((box.left+box.right)/2, (box.bottom+box.top)/2)
	if paint&fill != 0 && s.fill.isSeenOn(below) || paint&stroke != 0 && s.stroke.isSeenOn(below) || s.font.painted {
		return ""
	}
	return HiddenByColour
}

// groundAt is the colour that was painted at a place last.
func (i *interpreter) groundAt(x, y float64) colour {
	grounds, steps := i.words.grounds, 0
	defer func() { i.Steps(steps) }()
	for n := range i.words.bands.at(y) {
		if steps++; grounds[n].area.has(x, y) {
			return grounds[n].colour
		}
	}
	return white
}

// bands are areas by the horizontal bands of a page that they are in, so that what is below a
// letter is not looked for among all that a page paints. A code of thousands of small areas, or a
// drawing on letter paper, would cost that for each letter.
type bands struct {
	low  map[int][]int // areas that are in few bands, by band, in the order in which they were added
	tall []int         // all others
}

const (
	bandHeight = 8  // points
	fewBands   = 12 // that an area is noted in
)

func bandOf(y float64) int { return int(math.Floor(max(-1e6, min(y, 1e6)) / bandHeight)) }

func (b *bands) add(a area, n int) {
	from, to := bandOf(a.bottom), bandOf(a.top)
	if to-from >= fewBands {
		b.tall = append(b.tall, n)
		return
	}
	if b.low == nil {
		b.low = map[int][]int{}
	}
	for band := from; band <= to; band++ {
		b.low[band] = append(b.low[band], n)
	}
}

// at are the areas that may be at a height, the last one first.
func (b *bands) at(y float64) iter.Seq[int] {
	return func(yield func(int) bool) {
		low, tall := b.low[bandOf(y)], b.tall
		for len(low)+len(tall) > 0 {
			list := &low
			if len(low) == 0 || len(tall) > 0 && tall[len(tall)-1] > low[len(low)-1] {
				list = &tall
			}
			last := (*list)[len(*list)-1]
			if *list = (*list)[:len(*list)-1]; !yield(last) {
				return
			}
		}
	}
}

// covered tells what was painted over a word after it.
func (r *reader) covered(p *pageWords, w *placedWord) Hiding {
	var box area
	box.left, box.bottom, box.right, box.top = w.corners()
	for n := range p.grounds[min(w.after, len(p.grounds)):] {
		g := &p.grounds[w.after+n]
		if !r.Step() {
			return ""
		}
		if g.exact && g.opaque && box.and(g.area).size() >= coveredPart*box.size() && box.size() > 0 {
			if g.picture {
				return HiddenByPicture
			}
			return HiddenByCover
		}
	}
	return ""
}

// readLayers lists the layers of optional content that are off.
func (r *reader) readLayers(root types.Dict) {
	properties := r.Entries(root["OCProperties"])
	config := r.Entries(properties["D"])
	r.off = map[int]bool{}
	if r.Name(config["BaseState"]) == "OFF" {
		for _, o := range r.Array(properties["OCGs"]) {
			r.off[objectNumber(o)] = true
		}
		for _, o := range r.Array(config["ON"]) {
			delete(r.off, objectNumber(o))
		}
	}
	for _, o := range r.Array(config["OFF"]) {
		r.off[objectNumber(o)] = true
	}
	delete(r.off, 0)
}

// isOff reports whether optional content is off: a layer, or layers of which none is on.
func (r *reader) isOff(o types.Object) bool {
	if o == nil || len(r.off) == 0 {
		return false
	}
	if r.off[objectNumber(o)] {
		return true
	}
	d := r.Entries(o)
	if r.Name(d["Type"]) != "OCMD" {
		return false
	}
	members := d["OCGs"]
	list := r.Array(members)
	if list == nil {
		return r.off[objectNumber(members)]
	}
	off := 0
	for _, m := range list {
		if r.off[objectNumber(m)] {
			off++
		}
	}
	switch r.Name(d["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return off < len(list)
	}
	return off > 0 && off == len(list)
}
