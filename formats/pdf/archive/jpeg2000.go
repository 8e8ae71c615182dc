package archive

import "encoding/binary"

// The boxes of a JPEG 2000 file that matter here.
const (
	boxHeader     = "jp2h"
	boxImage      = "ihdr"
	boxBits       = "bpcc"
	boxColour     = "colr"
	boxChannels   = "cdef"
	boxPalette    = "pclr"
	sameBitsTwice = 255 // the entry for bits that says that channels differ
)

// checkJPEG2000 tells what PDF/A excludes in a JPEG 2000 image; nothing if it is
// all right.
func checkJPEG2000(data []byte, hasSpace bool) string {
	boxes := map[string][][]byte{}
	if len(data) > 2 && data[0] == 0xFF && data[1] == 0x4F {
		return "has no header" // it cannot be told which colours it has
	}
	readBoxes(data, boxes, 0)
	image := boxes[boxImage]
	if len(image) != 1 || len(image[0]) < 14 {
		return "cannot be read"
	}
	channels := int(binary.BigEndian.Uint16(image[0][8:]))
	bits := image[0][10]
	for _, definition := range boxes[boxChannels] {
		for at := 2; at+6 <= len(definition); at += 6 {
			if kind := binary.BigEndian.Uint16(definition[at+2:]); kind == 1 || kind == 2 { // opacity
				channels--
			}
		}
	}
	switch {
	case len(boxes[boxPalette]) > 0:
		return "has a palette"
	case channels != 1 && channels != 3 && channels != 4:
		return "has a number of colours that PDF/A excludes"
	case len(boxes[boxBits]) > 0 || bits == sameBitsTwice || bits&0x7F > 37:
		return "has a number of bits for each colour that PDF/A excludes"
	case hasSpace:
		return ""
	}
	return checkColours(boxes[boxColour], channels)
}

// checkColours holds the colour specifications against PDF/A, where nothing else
// says what the colours are.
func checkColours(specifications [][]byte, channels int) string {
	if len(specifications) != 1 || len(specifications[0]) < 3 {
		return "does not say in one way which colours it has"
	}
	s := specifications[0]
	switch {
	case s[0] == 2 && channels < 4: // a profile of its own
		return ""
	case s[0] == 1 && len(s) >= 7:
		switch binary.BigEndian.Uint32(s[3:]) {
		case 16, 17, 18: // sRGB, grey, sYCC
			return ""
		}
	}
	return "has colours that PDF/A excludes"
}

func readBoxes(data []byte, boxes map[string][][]byte, depth int) {
	for len(data) >= 8 {
		length, kind := int(binary.BigEndian.Uint32(data)), string(data[4:8])
		head := 8
		switch {
		case length == 1 && len(data) >= 16:
			length, head = int(binary.BigEndian.Uint64(data[8:])), 16
		case length == 0:
			length = len(data)
		}
		if length < head || length > len(data) {
			return
		}
		body := data[head:length]
		boxes[kind] = append(boxes[kind], body)
		if kind == boxHeader && depth == 0 {
			readBoxes(body, boxes, 1)
		}
		data = data[length:]
	}
}
