package archive

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// imageEntries are the entries of an image that are kept.
var imageEntries = append([]string{
	"Type", "Subtype", "Width", "Height", "ColorSpace", "BitsPerComponent", "Intent", "ImageMask", "Mask", "Decode",
	"SMask", "SMaskInData", "Matte", "Name", "StructParent", "OC",
}, streamEntries...)

// image converts an image and its masks.
func (c *converter) image(o types.Object, s types.StreamDict) {
	if !c.firstVisit(o) {
		return
	}
	d := s.Dict
	if d["Alternates"] != nil {
		c.changed("other versions of an image are removed")
	}
	removeAllBut(d, imageEntries...)
	if d["Intent"] != nil && !slices.Contains(renderingIntents, c.Name(d["Intent"])) {
		delete(d, "Intent")
	}
	bits := c.Integer(d["BitsPerComponent"], 8)
	isMask := c.Boolean(d["ImageMask"])
	if isMask {
		bits = c.Integer(d["BitsPerComponent"], 1)
	}
	if isMask && bits != 1 || !isMask && !slices.Contains([]int{1, 2, 4, 8, 16}, bits) {
		c.refuse(ReasonImage, "an image has a number of bits for each colour that PDF/A excludes", remedySave)
	}
	if d["ColorSpace"] != nil {
		if d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 0); d["ColorSpace"] == nil {
			c.refuse(ReasonColour, "the colour space of an image cannot be read", remedySave)
		}
	}
	if slices.ContainsFunc(s.FilterPipeline, func(f types.PDFFilter) bool { return f.Name == "JPXDecode" }) {
		c.jpeg2000(s, d["ColorSpace"] != nil)
	}
	for _, key := range []string{"SMask", "Mask"} {
		if mask, ok := c.Stream(d[key]); ok {
			c.image(d[key], mask)
		}
	}
}
