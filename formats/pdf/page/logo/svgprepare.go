//go:build !js

package logo

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/pattern"

	"github.com/antchfx/xmlquery"
	"github.com/srwiley/rasterx"
	"golang.org/x/net/html/charset"
)

// Programs that draw write SVG in more ways than the library reads: gradients that refer to
// others and are defined after their use, style sheets, transformations with fewer numbers,
// elements of their own. preparedSVG is the same picture in the ways that it reads. Shapes
// with a gradient are painted in a colour that no other shape has, by which what is drawn is
// given its gradient.
type preparedSVG struct {
	data      []byte
	gradients map[string]*xmlquery.Node
	paints    map[[3]uint8]*paint
	whole     map[string]bool // the ids of clipPaths that show all of the view box
	width     float64         // of the view box
	height    float64
	strokes   bool   // some shape has a line of a width
	used      []byte // the source in small letters, whose colours are not taken
}

// Bounds of an SVG.
const (
	maxSVGDepth    = 100
	maxSVGElements = 100_000
	maxGradients   = 500 // shapes that have one
)

const svgNamespace = "http://www.w3.org/2000/svg"

func prepareSVG(data []byte) (*preparedSVG, error) {
	if err := boundSVG(data); err != nil {
		return nil, err
	}
	document, err := xmlquery.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	root := document.FirstChild
	for root != nil && root.Type != xmlquery.ElementNode {
		root = root.NextSibling
	}
	if root == nil || root.Data != "svg" {
		return nil, errors.New("its root is not svg")
	}
	p := &preparedSVG{gradients: map[string]*xmlquery.Node{}, paints: map[[3]uint8]*paint{}, used: bytes.ToLower(data)}
	if err := boundUses(root); err != nil {
		return nil, err
	}
	p.size(root)
	p.whole = map[string]bool{}
	box := numbersOf(root.SelectAttr("viewBox"))
	for _, clip := range xmlquery.Find(root, "//*[local-name()='clipPath']") {
		p.whole[clip.SelectAttr("id")] = showsWhole(clip, box)
		if p.whole[clip.SelectAttr("id")] && xmlquery.FindOne(clip, "ancestor::*[local-name()='defs']") == nil {
			xmlquery.RemoveFromTree(clip) // it cuts nothing off, and the library knows none outside of defs
		}
	}
	classes := map[string]string{}
	if err := p.collect(root, classes); err != nil {
		return nil, err
	}
	if err := p.rewrite(root, classes, svgState{ctm: rasterx.Identity, paint: map[string]string{}}); err != nil {
		return nil, err
	}
	p.data = []byte(root.OutputXML(true))
	return p, nil
}

// boundSVG refuses a file that is not XML, or nested or large beyond reason.
func boundSVG(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset.NewReaderLabel
	depth, elements := 0, 0
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
			elements++
		case xml.EndElement:
			depth--
		}
		if depth > maxSVGDepth || elements > maxSVGElements {
			return fmt.Errorf("it has elements more than %d levels deep, or more than %d of them; save it as a PNG", maxSVGDepth, maxSVGElements)
		}
	}
}

var svgNumber = pattern.Later(`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)

// numbersOf are the numbers of an attribute such as a view box.
func numbersOf(s string) []float64 {
	var numbers []float64
	for _, text := range svgNumber().FindAllString(s, -1) {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// size makes the size that the root says a view box, in units of its own.
func (p *preparedSVG) size(root *xmlquery.Node) {
	box := numbersOf(root.SelectAttr("viewBox"))
	if len(box) != 4 {
		width, height := numbersOf(root.SelectAttr("width")), numbersOf(root.SelectAttr("height"))
		if len(width) == 0 || len(height) == 0 {
			return
		}
		box = []float64{0, 0, width[0], height[0]}
		root.SetAttr("viewBox", fmt.Sprint(box[0], box[1], box[2], box[3]))
	}
	p.width, p.height = box[2], box[3]
	root.RemoveAttr("width")
	root.RemoveAttr("height")
}

// classRule is a rule of a style sheet for classes alone.
var classRule = pattern.Later(`^\s*(\.[\w-]+(?:\s*,\s*\.[\w-]+)*)\s*\{([^{}]*)\}`)

// collect removes what shows nothing, and keeps gradients and style sheets.
func (p *preparedSVG) collect(n *xmlquery.Node, classes map[string]string) error {
	for child, next := n.FirstChild, (*xmlquery.Node)(nil); child != nil; child = next {
		next = child.NextSibling
		switch {
		case child.Type != xmlquery.ElementNode:
			if child.Type == xmlquery.CommentNode {
				xmlquery.RemoveFromTree(child)
			}
			continue
		case child.NamespaceURI != "" && child.NamespaceURI != svgNamespace, child.Data == "metadata", child.Data == "title", child.Data == "desc",
			propertyOf(child, "display") == "none":
			xmlquery.RemoveFromTree(child)
			continue
		case child.Data == "style":
			if err := readClasses(child.InnerText(), classes); err != nil {
				return err
			}
			xmlquery.RemoveFromTree(child)
			continue
		case child.Data == "linearGradient" || child.Data == "radialGradient":
			p.gradients[child.SelectAttr("id")] = child
			xmlquery.RemoveFromTree(child)
			continue
		}
		if err := p.collect(child, classes); err != nil {
			return err
		}
	}
	return nil
}

var cssComment = pattern.Later(`(?s)/\*.*?\*/`)

func readClasses(sheet string, classes map[string]string) error {
	sheet = cssComment().ReplaceAllString(sheet, "")
	for strings.TrimSpace(sheet) != "" {
		m := classRule().FindStringSubmatch(sheet)
		if m == nil {
			return fmt.Errorf("its style sheet has more than classes (%.30q); save it with attributes in place of a style sheet", strings.TrimSpace(sheet))
		}
		for name := range strings.SplitSeq(m[1], ",") {
			name = strings.TrimPrefix(strings.TrimSpace(name), ".")
			classes[name] = strings.Trim(classes[name]+";"+m[2], "; \n\r\t")
		}
		sheet = sheet[len(m[0]):]
	}
	return nil
}

// A svgState is what an element has from those that it is in.
type svgState struct {
	ctm   rasterx.Matrix2D  // from the coordinates of the element to those of the view box
	paint map[string]string // the last of the properties that are inherited
	defs  bool              // it is drawn by others
}

// inheritedProperties are those that are written again for shapes.
var inheritedProperties = []string{"fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset"}

var svgShapes = []string{"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}

// rewrite writes an element, with all inside, as the library reads it.
func (p *preparedSVG) rewrite(n *xmlquery.Node, classes map[string]string, state svgState) error {
	style := n.SelectAttr("style")
	for class := range strings.FieldsSeq(n.SelectAttr("class")) {
		style = strings.Trim(classes[class]+";"+style, "; ")
	}
	n.RemoveAttr("class")
	if transform := n.SelectAttr("transform"); transform != "" {
		m, err := readTransform(transform)
		if err != nil {
			return err
		}
		state.ctm = state.ctm.Mult(m)
		n.SetAttr("transform", fmt.Sprintf("matrix(%g,%g,%g,%g,%g,%g)", m.A, m.B, m.C, m.D, m.E, m.F))
	}
	state.defs = state.defs || n.Data == "defs" || n.Data == "symbol"
	state.paint = maps.Clone(state.paint)
	setAttr(n, "style", style)
	if err := p.refuseEffects(n, state.ctm); err != nil {
		return err
	}
	for _, property := range inheritedProperties {
		if own := propertyOf(n, property); own != "" {
			state.paint[property] = own
		}
	}
	if paint := state.paint["stroke"]; paint != "" && paint != "none" && slices.Contains(svgShapes, n.Data) {
		p.strokes = true
		style = strings.Trim(style+";"+state.stroke(), ";")
		setAttr(n, "style", style)
	}
	for _, property := range inheritedProperties[:2] {
		id, refers := referenceOf(state.paint[property])
		if !refers {
			continue
		}
		colour := "#000000"
		if slices.Contains(svgShapes, n.Data) {
			var err error
			if colour, err = p.marker(id, state); err != nil {
				return err
			}
		}
		n.RemoveAttr(property)
		style = strings.Trim(style+";"+property+":"+colour, ";")
		setAttr(n, "style", style)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == xmlquery.ElementNode {
			if err := p.rewrite(child, classes, state); err != nil {
				return err
			}
		}
	}
	return nil
}

// effects are properties that change what shapes look like, and that the library does not
// read: it would draw the shapes without them.
var effects = []string{"filter", "mask", "clip-path", "mix-blend-mode"}

// refuseEffects refuses an element that has an effect. Some programs clip every drawing to its
// view box, which changes nothing.
func (p *preparedSVG) refuseEffects(n *xmlquery.Node, ctm rasterx.Matrix2D) error {
	for _, property := range effects {
		value := propertyOf(n, property)
		if value == "" || value == "none" || value == "normal" {
			continue
		}
		if id, refers := referenceOf(value); refers && property == "clip-path" && ctm == rasterx.Identity && p.whole[id] {
			continue
		}
		return fmt.Errorf("a shape has the property %s, and logos have none; apply it in the program that draws, or save the logo as a PNG", property)
	}
	return nil
}

// showsWhole reports whether a clipPath is a rectangle around the view box.
func showsWhole(clip *xmlquery.Node, box []float64) bool {
	shapes := xmlquery.Find(clip, "*")
	if len(box) != 4 || len(shapes) != 1 || shapes[0].Data != "rect" || clip.SelectAttr("clipPathUnits") == "objectBoundingBox" {
		return false
	}
	for _, name := range []string{"transform", "rx", "ry", "clip-path", "style", "class"} {
		if clip.SelectAttr(name) != "" || shapes[0].SelectAttr(name) != "" {
			return false
		}
	}
	sides := [4]float64{}
	for i, name := range []string{"x", "y", "width", "height"} {
		text := shapes[0].SelectAttr(name)
		if text == "" {
			continue
		}
		var err error
		if sides[i], err = strconv.ParseFloat(text, 64); err != nil {
			return false
		}
	}
	return sides[0] <= box[0] && sides[1] <= box[1] && sides[0]+sides[2] >= box[0]+box[2] && sides[1]+sides[3] >= box[1]+box[3]
}

// stroke is how a line is drawn, in the lengths of the view box: the library does not
// transform them, and has another usual join.
func (s *svgState) stroke() string {
	scale := math.Sqrt(math.Abs(s.ctm.A*s.ctm.D - s.ctm.B*s.ctm.C))
	var style []string
	for property, usual := range map[string]string{"stroke-width": "1", "stroke-dasharray": "none", "stroke-dashoffset": "0"} {
		value := s.paint[property]
		if value == "" {
			value = usual
		}
		if value == "none" {
			continue
		}
		var lengths []string
		for _, length := range numbersOf(value) {
			lengths = append(lengths, fmt.Sprintf("%.6g", length*scale))
		}
		style = append(style, property+":"+strings.Join(lengths, ","))
	}
	join := s.paint["stroke-linejoin"]
	if join == "" {
		join = "miter"
	}
	return strings.Join(append(style, "stroke-linejoin:"+join), ";")
}

// setAttr sets an attribute; one without a value is removed.
func setAttr(n *xmlquery.Node, name, value string) {
	if value == "" {
		n.RemoveAttr(name)
	} else {
		n.SetAttr(name, value)
	}
}

// propertyOf is a property that an element says itself: in its style, which counts first, or
// as an attribute. Of several in the style, the last counts.
func propertyOf(n *xmlquery.Node, name string) string {
	value := strings.TrimSpace(n.SelectAttr(name))
	for declaration := range strings.SplitSeq(n.SelectAttr("style"), ";") {
		if key, v, found := strings.Cut(declaration, ":"); found && strings.TrimSpace(key) == name {
			value = strings.TrimSpace(v)
		}
	}
	return value
}

var urlReference = pattern.Later(`^url\(\s*['"]?#([^'")]+?)['"]?\s*\)`)

// referenceOf is the id that a paint refers to.
func referenceOf(paint string) (id string, refers bool) {
	m := urlReference().FindStringSubmatch(paint)
	if m == nil {
		return "", strings.HasPrefix(paint, "url(")
	}
	return m[1], true
}

// marker is a colour for a shape with a gradient, which no other shape has.
func (p *preparedSVG) marker(id string, state svgState) (string, error) {
	gradient := p.gradients[id]
	switch {
	case gradient == nil:
		return "", fmt.Errorf("a shape refers to %q, which is not a gradient of it; logos have plain colours and gradients, or are a PNG", id)
	case state.defs:
		return "", errors.New("a shape with a gradient is used in several places; save it with its symbols expanded, or as a PNG")
	case len(p.paints) == maxGradients:
		return "", fmt.Errorf("it has more than %d shapes with gradients; save it as a PNG", maxGradients)
	}
	g, err := p.readGradient(gradient)
	if err != nil {
		return "", err
	}
	for n := uint32(0x010101); ; n += 0x010203 {
		key := [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}
		text := fmt.Sprintf("#%06x", n&0xffffff)
		if p.paints[key] == nil && !bytes.Contains(p.used, []byte(text)) {
			p.paints[key] = &paint{Gradient: g, ctm: state.ctm}
			return text, nil
		}
	}
}

var transformation = pattern.Later(`^[\s,]*([a-zA-Z]+)\s*\(([^()]*)\)`)

// readTransform is the matrix of a list of transformations.
func readTransform(s string) (rasterx.Matrix2D, error) {
	m := rasterx.Identity
	for rest := s; strings.TrimSpace(rest) != ""; {
		found := transformation().FindStringSubmatch(rest)
		if found == nil {
			return m, fmt.Errorf("the transformation %.40q cannot be read", s)
		}
		rest = rest[len(found[0]):]
		v := numbersOf(found[2])
		n := len(v)
		switch name := found[1]; {
		case name == "matrix" && n == 6:
			m = m.Mult(rasterx.Matrix2D{A: v[0], B: v[1], C: v[2], D: v[3], E: v[4], F: v[5]})
		case name == "translate" && n == 1:
			m = m.Translate(v[0], 0)
		case name == "translate" && n == 2:
			m = m.Translate(v[0], v[1])
		case name == "scale" && n == 1:
			m = m.Scale(v[0], v[0])
		case name == "scale" && n == 2:
			m = m.Scale(v[0], v[1])
		case name == "rotate" && n == 1:
			m = m.Rotate(v[0] * degree)
		case name == "rotate" && n == 3:
			m = m.Translate(v[1], v[2]).Rotate(v[0]*degree).Translate(-v[1], -v[2])
		case name == "skewX" && n == 1:
			m = m.SkewX(v[0] * degree)
		case name == "skewY" && n == 1:
			m = m.SkewY(v[0] * degree)
		default:
			return m, fmt.Errorf("the transformation %.40q cannot be read", s)
		}
	}
	return m, nil
}
