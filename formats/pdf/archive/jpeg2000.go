package archive

import (
	"encoding/binary"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The boxes of a JPEG 2000 file that PDF/A has rules about.
const (
	boxHeader   = "jp2h"
	boxImage    = "ihdr"
	boxBits     = "bpcc"
	boxColour   = "colr"
	boxChannels = "cdef"
	boxPalette  = "pclr"

	bitsDiffer = 255 // instead of a number of bits: the channels have different ones
)

// jpeg2000 checks an image with the filter JPXDecode (ISO 19005-3, 6.2.8.3).
func (c *converter) jpeg2000(s types.StreamDict, hasSpace bool) {
	if len(s.FilterPipeline) != 1 {
		c.refuse(ReasonImage, "a JPEG 2000 image is encoded twice over", remedySave)
		return
	}
	if reason := checkJPEG2000(s.Raw, hasSpace); reason != "" {
		c.refuse(ReasonImage, "a JPEG 2000 image "+reason, remedySave)
	}
}

// checkJPEG2000 is what PDF/A forbids in a JPEG 2000 image; empty if nothing is.
// The colours of an image with a colour space of its own are not checked.
func checkJPEG2000(data []byte, hasSpace bool) string {
	boxes := map[string][][]byte{}
	if len(data) > 2 && data[0] == 0xFF && data[1] == 0x4F {
		return "has no header" // and so does not define its colours
	}
	readBoxes(data, boxes, 0)
	image := boxes[boxImage]
	if len(image) != 1 || len(image[0]) < 14 {
		return "cannot be read"
	}
	channels := int(binary.BigEndian.Uint16(image[0][8:]))
	bits := image[0][10]
	all := channels
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
	case !isColourCount(channels) || !isColourCount(all): // veraPDF counts opacity too
		return "has a number of colours that PDF/A excludes"
	case len(boxes[boxBits]) > 0 || bits == bitsDiffer || bits&0x7F > 37:
		return "has a number of bits for each colour that PDF/A excludes"
	case hasSpace:
		return ""
	}
	return checkColours(boxes[boxColour], channels)
}

func isColourCount(n int) bool { return n == 1 || n == 3 || n == 4 }

// checkColours checks the colour specifications of an image.
func checkColours(specifications [][]byte, channels int) string {
	if len(specifications) != 1 || len(specifications[0]) < 3 {
		return "does not say in one way which colours it has"
	}
	s := specifications[0]
	switch {
	case s[0] == 2 && channels < 4: // an ICC profile
		return ""
	case s[0] == 1 && len(s) >= 7:
		switch binary.BigEndian.Uint32(s[3:]) {
		case 16, 17, 18: // sRGB, grey, sYCC
			return ""
		}
	}
	return "has colours that PDF/A excludes"
}

// readBoxes collects the contents of boxes, and of those within the header box.
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
