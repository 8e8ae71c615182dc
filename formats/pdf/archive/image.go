package archive

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// image goes through an image with its masks.
func (c *converter) image(o types.Object, s types.StreamDict) {
	if !c.first(o) {
		return
	}
	d := s.Dict
	if d["Alternates"] != nil {
		c.changed("other versions of an image are removed")
	}
	keep(d, "Type", "Subtype", "Width", "Height", "ColorSpace", "BitsPerComponent", "Intent", "ImageMask", "Mask", "Decode",
		"SMask", "SMaskInData", "Matte", "Name", "StructParent", "OC", "Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms")
	if d["Intent"] != nil && !slices.Contains(intents, c.name(d["Intent"])) {
		delete(d, "Intent")
	}
	bits := c.integer(d["BitsPerComponent"], 8)
	isMask := c.boolean(d["ImageMask"])
	if isMask {
		bits = c.integer(d["BitsPerComponent"], 1)
	}
	if isMask && bits != 1 || !isMask && !slices.Contains([]int{1, 2, 4, 8, 16}, bits) {
		c.refuse(ReasonImage, "an image has a number of bits for each colour that PDF/A excludes", remedySave)
	}
	jpx := slices.ContainsFunc(s.FilterPipeline, func(f types.PDFFilter) bool { return f.Name == "JPXDecode" })
	if d["ColorSpace"] != nil {
		if d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 0); d["ColorSpace"] == nil {
			c.refuse(ReasonColour, "the colour space of an image cannot be read", remedySave)
		}
	}
	if jpx {
		c.jpeg2000(s, d["ColorSpace"] != nil)
	}
	if mask, ok := c.at(d["SMask"]).(types.StreamDict); ok {
		c.image(d["SMask"], mask)
	}
	if mask, ok := c.at(d["Mask"]).(types.StreamDict); ok {
		c.image(d["Mask"], mask)
	}
}

// jpeg2000 holds an image of that kind against clause 6.2.8.3.
func (c *converter) jpeg2000(s types.StreamDict, hasSpace bool) {
	if len(s.FilterPipeline) != 1 {
		c.refuse(ReasonImage, "a JPEG 2000 image is encoded twice over", remedySave)
		return
	}
	if reason := checkJPEG2000(s.Raw, hasSpace); reason != "" {
		c.refuse(ReasonImage, "a JPEG 2000 image "+reason, remedySave)
	}
}
