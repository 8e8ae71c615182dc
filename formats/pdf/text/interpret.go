package text

import (
	"errors"
	"slices"
	"strings"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// mostSaved bounds how many states are saved within one another.
const mostSaved = 256

// interpreter carries out the operators of a page, as far as text depends on them.
type interpreter struct {
	*reader
	out       *layout
	state     state
	saved     []state
	text      matrix // of the text, and of its line
	line      matrix
	resources types.Dict
	depth     int
}

// run carries out a content stream with its resources.
func (i *interpreter) run(data []byte, resources object, depth int) error {
	own, err := i.dict(resources)
	if err != nil {
		return err
	}
	outer, outerDepth := i.resources, i.depth
	if own != nil { // a form without resources of its own uses those around it
		i.resources = own
	}
	i.depth = depth
	defer func() { i.resources, i.depth = outer, outerDepth }()
	for {
		err := content.Scan(data, i.operator)
		damage, ok := errors.AsType[*content.Error](err)
		if !ok {
			return err
		}
		// What cannot be read is passed over.
		if data = data[min(damage.At+1, len(data)):]; len(data) == 0 {
			return nil
		}
		if err := i.step(); err != nil {
			return err
		}
	}
}

func (i *interpreter) operator(op *content.Op) error {
	if err := i.step(); err != nil {
		return err
	}
	s := &i.state
	switch op.Name {
	case "q":
		if len(i.saved) < mostSaved {
			i.saved = append(i.saved, *s)
		}
	case "Q":
		if n := len(i.saved); n > 0 {
			*s, i.saved = i.saved[n-1], i.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(numbersOf(op)); ok {
			s.ctm = m.times(s.ctm)
		}
	case "Do":
		return i.draw(op)
	case "BT":
		i.text, i.line = identity, identity
	case "Tf":
		return i.setFont(op)
	case "Tc":
		s.charSpace = numberAt(op, 0)
	case "Tw":
		s.wordSpace = numberAt(op, 0)
	case "Tz":
		s.scale = numberAt(op, 0) / 100
	case "TL":
		s.leading = numberAt(op, 0)
	case "Ts":
		s.rise = numberAt(op, 0)
	case "Tr":
		s.mode = int(numberAt(op, 0))
	case "Td", "TD":
		if op.Name == "TD" {
			s.leading = -numberAt(op, 1)
		}
		i.move(numberAt(op, 0), numberAt(op, 1))
	case "Tm":
		if m, ok := matrixOf(numbersOf(op)); ok {
			i.text, i.line = m, m
		}
	case "T*":
		i.move(0, -s.leading)
	case "Tj", "TJ", "'", "\"":
		return i.showing(op)
	default:
		return i.colour(op)
	}
	return nil
}

// move begins another line, so far from the beginning of the last.
func (i *interpreter) move(x, y float64) {
	i.line = matrix{1, 0, 0, 1, x, y}.times(i.line)
	i.text = i.line
}

func (i *interpreter) setFont(op *content.Op) error {
	i.state.size = numberAt(op, 1)
	name, _ := op.Arg(0).(content.Name)
	fonts, err := i.dict(i.resources["Font"])
	if err != nil {
		return err
	}
	i.state.font = nil
	if o, found := fonts[string(name)]; found {
		i.state.font, err = i.font(o)
	}
	return err
}

func (i *interpreter) showing(op *content.Op) error {
	switch op.Name {
	case "'":
		i.move(0, -i.state.leading)
	case "\"":
		i.state.wordSpace, i.state.charSpace = numberAt(op, 0), numberAt(op, 1)
		i.move(0, -i.state.leading)
	}
	if len(op.Args) == 0 {
		return nil
	}
	parts, several := op.Args[len(op.Args)-1].(content.Array)
	if !several {
		parts = content.Array{op.Args[len(op.Args)-1]}
	}
	for _, part := range parts {
		switch part := part.(type) {
		case content.String:
			if err := i.show(part); err != nil {
				return err
			}
		case content.Number:
			i.advance(-part.Value / 1000 * i.state.size * i.state.scale)
		}
	}
	return nil
}

func (i *interpreter) advance(by float64) { i.text = matrix{1, 0, 0, 1, by, 0}.times(i.text) }

// show draws a string.
func (i *interpreter) show(text []byte) error {
	s := &i.state
	if s.font == nil || len(text) == 0 {
		return nil
	}
	i.used(s.font)
	if err := i.paint(textPainting[s.mode&7]); err != nil {
		return err
	}
	begin := i.place()
	var b strings.Builder
	moved := 0.0
	for len(text) > 0 {
		if err := i.step(); err != nil {
			return err
		}
		letters, width, space, n := s.font.next(text)
		text = text[n:]
		if b.Len() < i.limits.Characters-i.characters {
			b.WriteString(letters)
		}
		step := width*s.size + s.charSpace
		if space {
			step += s.wordSpace
		}
		moved += step * s.scale
	}
	i.advance(moved)
	end := i.place()
	if b.Len() == 0 {
		return nil
	}
	i.out.add(&piece{text: b.String(), fromX: begin[4], fromY: begin[5], toX: end[4], toY: end[5], size: length(begin[2], begin[3])})
	if i.out.text.Len() > i.limits.Characters {
		return ErrLimit
	}
	return nil
}

// place is where text is drawn now, scaled by its size.
func (i *interpreter) place() matrix {
	s := &i.state
	return matrix{s.size * s.scale, 0, 0, s.size, 0, s.rise}.times(i.text).times(s.ctm)
}

// used notes a font that text is visible in.
func (i *interpreter) used(f *textFont) {
	if i.state.mode == invisible || i.shown[f] {
		return
	}
	i.shown[f] = true
	same := func(have Font) bool { return have.Name == f.name && have.Embedded == f.embedded }
	if !slices.ContainsFunc(i.document.Fonts, same) {
		i.document.Fonts = append(i.document.Fonts, Font{Name: f.name, Page: i.page, Embedded: f.embedded})
	}
}

// draw carries out a form; a picture only tells of its colours.
func (i *interpreter) draw(op *content.Op) error {
	name, _ := op.Arg(0).(content.Name)
	all, err := i.dict(i.resources["XObject"])
	if err != nil {
		return err
	}
	o := all[string(name)]
	d, err := i.dict(o)
	if err != nil {
		return err
	}
	kind, err := i.name(d["Subtype"])
	if err != nil {
		return err
	}
	if kind == "Image" {
		return i.picture(d)
	}
	if kind != "Form" || i.depth >= i.limits.Depth {
		return nil
	}
	return i.form(o, d, i.state.ctm)
}

// form carries out a form with the matrix around it.
func (i *interpreter) form(o object, d types.Dict, around matrix) error {
	data, err := i.stream(o)
	if err != nil {
		return err
	}
	own, err := i.numbers(d["Matrix"])
	if err != nil {
		return err
	}
	m, _ := matrixOf(own)
	state, saved, text, line := i.state, i.saved, i.text, i.line
	i.state.ctm, i.saved = m.times(around), nil
	err = i.run(data, d["Resources"], i.depth+1)
	i.state, i.saved, i.text, i.line = state, saved, text, line
	return err
}

// annotations carries out what annotations look like, such as filled-in fields.
func (i *interpreter) annotations(o object) error {
	all, err := i.array(o)
	for _, a := range all {
		if err != nil {
			return err
		}
		err = i.annotation(a)
	}
	return err
}

func (i *interpreter) annotation(o object) error {
	annotation, err := i.dict(o)
	if err != nil {
		return err
	}
	looks, err := i.dict(annotation["AP"])
	if err != nil || looks["N"] == nil {
		return err
	}
	look, err := i.at(looks["N"])
	if err != nil {
		return err
	}
	stream, ok := look.(types.StreamDict)
	if !ok {
		return nil // the states of a button have no text worth reading
	}
	box, err := i.numbers(annotation["Rect"])
	if err != nil {
		return err
	}
	around := identity
	if len(box) == 4 {
		around[4], around[5] = box[0], box[1]
	}
	i.state, i.saved = newState(), nil
	return i.form(looks["N"], stream.Dict, around)
}

func numberAt(op *content.Op, at int) float64 {
	n, _ := op.Arg(at).(content.Number)
	return n.Value
}

func numbersOf(op *content.Op) []float64 {
	out := make([]float64, len(op.Args))
	for at := range op.Args {
		out[at] = numberAt(op, at)
	}
	return out
}
