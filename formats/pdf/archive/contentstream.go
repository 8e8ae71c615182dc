package archive

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// operators are the operators of ISO 32000-1.
var operators = func() map[string]bool {
	known := map[string]bool{}
	for _, op := range strings.Fields(`b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i
		j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`) {
		known[op] = true
	}
	return known
}()

// renderingIntents are the rendering intents of ISO 32000-1.
var renderingIntents = []string{"AbsoluteColorimetric", "RelativeColorimetric", "Saturation", "Perceptual"}

// maxForms is how deep content streams may be nested.
const maxForms = 40

// A graphicsState is the part of the graphics state that text depends on.
type graphicsState struct {
	font          *usedFont
	renderingMode int
}

// invisible is the rendering mode of text that is not drawn.
const invisible = 3

// A streamKey is a content stream with the graphics state in which it is executed.
type streamKey struct {
	object int
	graphicsState
}

// An edit replaces bytes of a content stream.
type edit struct {
	from, to int
	with     string
}

// applyEdits is a content stream with edits. One that overlaps with another is
// ignored.
func applyEdits(data []byte, edits []edit) []byte {
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

// A contentScan goes through the operators of one content stream.
type contentScan struct {
	*converter
	bytes     []byte
	resources types.Dict
	graphicsState
	saved   []graphicsState
	edits   []edit
	tooDeep bool // more states are saved than PDF/A allows
}

// scanContent goes through a content stream with all that it uses, and returns what is
// to be replaced in it.
func (c *converter) scanContent(data []byte, resources types.Dict, state graphicsState) []edit {
	c.nesting++
	defer func() { c.nesting-- }()
	if c.nesting > maxForms {
		c.refuse(ReasonRestriction, "forms lie too deep within one another", remedySave)
		return nil
	}
	c.resources[identity(resources)] = resources
	c.defaultColourSpaces(resources)
	s := &contentScan{converter: c, bytes: data, resources: resources, graphicsState: state}
	err := content.Scan{Spend: c.Bytes}.Operators(data, s.operator)
	if syntax, ok := errors.AsType[*content.Error](err); ok {
		c.refuse(ReasonDamaged, "what draws the page cannot be read: "+syntax.Error(), remedySave)
	}
	if len(s.saved) > 0 {
		s.edits = append(s.edits, edit{len(data), len(data), "\n" + strings.Repeat("Q ", len(s.saved))})
	}
	return s.edits
}

// remove removes an operator with its operands.
func (s *contentScan) remove(op *content.Op) { s.edits = append(s.edits, edit{op.From, op.To, " "}) }

// operator handles one operator. Its error ends the scan: that of the Reader.
func (s *contentScan) operator(op *content.Op) error {
	if !s.Step() {
		return s.Err()
	}
	if !operators[op.Name] {
		s.remove(op)
		s.changed("an operator that PDF does not have is removed")
		return nil
	}
	s.checkOperands(op.Args)
	if op.To < len(s.bytes) && s.bytes[op.To] == '%' { // some programs take the comment for a part of the operator
		s.edits = append(s.edits, edit{op.To, op.To, " "})
	}
	for _, b := range op.BadStrings {
		s.edits = append(s.edits, edit{b.From, b.To, fmt.Sprintf("<%X>", []byte(b.Value))})
	}
	switch op.Name {
	case "q":
		s.saveState()
	case "Q":
		s.restoreState(op)
	case "Tf", "Tr", "Tj", "'", "\"", "TJ":
		s.text(op)
	case "k", "K":
		s.defineCMYK(s.resources)
	case "cs", "CS":
		s.setColourSpace(op)
	case "scn", "SCN":
		s.setPattern(op)
	case "sh", "gs", "Do":
		s.useResource(op)
	case "ri":
		if name, _ := op.Arg(0).(content.Name); !slices.Contains(renderingIntents, string(name)) {
			s.edits = append(s.edits, edit{op.From, op.To, "/RelativeColorimetric ri"})
		}
	case "BDC", "DP":
		if name, ok := op.Arg(1).(content.Name); ok {
			s.resource(s.resources, "Properties", string(name))
		}
	case "BI":
		s.inlineImage(op)
	}
	return nil
}

func (s *contentScan) saveState() {
	if len(s.saved) >= maxSavedStates && !s.tooDeep {
		s.tooDeep = true
		s.refuse(ReasonRestriction, "the graphics state is saved more than 28 times over", remedySave)
	}
	if len(s.saved) < 10*maxSavedStates {
		s.saved = append(s.saved, s.graphicsState)
	}
}

func (s *contentScan) restoreState(op *content.Op) {
	if len(s.saved) == 0 {
		s.remove(op)
		return
	}
	s.graphicsState = s.saved[len(s.saved)-1]
	s.saved = s.saved[:len(s.saved)-1]
}

// removeMissing removes an operator that names a resource that is not there: it draws
// nothing.
func (s *contentScan) removeMissing(op *content.Op, name content.Name) {
	s.remove(op)
	s.changed(fmt.Sprintf("a reference to %s, which is not there, is removed", clean(string(name))))
}

// useResource handles the operators sh, gs and Do.
func (s *contentScan) useResource(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	category := map[string]string{"sh": "Shading", "gs": "ExtGState", "Do": "XObject"}[op.Name]
	o := s.resource(s.resources, category, string(name))
	if o == nil {
		s.removeMissing(op, name)
		return
	}
	switch op.Name {
	case "sh":
		s.shading(o)
	case "gs":
		s.extGState(o, &s.graphicsState, s.resources)
	case "Do":
		if !s.xObject(o, s.resources, s.graphicsState) {
			s.remove(op)
		}
	}
}

// setColourSpace handles the operators cs and CS.
func (s *contentScan) setColourSpace(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	switch name {
	case "DeviceCMYK":
		s.defineCMYK(s.resources)
	case "DeviceGray", "DeviceRGB", "Pattern":
	default:
		if s.resource(s.resources, "ColorSpace", string(name)) == nil {
			s.refuse(ReasonColour, "the colour space "+clean(string(name))+" is not there", remedySave)
		} else if s.colourSpaceResource(s.resources, string(name)) == nil {
			s.refuse(ReasonColour, "a colour space cannot be read", remedySave)
		}
	}
}

// setPattern handles the operators scn and SCN, whose last operand may name a pattern.
func (s *contentScan) setPattern(op *content.Op) {
	name, ok := op.Arg(len(op.Args) - 1).(content.Name)
	if !ok {
		return
	}
	o := s.resource(s.resources, "Pattern", string(name))
	if o == nil || !s.pattern(o, s.resources, s.graphicsState) {
		s.removeMissing(op, name)
	}
}

// text handles the operators that set the font or the rendering mode, or show text.
func (s *contentScan) text(op *content.Op) {
	switch op.Name {
	case "Tf":
		name, _ := op.Arg(0).(content.Name)
		o := s.resource(s.resources, "Font", string(name))
		if o == nil {
			s.font = nil
			s.removeMissing(op, name)
			return
		}
		s.font = s.fontOf(o, s.resources)
	case "Tr":
		if mode, ok := op.Arg(0).(content.Number); ok {
			s.renderingMode = int(mode.Value)
		}
	case "TJ":
		parts, _ := op.Arg(0).(content.Array)
		for _, p := range parts {
			if text, ok := p.(content.String); ok {
				s.showText(text)
			}
		}
	default:
		if text, ok := op.Arg(len(op.Args) - 1).(content.String); ok {
			s.showText(text)
		}
	}
}

func (s *contentScan) showText(text content.String) {
	if len(text) == 0 {
		return
	}
	if s.font == nil {
		s.refuse(ReasonFont, "text is shown in a font that is not there", remedyFonts)
		return
	}
	if s.font.cmap != nil && s.Bytes(s.font.cmap.cost(text)) != nil {
		return
	}
	if !s.font.use(text, s.renderingMode != invisible, s.page) {
		s.refuse(ReasonFont, "text has more codes than a font has glyphs", remedyFonts)
	}
}
