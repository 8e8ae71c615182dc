package text

import (
	"cmp"
	"errors"
	"fmt"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// deviceOperators choose a colour that depends on the device, in the space that
// they name.
var deviceOperators = map[string]string{
	"g": "DeviceGray", "G": "DeviceGray", "rg": "DeviceRGB", "RG": "DeviceRGB", "k": "DeviceCMYK", "K": "DeviceCMYK",
}

// deviceSpaces are what a page may put in the place of a device's colours.
var deviceSpaces = map[string]string{"DeviceGray": "DefaultGray", "DeviceRGB": "DefaultRGB", "DeviceCMYK": "DefaultCMYK"}

// What operators that paint use of the two colours.
const (
	fills   = 1
	strokes = 2
)

var painting = map[string]int{
	"f": fills, "F": fills, "f*": fills, "S": strokes, "s": strokes,
	"B": fills | strokes, "B*": fills | strokes, "b": fills | strokes, "b*": fills | strokes,
}

// textPainting is what text uses, by its rendering mode.
var textPainting = [8]int{fills, strokes, fills | strokes, 0, fills, strokes, fills | strokes, 0}

// choosing are the operators that choose a colour to fill, in small letters, or to
// stroke, in capitals.
var choosing = map[string]int{
	"g": fills, "rg": fills, "k": fills, "cs": fills, "sc": fills, "scn": fills,
	"G": strokes, "RG": strokes, "K": strokes, "CS": strokes, "SC": strokes, "SCN": strokes,
}

// paint notes colours that nobody chose: they are a device's black.
func (i *interpreter) paint(with int) error {
	if with&fills != 0 && !i.state.fillChosen || with&strokes != 0 && !i.state.strokeChosen {
		return i.deviceColour("DeviceGray")
	}
	return nil
}

// colour notes where a colour depends on the device.
func (i *interpreter) colour(op *content.Op) error {
	if i.document.DeviceColour != "" {
		return nil
	}
	switch choosing[op.Name] {
	case fills:
		i.state.fillChosen = true
	case strokes:
		i.state.strokeChosen = true
	}
	if with := painting[op.Name]; with != 0 {
		return i.paint(with)
	}
	if space, ok := deviceOperators[op.Name]; ok {
		return i.deviceColour(space)
	}
	switch op.Name {
	case "cs", "CS":
		name, _ := op.Arg(0).(content.Name)
		spaces, err := i.dict(i.resources["ColorSpace"])
		if err != nil {
			return err
		}
		if own, found := spaces[string(name)]; found {
			return i.space(own, 0)
		}
		return i.deviceColour(string(name))
	case "sh":
		return i.shading(op)
	case "BI":
		return i.inlinePicture(op.Image)
	}
	return nil
}

func (i *interpreter) deviceColour(space string) error {
	standIn, ok := deviceSpaces[space]
	if !ok || i.document.DeviceColour != "" {
		return nil
	}
	spaces, err := i.dict(i.resources["ColorSpace"])
	if err == nil && spaces[standIn] == nil {
		i.document.DeviceColour = fmt.Sprintf("page %d", i.page)
	}
	return err
}

// space looks at a colour space, and at those that it is made of.
func (i *interpreter) space(o object, depth int) error {
	o, err := i.at(o)
	if err != nil || depth > 4 {
		return err
	}
	switch s := o.(type) {
	case types.Name:
		return i.deviceColour(s.Value())
	case types.Array:
		if len(s) == 0 {
			return nil
		}
		family, err := i.name(s[0])
		if err != nil {
			return err
		}
		base := map[string]int{"Indexed": 1, "Separation": 2, "DeviceN": 2, "Pattern": 1}[family]
		if base == 0 || base >= len(s) {
			return i.deviceColour(family)
		}
		return i.space(s[base], depth+1)
	}
	return nil
}

// picture looks at the colours of a picture; a mask is painted in that to fill.
func (i *interpreter) picture(d types.Dict) error {
	if i.document.DeviceColour != "" {
		return nil
	}
	if mask, err := i.at(d["ImageMask"]); err != nil || mask == types.Boolean(true) {
		return errors.Join(err, i.paint(fills))
	}
	return i.space(d["ColorSpace"], 0)
}

func (i *interpreter) shading(op *content.Op) error {
	name, _ := op.Arg(0).(content.Name)
	shadings, err := i.dict(i.resources["Shading"])
	if err != nil {
		return err
	}
	shading, err := i.dict(shadings[string(name)])
	if err != nil {
		return err
	}
	return i.space(shading["ColorSpace"], 0)
}

// inlineSpaces are the short names that pictures within a content stream use.
var inlineSpaces = map[content.Name]string{"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}

func (i *interpreter) inlinePicture(d content.Dict) error {
	if d["IM"] == true || d["ImageMask"] == true {
		return i.paint(fills)
	}
	name, ok := d["CS"].(content.Name)
	if !ok {
		name, _ = d["ColorSpace"].(content.Name)
	}
	return i.deviceColour(cmp.Or(inlineSpaces[name], string(name)))
}
