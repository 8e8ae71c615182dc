package archive

import (
	"slices"
	"strings"

	"einvoice/formats/pdf/content"
)

// inlineFilters are the filters of inline images that PDF/A allows, and their
// abbreviations.
var inlineFilters = strings.Fields(`ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode
	AHx A85 Fl RL CCF DCT`)

func (s *contentScan) inlineImage(op *content.Op) {
	entry := func(short, long content.Name) any {
		if v, found := op.Image[short]; found {
			return v
		}
		return op.Image[long]
	}
	s.inlineImageFilters(entry("F", "Filter"))
	s.inlineImageColours(entry("CS", "ColorSpace"))
	if intent, ok := op.Image["Intent"].(content.Name); ok && !slices.Contains(renderingIntents, string(intent)) {
		s.refuse(ReasonColour, "an inline image has a rendering intent that PDF does not have", remedySave)
	}
	if interpolate, _ := entry("I", "Interpolate").(bool); interpolate {
		s.doNotInterpolate(op)
	}
}

func (s *contentScan) inlineImageFilters(value any) {
	filters, _ := value.(content.Array)
	if name, ok := value.(content.Name); ok {
		filters = content.Array{name}
	}
	for _, f := range filters {
		if name, _ := f.(content.Name); !slices.Contains(inlineFilters, string(name)) {
			s.refuse(ReasonImage, "an inline image is encoded with "+clean(string(name))+", which PDF/A excludes", remedySave)
		}
	}
}

func (s *contentScan) inlineImageColours(space any) {
	if a, ok := space.(content.Array); ok && len(a) > 1 { // Indexed, based on this space
		space = a[1]
	}
	switch name, _ := space.(content.Name); name {
	case "CMYK", "DeviceCMYK":
		s.defineCMYK(s.resources)
	case "", "G", "RGB", "DeviceGray", "DeviceRGB":
	default:
		if s.resource(s.resources, "ColorSpace", string(name)) == nil || s.colourSpaceResource(s.resources, string(name)) == nil {
			s.refuse(ReasonColour, "the colour space of an inline image is not there", remedySave)
		}
	}
}

// doNotInterpolate sets the entry Interpolate to false. The entry is found by its
// text, before the data: no other entry there has the name and the value true.
func (s *contentScan) doNotInterpolate(op *content.Op) {
	head := string(s.bytes[op.From : op.To-len(op.Data)])
	for _, key := range []string{"/Interpolate", "/I"} {
		if i := strings.Index(head, key+" true"); i >= 0 {
			at := op.From + i + len(key) + 1
			s.edits = append(s.edits, edit{at, at + len("true"), "false"})
			return
		}
	}
	s.refuse(ReasonImage, "an inline image is to be smoothed, which PDF/A excludes", remedySave)
}
