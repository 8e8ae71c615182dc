package text

import (
	"cmp"
	"fmt"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxColourSpaces is how many colour spaces may be based on one another.
const maxColourSpaces = 4

// deviceOperators are the operators that set a colour in a device colour space, and
// the space.
var deviceOperators = map[string]string{
	"g": "DeviceGray", "G": "DeviceGray", "rg": "DeviceRGB", "RG": "DeviceRGB", "k": "DeviceCMYK", "K": "DeviceCMYK",
}

// defaultSpaces are the resources by which a page may define the device colour
// spaces.
var defaultSpaces = map[string]string{"DeviceGray": "DefaultGray", "DeviceRGB": "DefaultRGB", "DeviceCMYK": "DefaultCMYK"}

// The two current colours.
const (
	fill   = 1
	stroke = 2
)

// pathPaint is which of the colours a path-painting operator uses.
var pathPaint = map[string]int{
	"f": fill, "F": fill, "f*": fill, "S": stroke, "s": stroke,
	"B": fill | stroke, "B*": fill | stroke, "b": fill | stroke, "b*": fill | stroke,
}

// textPaint is which of the colours text uses, by its rendering mode.
var textPaint = [8]int{fill, stroke, fill | stroke, 0, fill, stroke, fill | stroke, 0}

// colourOperators are the operators that set the current colour to fill (in small
// letters) or to stroke.
var colourOperators = map[string]int{
	"g": fill, "rg": fill, "k": fill, "cs": fill, "sc": fill, "scn": fill,
	"G": stroke, "RG": stroke, "K": stroke, "CS": stroke, "SC": stroke, "SCN": stroke,
}

// notePaint notes the use of an initial colour, which is black in DeviceGray.
func (i *interpreter) notePaint(with int) {
	if with&fill != 0 && !i.state.fillChosen || with&stroke != 0 && !i.state.strokeChosen {
		i.noteSpaceName("DeviceGray")
	}
}

// noteColour notes where an operator uses a colour that depends on the device.
func (i *interpreter) noteColour(op *content.Op) {
	if i.document.DeviceColour != "" {
		return
	}
	switch colourOperators[op.Name] {
	case fill:
		i.state.fillChosen = true
	case stroke:
		i.state.strokeChosen = true
	}
	if with := pathPaint[op.Name]; with != 0 {
		i.notePaint(with)
		return
	}
	if space, ok := deviceOperators[op.Name]; ok {
		i.noteSpaceName(space)
		return
	}
	switch op.Name {
	case "cs", "CS":
		name, _ := op.Arg(0).(content.Name)
		if space, found := i.Entries(i.resources["ColorSpace"])[string(name)]; found {
			i.noteSpace(space, 0)
			return
		}
		i.noteSpaceName(string(name))
	case "sh":
		name, _ := op.Arg(0).(content.Name)
		shading := i.Entries(i.Entries(i.resources["Shading"])[string(name)])
		i.noteSpace(shading["ColorSpace"], 0)
	case "BI":
		i.noteInlineImage(op.Image)
	}
}

// noteSpaceName notes a device colour space that the page does not define.
func (i *interpreter) noteSpaceName(space string) {
	defaultSpace, ok := defaultSpaces[space]
	if !ok || i.document.DeviceColour != "" {
		return
	}
	if i.Entries(i.resources["ColorSpace"])[defaultSpace] == nil && i.Err() == nil {
		i.document.DeviceColour = fmt.Sprintf("page %d", i.page)
	}
}

// noteSpace follows a colour space to those that it is based on.
func (i *interpreter) noteSpace(o types.Object, depth int) {
	if depth > maxColourSpaces {
		return
	}
	switch s := i.Resolve(o).(type) {
	case types.Name:
		i.noteSpaceName(s.Value())
	case types.Array:
		if len(s) == 0 {
			return
		}
		family := i.Name(s[0])
		base := map[string]int{"Indexed": 1, "Separation": 2, "DeviceN": 2, "Pattern": 1}[family]
		if base == 0 || base >= len(s) {
			i.noteSpaceName(family)
			return
		}
		i.noteSpace(s[base], depth+1)
	}
}

// noteImage notes the colours of an image; a mask is painted in the colour to fill.
func (i *interpreter) noteImage(d types.Dict) {
	if i.document.DeviceColour != "" {
		return
	}
	if i.Boolean(d["ImageMask"]) {
		i.notePaint(fill)
		return
	}
	i.noteSpace(d["ColorSpace"], 0)
}

// inlineSpaces are the abbreviations of inline images.
var inlineSpaces = map[content.Name]string{"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}

func (i *interpreter) noteInlineImage(d content.Dict) {
	if d["IM"] == true || d["ImageMask"] == true {
		i.notePaint(fill)
		return
	}
	name, ok := d["CS"].(content.Name)
	if !ok {
		name, _ = d["ColorSpace"].(content.Name)
	}
	i.noteSpaceName(cmp.Or(inlineSpaces[name], string(name)))
}
