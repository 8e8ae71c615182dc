package archive

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/content"
)

// cmap says which characters the bytes of a text stand for.
type cmap struct {
	known    bool // else it is one that is not in the file, and not Identity
	identity bool
	spaces   []cmapRange  // of bytes that make a code
	single   map[code]int // the identifiers of single codes
	ranges   []cmapRange  // of codes, with the identifier of the first
}

type cmapRange struct{ length, low, high, cid int }

// mostRanges and mostSpaces bound a CMap, which is searched for each code.
const (
	mostRanges = 10_000
	mostSpaces = 100
)

// cmapOf reads the CMap of a composite font.
func (c *converter) cmapOf(o types.Object) *cmap {
	two := cmapRange{2, 0, 0xFFFF, 0}
	if name := c.name(o); name != "" {
		identity := name == "Identity-H" || name == "Identity-V"
		return &cmap{known: identity, identity: identity, spaces: []cmapRange{two}}
	}
	m := &cmap{known: true, single: map[code]int{}}
	s, ok := c.at(o).(types.StreamDict)
	data, err := c.content(o)
	if err != nil || !ok {
		return &cmap{spaces: []cmapRange{two}}
	}
	if base := s.Dict["UseCMap"]; base != nil {
		if m = c.cmapBase(base); !m.known {
			return m
		}
	}
	err = content.Scan(data, func(op *content.Op) error { m.take(op); return nil })
	m.known = err == nil && len(m.spaces) > 0 && len(m.spaces) < mostSpaces && len(m.ranges) < mostRanges
	return m
}

// cmapBase is what another CMap builds upon: Identity alone, which is known.
func (c *converter) cmapBase(o types.Object) *cmap {
	m := &cmap{spaces: []cmapRange{{2, 0, 0xFFFF, 0}}, single: map[code]int{}}
	if name := c.name(o); name == "Identity-H" || name == "Identity-V" {
		m.known, m.ranges = true, []cmapRange{{2, 0, 0xFFFF, 0}}
	}
	return m
}

func (m *cmap) take(op *content.Op) {
	step := map[string]int{"endcodespacerange": 2, "endcidrange": 3, "endcidchar": 2}[op.Name]
	if step == 0 {
		return
	}
	for i := 0; i+step <= len(op.Args) && len(m.ranges) < mostRanges && len(m.spaces) < mostSpaces; i += step {
		low, ok := op.Args[i].(content.String)
		if !ok {
			continue
		}
		r := cmapRange{length: len(low), low: number(low), high: number(low)}
		if step == 3 || op.Name == "endcodespacerange" {
			high, _ := op.Args[i+1].(content.String)
			r.high = number(high)
		}
		if op.Name == "endcodespacerange" {
			m.spaces = append(m.spaces, r)
			continue
		}
		cid, _ := op.Args[i+step-1].(content.Number)
		r.cid = int(cid.Value)
		if r.low == r.high {
			m.single[code{r.low, r.length}] = r.cid
			continue
		}
		m.ranges = append(m.ranges, r)
	}
}

// number is a code of up to four bytes.
func number(s content.String) (v int) {
	for _, b := range s[:min(len(s), 4)] {
		v = v<<8 | int(b)
	}
	return v
}

// inSpace tells whether each byte of a code lies between those of the space.
func (r cmapRange) inSpace(value int) bool {
	for shift := 0; shift < 8*r.length; shift += 8 {
		if b := value >> shift & 0xFF; b < r.low>>shift&0xFF || b > r.high>>shift&0xFF {
			return false
		}
	}
	return true
}

// split hands out the codes of a text.
func (m *cmap) split(text []byte, note func(code)) {
	shortest := 4
	for _, s := range m.spaces {
		shortest = min(shortest, max(s.length, 1))
	}
	for len(text) > 0 {
		length := 0
		for n := 1; n <= min(4, len(text)) && length == 0; n++ {
			value := number(content.String(text[:n]))
			for _, s := range m.spaces {
				if s.length == n && s.inSpace(value) {
					length = n
					break
				}
			}
		}
		if length == 0 {
			length = min(shortest, len(text))
		}
		note(code{number(content.String(text[:length])), length})
		text = text[length:]
	}
}

// cid is the character identifier of a code; 0 if it has none.
func (m *cmap) cid(at code) int {
	if m.identity {
		return at.value
	}
	if cid, found := m.single[at]; found {
		return cid
	}
	for i := len(m.ranges) - 1; i >= 0; i-- { // what comes last holds
		if r := m.ranges[i]; r.length == at.length && at.value >= r.low && at.value <= r.high {
			return r.cid + at.value - r.low
		}
	}
	return 0
}
