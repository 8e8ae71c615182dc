package font

// mostSteps bounds what one charstring may run through, subroutines included, up
// to its first operator.
const mostSteps = 300

// charstringWidth is the advance of a glyph of a CFF font. It stands before the
// operands of the first operator that draws, moves or gives hints, if there is
// one operand more than that operator takes.
func charstringWidth(code []byte, p private, global [][]byte) float64 {
	m := &charstring{private: p, global: global, width: p.defaultWidth}
	m.run(code, 0)
	return m.width * p.scale
}

type charstring struct {
	private
	global [][]byte
	stack  []float64
	width  float64
	steps  int
}

// run tells whether the width is known.
func (m *charstring) run(code []byte, depth int) bool {
	for at := 0; at < len(code); {
		if m.steps++; m.steps > mostSteps || len(m.stack) > 100 {
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
			if depth > 10 || m.call(subroutines, depth) {
				return true
			}
		case c == 11: // return
			return false
		default:
			m.end(c)
			return true
		}
	}
	return true
}

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

// end takes the width from what stands before the first operator.
func (m *charstring) end(operator int) {
	n, with := len(m.stack), false
	switch operator {
	case 1, 3, 18, 23, 19, 20: // hints come in pairs
		with = n%2 == 1
	case 21: // rmoveto
		with = n > 2
	case 4, 22: // vmoveto, hmoveto
		with = n > 1
	case 14: // endchar, which may make an accented character
		with = n == 1 || n == 5
	}
	if with {
		m.width = m.nominalWidth + m.stack[0]
	}
}
