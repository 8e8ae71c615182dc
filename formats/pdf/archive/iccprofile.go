package archive

import (
	"encoding/binary"
	"math"
)

// An iccTag is a tag of an ICC profile.
type iccTag struct {
	signature string
	data      []byte
}

// iccProfile is a profile of version 2.4 with these tags, and those that every
// profile must have.
func iccProfile(class, space, connection, description string, tags []iccTag) []byte {
	tags = append([]iccTag{
		{"desc", iccDescription(description)},
		{"cprt", append(iccType("text"), "No copyright, use freely\x00"...)},
	}, tags...)
	header := make([]byte, 128)
	binary.BigEndian.PutUint32(header[8:], 0x02400000)
	copy(header[12:], class)
	copy(header[16:], space)
	copy(header[20:], connection)
	for i, v := range []uint16{2000, 1, 1, 0, 0, 0} { // a fixed date of creation, which is required
		binary.BigEndian.PutUint16(header[24+2*i:], v)
	}
	copy(header[36:], "acsp")
	for i, v := range d50 {
		binary.BigEndian.PutUint32(header[68+4*i:], fixed(v))
	}
	index := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	body := []byte{}
	start := len(header) + 4 + 12*len(tags)
	known := map[string]int{} // tags with the same data share it
	for _, t := range tags {
		at, found := known[string(t.data)]
		if !found {
			at = start + len(body)
			known[string(t.data)] = at
			body = append(body, t.data...)
			body = append(body, make([]byte, -len(body)&3)...)
		}
		index = append(index, t.signature...)
		index = binary.BigEndian.AppendUint32(index, uint32(at))
		index = binary.BigEndian.AppendUint32(index, uint32(len(t.data)))
	}
	binary.BigEndian.PutUint32(header, uint32(start+len(body)))
	return append(append(header, index...), body...)
}

// iccType is the type signature that the data of a tag begins with.
func iccType(signature string) []byte { return append([]byte(signature), 0, 0, 0, 0) }

func iccXYZ(v vector) []byte {
	b := iccType("XYZ ")
	for _, x := range v {
		b = binary.BigEndian.AppendUint32(b, fixed(x))
	}
	return b
}

// iccDescription is a description in ASCII; the fields for Unicode and Macintosh
// are empty.
func iccDescription(s string) []byte {
	b := binary.BigEndian.AppendUint32(iccType("desc"), uint32(len(s)+1))
	b = append(b, s...)
	return append(b, make([]byte, 1+4+4+2+1+67)...)
}

// fixed is a number in the format s15Fixed16Number.
func fixed(v float64) uint32 { return uint32(int32(math.Round(v * 65536))) }
