package archive

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/content"
)

// operators are those that content streams may have.
var operators = func() map[string]bool {
	known := map[string]bool{}
	for _, op := range strings.Fields(`b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i
		j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`) {
		known[op] = true
	}
	return known
}()

// intents are the rendering intents of ISO 32000-1.
var intents = []string{"AbsoluteColorimetric", "RelativeColorimetric", "Saturation", "Perceptual"}

// The limits of PDF/A, and how deep forms may lie within one another here.
const (
	mostSaved    = 28
	longestText  = 32767
	longestLabel = 127
	deepestForms = 40
)

// graphics is the part of the graphics state that decides on text.
type graphics struct {
	font *usedFont
	mode int // of rendering text
}

// invisible is the mode in which text is not rendered.
const invisible = 3

// streamKey tells content streams apart that were read, with the state that they
// were read in.
type streamKey struct {
	object int
	graphics
}

// An edit replaces bytes of a content stream.
type edit struct {
	from, to int
	with     string
}

func apply(data []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var result []byte
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		result = append(append(result, data[at:e.from]...), e.with...)
		at = e.to
	}
	return append(result, data[at:]...)
}

// reader goes through one content stream.
type reader struct {
	*converter
	bytes     []byte
	resources types.Dict
	graphics
	saved []graphics
	edits []edit
	over  bool // the stream nests too deep
}

// read goes through a content stream with what it uses, and tells what is to be
// replaced in it.
func (c *converter) read(data []byte, resources types.Dict, state graphics) []edit {
	if c.nesting++; c.nesting > deepestForms {
		c.refuse(ReasonRestriction, "forms lie too deep within one another", remedySave)
	} else {
		c.resources[identity(resources)] = resources
		c.defaults(resources)
		r := &reader{converter: c, bytes: data, resources: resources, graphics: state}
		err := content.Scan(data, r.operator)
		if syntax, ok := errors.AsType[*content.Error](err); ok {
			c.refuse(ReasonDamaged, "what draws the page cannot be read: "+syntax.Error(), remedySave)
		}
		if len(r.saved) > 0 {
			r.edits = append(r.edits, edit{len(data), len(data), "\n" + strings.Repeat("Q ", len(r.saved))})
		}
		c.nesting--
		return r.edits
	}
	c.nesting--
	return nil
}

// remove takes an operator with its operands out.
func (r *reader) remove(op *content.Op) { r.edits = append(r.edits, edit{op.From, op.To, " "}) }

func (r *reader) operator(op *content.Op) error {
	if !r.tick() {
		return r.err
	}
	if !operators[op.Name] {
		r.remove(op)
		r.changed("an operator that PDF does not have is removed")
		return nil
	}
	r.limits(op.Args)
	switch op.Name {
	case "q":
		if len(r.saved) >= mostSaved && !r.over {
			r.over = true
			r.refuse(ReasonRestriction, "the graphics state is saved more than 28 times over", remedySave)
		}
		if len(r.saved) < 10*mostSaved {
			r.saved = append(r.saved, r.graphics)
		}
	case "Q":
		if len(r.saved) == 0 {
			r.remove(op)
			break
		}
		r.graphics = r.saved[len(r.saved)-1]
		r.saved = r.saved[:len(r.saved)-1]
	case "Tf", "Tr", "Tj", "'", "\"", "TJ":
		r.text(op)
	case "k", "K":
		r.useCMYK(r.resources)
	case "cs", "CS":
		r.space(op)
	case "scn", "SCN":
		if name, ok := op.Arg(len(op.Args) - 1).(content.Name); ok {
			o := r.resource(r.resources, "Pattern", string(name))
			if o == nil || !r.pattern(o, r.resources, r.graphics) {
				r.missing(op, name)
			}
		}
	case "sh", "gs", "Do":
		r.named(op)
	case "ri":
		if name, _ := op.Arg(0).(content.Name); !slices.Contains(intents, string(name)) {
			r.edits = append(r.edits, edit{op.From, op.To, "/RelativeColorimetric ri"})
		}
	case "BDC", "DP":
		if name, ok := op.Arg(1).(content.Name); ok {
			r.resource(r.resources, "Properties", string(name))
		}
	case "BI":
		r.inlineImage(op)
	}
	return nil
}

// missing handles what refers to a resource that is not there: nothing is drawn
// by it.
func (r *reader) missing(op *content.Op, name content.Name) {
	r.remove(op)
	r.changed(fmt.Sprintf("a reference to %s, which is not there, is removed", clean(string(name))))
}

func (r *reader) named(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	category := map[string]string{"sh": "Shading", "gs": "ExtGState", "Do": "XObject"}[op.Name]
	o := r.resource(r.resources, category, string(name))
	if o == nil {
		r.missing(op, name)
		return
	}
	switch op.Name {
	case "sh":
		r.shading(o)
	case "gs":
		r.graphicsState(o, &r.graphics, r.resources)
	case "Do":
		if !r.xObject(o, r.resources, r.graphics) {
			r.remove(op)
		}
	}
}

// space handles a colour space that is chosen.
func (r *reader) space(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	switch name {
	case "DeviceCMYK":
		r.useCMYK(r.resources)
	case "DeviceGray", "DeviceRGB", "Pattern":
	default:
		if o := r.resource(r.resources, "ColorSpace", string(name)); o != nil {
			if r.colourSpaceOf(r.resources, string(name)) == nil {
				r.refuse(ReasonColour, "a colour space cannot be read", remedySave)
			}
			return
		}
		r.refuse(ReasonColour, "the colour space "+clean(string(name))+" is not there", remedySave)
	}
}

func (r *reader) text(op *content.Op) {
	switch op.Name {
	case "Tf":
		name, _ := op.Arg(0).(content.Name)
		o := r.resource(r.resources, "Font", string(name))
		if o == nil {
			r.font = nil
			r.missing(op, name)
			return
		}
		r.font = r.fontOf(o, r.resources)
	case "Tr":
		if mode, ok := op.Arg(0).(content.Number); ok {
			r.mode = int(mode.Value)
		}
	case "TJ":
		parts, _ := op.Arg(0).(content.Array)
		for _, p := range parts {
			if s, ok := p.(content.String); ok {
				r.show(s)
			}
		}
	default:
		if s, ok := op.Arg(len(op.Args) - 1).(content.String); ok {
			r.show(s)
		}
	}
}

func (r *reader) show(s content.String) {
	if len(s) == 0 {
		return
	}
	if r.font == nil {
		r.refuse(ReasonFont, "text is shown in a font that is not there", remedyFonts)
		return
	}
	r.font.show(s, r.mode != invisible, r.page)
}

// limits holds operands against the limits of PDF/A.
func (r *reader) limits(args []any) {
	for _, a := range args {
		switch a := a.(type) {
		case content.Number:
			if math.Abs(a.Value) > math.MaxInt32 && !a.Real || a.Real && (math.Abs(a.Value) > 3.4e38 || a.Value != 0 && math.Abs(a.Value) < 1.2e-38) {
				r.refuse(ReasonRestriction, "a number is beyond what PDF/A allows", remedySave)
			}
		case content.String:
			if len(a) > longestText {
				r.refuse(ReasonRestriction, "a string is longer than PDF/A allows", remedySave)
			}
		case content.Name:
			if len(a) > longestLabel {
				r.refuse(ReasonRestriction, "a name is longer than PDF/A allows", remedySave)
			}
		case content.Array:
			r.limits(a)
		case content.Dict:
			for key, value := range a {
				r.limits([]any{key, value})
			}
		}
	}
}

// inlineFilters are the filters of inline images that PDF/A allows, by both names.
var inlineFilters = strings.Fields(`ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode
	AHx A85 Fl RL CCF DCT`)

func (r *reader) inlineImage(op *content.Op) {
	get := func(short, long content.Name) any {
		if v, found := op.Image[short]; found {
			return v
		}
		return op.Image[long]
	}
	filters, _ := get("F", "Filter").(content.Array)
	if name, ok := get("F", "Filter").(content.Name); ok {
		filters = content.Array{name}
	}
	for _, f := range filters {
		if name, _ := f.(content.Name); !slices.Contains(inlineFilters, string(name)) {
			r.refuse(ReasonImage, "an inline image is encoded with "+clean(string(name))+", which PDF/A excludes", remedySave)
		}
	}
	space := get("CS", "ColorSpace")
	if a, ok := space.(content.Array); ok && len(a) > 1 { // an indexed one, with the colours of this
		space = a[1]
	}
	switch name, _ := space.(content.Name); name {
	case "CMYK", "DeviceCMYK":
		r.useCMYK(r.resources)
	case "", "G", "RGB", "DeviceGray", "DeviceRGB":
	default:
		if r.resource(r.resources, "ColorSpace", string(name)) == nil || r.colourSpaceOf(r.resources, string(name)) == nil {
			r.refuse(ReasonColour, "the colour space of an inline image is not there", remedySave)
		}
	}
	if intent, ok := op.Image["Intent"].(content.Name); ok && !slices.Contains(intents, string(intent)) {
		r.refuse(ReasonColour, "an inline image has a rendering intent that PDF does not have", remedySave)
	}
	if smooth, _ := get("I", "Interpolate").(bool); smooth {
		// The entry before the data is found by its text: nothing else there is true after it.
		head := string(r.bytes[op.From : op.To-len(op.Data)])
		for _, key := range []string{"/Interpolate", "/I"} {
			if i := strings.Index(head, key+" true"); i >= 0 {
				at := op.From + i + len(key) + 1
				r.edits = append(r.edits, edit{at, at + len("true"), "false"})
				return
			}
		}
		r.refuse(ReasonImage, "an inline image is to be smoothed, which PDF/A excludes", remedySave)
	}
}
