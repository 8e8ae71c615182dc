package font

import (
	"strconv"
	"strings"
)

// A cffDict is a DICT of a CFF font: operands by operator.
type cffDict map[int][]float64

func (d cffDict) number(op int) int { return int(d.float(op)) }

func (d cffDict) float(op int) float64 {
	if v := d[op]; len(v) > 0 {
		return v[len(v)-1]
	}
	return 0
}

// scale is the factor from font units to thousandths.
func (d cffDict) scale() float64 {
	if m := d[opFontMatrix]; len(m) == 6 && m[0] != 0 {
		return m[0] * 1000
	}
	return 1
}

// parseDict reads a DICT; it is false for a number that is none, which judges of PDF/A take
// for damage.
func parseDict(b []byte) (d cffDict, intact bool) {
	d, intact = cffDict{}, true
	var operands []float64
	for at := 0; at < len(b); {
		c := int(b[at])
		switch {
		case c <= 21:
			if c == 12 {
				at++
				c = 1200 + u8(b, at)
			}
			d[c] = operands
			operands = nil
			at++
		case c == 28:
			operands = append(operands, float64(i16(b, at+1)))
			at += 3
		case c == 29:
			operands = append(operands, float64(int32(u32(b, at+1))))
			at += 5
		case c == 30:
			v, next, ok := decimal(b, at+1)
			operands, at, intact = append(operands, v), next, intact && ok
		case c >= 32 && c <= 246:
			operands = append(operands, float64(c-139))
			at++
		case c >= 247 && c <= 250:
			operands = append(operands, float64((c-247)*256+u8(b, at+1)+108))
			at += 2
		case c >= 251 && c <= 254:
			operands = append(operands, float64(-(c-251)*256-u8(b, at+1)-108))
			at += 2
		default:
			at++
		}
	}
	return d, intact
}

// decimal reads a real number, whose digits have four bits each.
func decimal(b []byte, at int) (v float64, next int, ok bool) {
	var s strings.Builder
	for ; at < len(b); at++ {
		for _, nibble := range []byte{b[at] >> 4, b[at] & 15} {
			switch {
			case nibble == 15:
				v, err := strconv.ParseFloat(s.String(), 64)
				return v, at + 1, err == nil
			case nibble <= 9:
				s.WriteByte('0' + nibble)
			default:
				s.WriteString([]string{".", "E", "E-", "", "-"}[nibble-10])
			}
		}
	}
	return 0, at, false
}
