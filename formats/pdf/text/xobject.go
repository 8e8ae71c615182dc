package text

import (
	"math"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// xObject executes a form, or notes the colours of an image.
func (i *interpreter) xObject(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	o := i.Entries(i.resources["XObject"])[string(name)]
	d := i.Entries(o)
	if i.isOff(d["OC"]) {
		i.layersOff++
		defer func() { i.layersOff-- }()
	}
	switch i.Name(d["Subtype"]) {
	case "Image":
		i.noteImage(d)
		if m := i.state.ctm; i.words != nil { // the picture fills the unit square
			i.words.pictured += math.Abs(m[0]*m[3] - m[1]*m[2])
			i.words.scan.add(i, o, d)
			i.paintPicture(d["SMask"] == nil && d["Mask"] == nil && !i.Boolean(d["ImageMask"]))
		}
	case "Form":
		if i.depth >= i.limits.Depth { // what it shows would vanish without a word
			i.Fail(ErrLimit)
			return
		}
		i.form(o, d, i.state.ctm)
	}
}

// maxRepeated is how many bytes of forms a page executes that it executed before: forms that
// call others several times each show a power of their number.
const maxRepeated = 16 << 20

// maxSelfCalls is how often forms of a page are called from within themselves.
const maxSelfCalls = 20

// form executes a form within the coordinate system around it. One that is called from within
// itself shows nothing more, and after some such calls the page is given up.
func (i *interpreter) form(o types.Object, d types.Dict, around matrix) {
	number := objectNumber(o)
	data := i.content(o)
	m, _ := matrixOf(i.numbers(d["Matrix"]))
	if i.Err() != nil {
		return
	}
	if i.running[number] {
		if i.selfCalls++; i.selfCalls > maxSelfCalls {
			i.Fail(ErrLimit)
		}
		return
	}
	if number != 0 {
		if i.executed[number] {
			if i.repeated += len(data); i.repeated > maxRepeated {
				i.Fail(ErrLimit)
				return
			}
		}
		i.running[number], i.executed[number] = true, true
		defer delete(i.running, number)
	}
	state, saved, text, line := i.state, i.saved, i.textMatrix, i.lineMatrix
	i.state.ctm, i.saved = m.times(around), nil
	if i.Entries(d["Group"]) != nil { // its contents are painted as one, and then as what fills
		i.state.group = i.state.fill.alpha
		i.state.stroke.alpha = i.state.group
	}
	if box := i.numbers(d["BBox"]); len(box) == 4 {
		i.state.clip = i.state.clip.and(i.state.ctm.around(area{min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])}))
	}
	i.run(data, d["Resources"], i.depth+1)
	i.state, i.saved, i.textMatrix, i.lineMatrix = state, saved, text, line
}

// annotations executes the appearance streams of annotations, such as filled-in
// fields.
func (i *interpreter) annotations(o types.Object) {
	for _, a := range i.Array(o) {
		if i.Err() != nil {
			return
		}
		i.annotation(i.Entries(a))
	}
}

func (i *interpreter) annotation(annotation types.Dict) {
	normal := i.Entries(annotation["AP"])["N"]
	const notShown = 1<<1 | 1<<5 // hidden, or not on the screen
	if i.isOff(annotation["OC"]) || i.Integer(annotation["F"], 0)&notShown != 0 {
		i.layersOff++
		defer func() { i.layersOff-- }()
	}
	stream, ok := i.Stream(normal)
	if !ok {
		return // none, or the states of a button, which have no text worth reading
	}
	rect := i.numbers(annotation["Rect"])
	around := identity
	if len(rect) == 4 {
		around[4], around[5] = rect[0], rect[1]
	}
	i.state, i.saved = newGraphicsState(), nil
	i.form(normal, stream.Dict, around)
}
