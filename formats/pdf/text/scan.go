package text

import (
	"math"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A scannedPage notes whether a page shows one picture and nothing else, as that of a
// scanner does.
type scannedPage struct {
	pictures int
	other    bool // something else is drawn, or the picture not as it is
	file     []byte
	place    matrix
}

// draws are the operators that paint something besides text and pictures, or change how a
// picture is painted.
var draws = map[string]bool{
	"f": true, "F": true, "f*": true, "B": true, "B*": true, "b": true, "b*": true, "S": true, "s": true,
	"sh": true, "BI": true, "W": true, "W*": true, "gs": true,
}

func (s *scannedPage) note(op *content.Op) {
	s.other = s.other || draws[op.Name] || op.Image != nil
}

// add notes a picture at its place.
func (s *scannedPage) add(i *interpreter, o types.Object, d types.Dict) {
	s.pictures++
	s.place = i.state.ctm
	stream, ok := i.Stream(o)
	plain := d["SMask"] == nil && d["Mask"] == nil && d["Decode"] == nil && !i.Boolean(d["ImageMask"])
	isJPEG := ok && len(stream.FilterPipeline) == 1 && stream.FilterPipeline[0].Name == "DCTDecode" && stream.FilterPipeline[0].DecodeParms == nil
	space := i.Name(d["ColorSpace"])
	if !plain || !isJPEG || space != "DeviceGray" && space != "DeviceRGB" {
		s.other = true
		return
	}
	s.file = stream.Raw
}

// scanTolerance is how far the edges of a picture are from those of its page at most, as a
// part of its size.
const scanTolerance = 0.01

// covering is the file of the picture if the page shows that alone, upright, from edge to
// edge.
func (s *scannedPage) covering(area [4]float64) []byte {
	m := s.place
	width, height := area[2]-area[0], area[3]-area[1]
	near := func(a, b, size float64) bool { return math.Abs(a-b) <= scanTolerance*size }
	upright := m[1] == 0 && m[2] == 0
	if s.pictures != 1 || s.other || !upright || !near(m[0], width, width) || !near(m[3], height, height) || !near(m[4], area[0], width) || !near(m[5], area[1], height) {
		return nil
	}
	return s.file
}
