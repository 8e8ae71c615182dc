package font

// maxSteps bounds the bytes of a charstring, with its subroutines, that are executed
// up to the first operator.
const maxSteps = 300

// Limits of the interpreter of charstrings.
const (
	maxStack = 100
	maxCalls = 10 // nested calls of subroutines
)

// charstringWidth is the advance width of a glyph of a CFF font: the first operand of
// the charstring, if the first operator that draws, moves or gives hints has one
// operand more than it needs.
func charstringWidth(code []byte, p privateDict, global [][]byte) float64 {
	m := &charstring{privateDict: p, global: global, width: p.defaultWidth}
	m.run(code, 0)
	return m.width * p.scale
}

type charstring struct {
	privateDict
	global [][]byte
	stack  []float64
	width  float64
	steps  int
}

// run executes a charstring or a subroutine, and reports whether the width is known.
func (m *charstring) run(code []byte, depth int) bool {
	for at := 0; at < len(code); {
		if m.steps++; m.steps > maxSteps || len(m.stack) > maxStack {
			return true
		}
		c := int(code[at])
		at++
		switch {
		case c == 28:
			m.stack = append(m.stack, float64(i16(code, at)))
			at += 2
		case c == 255:
			m.stack = append(m.stack, float64(int32(u32(code, at)))/65536)
			at += 4
		case c >= 251:
			m.stack = append(m.stack, float64(-(c-251)*256-u8(code, at)-108))
			at++
		case c >= 247:
			m.stack = append(m.stack, float64((c-247)*256+u8(code, at)+108))
			at++
		case c >= 32:
			m.stack = append(m.stack, float64(c-139))
		case c == 10 || c == 29: // callsubr, callgsubr
			subroutines := m.subroutines
			if c == 29 {
				subroutines = m.global
			}
			if depth > maxCalls || m.call(subroutines, depth) {
				return true
			}
		case c == 11: // return
			return false
		default:
			m.firstOperator(c)
			return true
		}
	}
	return true
}

// call executes a subroutine, whose number is on the stack.
func (m *charstring) call(subroutines [][]byte, depth int) bool {
	if len(m.stack) == 0 {
		return true
	}
	bias := 107
	switch {
	case len(subroutines) >= 33900:
		bias = 32768
	case len(subroutines) >= 1240:
		bias = 1131
	}
	number := int(m.stack[len(m.stack)-1]) + bias
	m.stack = m.stack[:len(m.stack)-1]
	if number < 0 || number >= len(subroutines) {
		return true
	}
	return m.run(subroutines[number], depth+1)
}

// firstOperator takes the width from the operands of the first operator.
func (m *charstring) firstOperator(operator int) {
	n, hasWidth := len(m.stack), false
	switch operator {
	case 1, 3, 18, 23, 19, 20: // stem hints, whose operands are pairs
		hasWidth = n%2 == 1
	case 21: // rmoveto
		hasWidth = n > 2
	case 4, 22: // vmoveto, hmoveto
		hasWidth = n > 1
	case 14: // endchar, which may have four operands for an accented character
		hasWidth = n == 1 || n == 5
	}
	if hasWidth {
		m.width = m.nominalWidth + m.stack[0]
	}
}
