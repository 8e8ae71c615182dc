package archive

import (
	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A cidCMap is the CMap of a composite font: it divides strings into codes, and maps
// codes to CIDs.
type cidCMap struct {
	known      bool // it is embedded and can be read, or it is Identity
	identity   bool
	codeSpaces []codeRange
	single     map[charCode]int // the CIDs of single codes
	ranges     []codeRange
	vertical   bool // text runs from top to bottom (WMode)
	maxCID     int  // the largest CID
}

// largestCID is the limit of PDF/A, ISO 19005-3, 6.1.13.
const largestCID = 65_535

// A codeRange is a range of codes of one length, with the CID of the first.
type codeRange struct{ length, low, high, cid int }

// The limits of a CMap, which is searched for each code.
const (
	maxCMapRanges = 10_000
	maxCodeSpaces = 100
)

// twoByteCodes is the code space of the predefined Identity CMaps.
var twoByteCodes = codeRange{2, 0, 0xFFFF, 0}

// cmapOf reads the CMap of a composite font.
func (c *converter) cmapOf(o types.Object) *cidCMap {
	if name := c.Name(o); name != "" {
		identity := name == "Identity-H" || name == "Identity-V"
		return &cidCMap{known: identity, identity: identity, codeSpaces: []codeRange{twoByteCodes}}
	}
	m := &cidCMap{known: true, single: map[charCode]int{}}
	s, ok := c.Stream(o)
	data, err := c.content(o)
	if err != nil || !ok {
		return &cidCMap{codeSpaces: []codeRange{twoByteCodes}}
	}
	if base := s.Dict["UseCMap"]; base != nil {
		if m = c.baseCMap(base); !m.known {
			return m
		}
	}
	err = content.Scan{Spend: c.Bytes}.Operators(data, func(op *content.Op) error { m.add(op); return nil })
	m.known = err == nil && len(m.codeSpaces) > 0 && len(m.codeSpaces) < maxCodeSpaces && len(m.ranges) < maxCMapRanges
	return m
}

// baseCMap is the CMap that another one extends; only Identity is known.
func (c *converter) baseCMap(o types.Object) *cidCMap {
	m := &cidCMap{codeSpaces: []codeRange{twoByteCodes}, single: map[charCode]int{}}
	if name := c.Name(o); name == "Identity-H" || name == "Identity-V" {
		m.known, m.ranges = true, []codeRange{twoByteCodes}
	}
	return m
}

// add adds the entries of an operator of a CMap.
func (m *cidCMap) add(op *content.Op) {
	if mode, ok := op.Arg(1).(content.Number); ok && op.Name == "def" && op.Arg(0) == content.Name("WMode") {
		m.vertical = mode.Value == 1
		return
	}
	operands := map[string]int{"endcodespacerange": 2, "endcidrange": 3, "endcidchar": 2}[op.Name]
	if operands == 0 {
		return
	}
	for i := 0; i+operands <= len(op.Args) && len(m.ranges) < maxCMapRanges && len(m.codeSpaces) < maxCodeSpaces; i += operands {
		low, ok := op.Args[i].(content.String)
		if !ok {
			continue
		}
		r := codeRange{length: len(low), low: low.Code(), high: low.Code()}
		if op.Name != "endcidchar" {
			high, _ := op.Args[i+1].(content.String)
			r.high = high.Code()
		}
		if op.Name == "endcodespacerange" {
			m.codeSpaces = append(m.codeSpaces, r)
			continue
		}
		cid, _ := op.Args[i+operands-1].(content.Number)
		r.cid = int(cid.Value)
		m.maxCID = max(m.maxCID, r.cid+max(r.high-r.low, 0))
		if r.low == r.high {
			m.single[charCode{r.low, r.length}] = r.cid
			continue
		}
		m.ranges = append(m.ranges, r)
	}
}

// inCodeSpace reports whether each byte of a code is in the range of that byte.
func (r codeRange) inCodeSpace(code int) bool {
	for shift := 0; shift < 8*r.length; shift += 8 {
		if b := code >> shift & 0xFF; b < r.low>>shift&0xFF || b > r.high>>shift&0xFF {
			return false
		}
	}
	return true
}

// cost is how much work the division of a string is, in bytes that are looked at.
func (m *cidCMap) cost(text content.String) int { return len(text) * len(m.codeSpaces) }

// incompleteCode is the value of a code whose last bytes are missing. It has no glyph.
const incompleteCode = -1

// split divides a string into codes, as long as visit goes on. It reports whether all were
// visited.
func (m *cidCMap) split(text content.String, visit func(charCode) bool) bool {
	shortest := 4
	for _, s := range m.codeSpaces {
		shortest = min(shortest, max(s.length, 1))
	}
	for len(text) > 0 {
		length := m.codeLength(text)
		if length == 0 {
			length = min(shortest, len(text))
		}
		code := text[:length].Code()
		if length < shortest { // the string ends within a code
			code = incompleteCode
		}
		if !visit(charCode{code, length}) {
			return false
		}
		text = text[length:]
	}
	return true
}

// codeLength is the length of the first code of a string; 0 if it is in no code space.
func (m *cidCMap) codeLength(text content.String) int {
	for n := 1; n <= min(4, len(text)); n++ {
		code := text[:n].Code()
		for _, s := range m.codeSpaces {
			if s.length == n && s.inCodeSpace(code) {
				return n
			}
		}
	}
	return 0
}

// cid is the CID of a code; 0 if it has none. Of ranges that overlap, the last counts.
func (m *cidCMap) cid(code charCode) int {
	if m.identity || code.value == incompleteCode {
		return code.value
	}
	if cid, found := m.single[code]; found {
		return cid
	}
	for i := len(m.ranges) - 1; i >= 0; i-- {
		if r := m.ranges[i]; r.length == code.length && code.value >= r.low && code.value <= r.high {
			cid := r.cid + code.value - r.low
			m.single[code] = cid // ranges are searched once for each code
			return cid
		}
	}
	return 0
}
