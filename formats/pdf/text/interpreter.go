package text

import (
	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxSavedStates bounds how many graphics states are saved at a time.
const maxSavedStates = 256

// An interpreter executes the operators of a page, as far as text and colours depend
// on them.
type interpreter struct {
	*reader
	out        *pageText
	words      *pageWords // nil where words are not asked for
	state      graphicsState
	saved      []graphicsState
	textMatrix matrix
	lineMatrix matrix
	resources  types.Dict
	marked     []string     // what the marked content around stands for, from outside to inside
	layers     []bool       // likewise: it is optional content that is off
	layersOff  int          // how many of these are
	unmarked   int          // how many are within those that are kept
	depth      int          // of nested forms
	running    map[int]bool // forms, by the numbers of their objects
	executed   map[int]bool
	selfCalls  int // of forms, from within themselves
	repeated   int // bytes of forms that were executed before on the page
}

// run executes a content stream with its resources. A form without resources of its
// own uses those around it.
func (i *interpreter) run(data []byte, resources types.Object, depth int) {
	outer, outerDepth := i.resources, i.depth
	if own := i.Entries(resources); own != nil {
		i.resources = own
	}
	i.depth = depth
	defer func() { i.resources, i.depth = outer, outerDepth }()
	scan := content.Scan{Spend: i.Bytes, SkipErrors: true}
	_ = scan.Operators(data, i.operator) // its error is that of the reader, who keeps it
}

// operator executes one operator. Its error ends the scan: that of the reader.
func (i *interpreter) operator(op *content.Op) error {
	if !i.Step() {
		return i.Err()
	}
	s := &i.state
	if i.words != nil {
		i.words.scan.note(op)
		i.draw(op)
	}
	switch op.Name {
	case "q":
		if len(i.saved) < maxSavedStates {
			i.saved = append(i.saved, *s)
		}
	case "Q":
		if n := len(i.saved); n > 0 {
			*s, i.saved = i.saved[n-1], i.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(numberOperands(op)); ok {
			s.ctm = m.times(s.ctm)
		}
	case "Do":
		i.xObject(op)
	case "BT":
		i.textMatrix, i.lineMatrix = identity, identity
	case "Tf":
		i.setFont(op)
	case "Tc":
		s.charSpace = numberOperand(op, 0)
	case "Tw":
		s.wordSpace = numberOperand(op, 0)
	case "Tz":
		s.scale = numberOperand(op, 0) / 100
	case "TL":
		s.leading = numberOperand(op, 0)
	case "Ts":
		s.rise = numberOperand(op, 0)
	case "Tr":
		s.renderingMode = int(numberOperand(op, 0))
	case "Td", "TD":
		if op.Name == "TD" {
			s.leading = -numberOperand(op, 1)
		}
		i.moveLine(numberOperand(op, 0), numberOperand(op, 1))
	case "Tm":
		if m, ok := matrixOf(numberOperands(op)); ok {
			i.textMatrix, i.lineMatrix = m, m
		}
	case "T*":
		i.moveLine(0, -s.leading)
	case "BMC", "BDC":
		i.beginMarked(op)
	case "EMC":
		i.endMarked()
	case "Tj", "TJ", "'", "\"":
		i.showText(op)
	default:
		i.noteColour(op)
	}
	return i.Err()
}

func numberOperand(op *content.Op, at int) float64 {
	n, _ := op.Arg(at).(content.Number)
	return n.Value
}

func numberOperands(op *content.Op) []float64 {
	out := make([]float64, len(op.Args))
	for at := range op.Args {
		out[at] = numberOperand(op, at)
	}
	return out
}
