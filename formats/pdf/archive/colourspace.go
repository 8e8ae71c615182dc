package archive

import (
	"encoding/binary"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxColourSpaces is how many colour spaces may be based on one another.
const maxColourSpaces = 8

// colourSpaceResource repairs a colour space among the resources.
func (c *converter) colourSpaceResource(resources types.Dict, name string) types.Object {
	d := c.Dict(resources["ColorSpace"])
	repaired := c.colourSpace(d[name], 0)
	if repaired != nil {
		d[name] = repaired
	}
	return repaired
}

// defaultColourSpaces repairs the resources that define the device colour spaces.
func (c *converter) defaultColourSpaces(resources types.Dict) {
	for _, name := range []string{"DefaultGray", "DefaultRGB", "DefaultCMYK"} {
		if c.resource(resources, "ColorSpace", name) == nil {
			continue
		}
		if c.colourSpaceResource(resources, name) == nil {
			delete(c.Dict(resources["ColorSpace"]), name)
		}
	}
}

// defineCMYK defines DeviceCMYK for a content stream that uses it, because the output
// intent is for sRGB.
func (c *converter) defineCMYK(resources types.Dict) {
	if c.resource(resources, "ColorSpace", "DefaultCMYK") != nil {
		return
	}
	d := c.Dict(resources["ColorSpace"])
	if d == nil {
		d = types.Dict{}
		resources["ColorSpace"] = d
	}
	d["DefaultCMYK"] = c.cmyk()
	c.noteUse(d, "DefaultCMYK")
}

// cmyk is the colour space of an offset press by ISO 12647-2.
func (c *converter) cmyk() types.Object {
	if c.cmykSpace == nil {
		profile := c.AddStream(types.Dict{"N": types.Integer(4)}, cmykProfile())
		c.cmykSpace = c.Add(types.Array{types.Name("ICCBased"), profile})
		c.changedOn(0, "colours for a press (DeviceCMYK) are given the meaning of ISO 12647-2")
	}
	return c.cmykSpace
}

// colourSpace is a colour space in a form that PDF/A allows; nil if it cannot be read.
func (c *converter) colourSpace(o types.Object, depth int) types.Object {
	if depth > maxColourSpaces || !c.Step() {
		return nil
	}
	number := objectNumber(o)
	if known, found := c.spaces[number]; found && number > 0 {
		return known
	}
	repaired := c.repairColourSpace(o, depth)
	if number > 0 {
		c.spaces[number] = repaired
	}
	return repaired
}

func (c *converter) repairColourSpace(o types.Object, depth int) types.Object {
	switch s := c.Resolve(o).(type) {
	case types.Name:
		switch s {
		case "DeviceGray", "DeviceRGB", "Pattern":
			return s
		case "G", "CalGray":
			return types.Name("DeviceGray")
		case "RGB", "CalRGB":
			return types.Name("DeviceRGB")
		case "DeviceCMYK", "CMYK", "CalCMYK":
			return c.cmyk()
		}
	case types.Array:
		if len(s) == 0 {
			return nil
		}
		return c.repairColourSpaceArray(o, s, depth)
	}
	return nil
}

func (c *converter) repairColourSpaceArray(o types.Object, s types.Array, depth int) types.Object {
	repairBase := func(i int) bool {
		if i >= len(s) {
			return false
		}
		s[i] = c.colourSpace(s[i], depth+1)
		return s[i] != nil
	}
	switch family := c.Name(s[0]); {
	case len(s) == 1:
		return c.colourSpace(s[0], depth+1)
	case family == "CalGray" || family == "CalRGB" || family == "Lab":
		return o
	case family == "ICCBased":
		return c.iccBased(o, s)
	case family == "Indexed" || family == "I":
		s[0] = types.Name("Indexed")
		if repairBase(1) && len(s) == 4 {
			return o
		}
	case family == "Pattern":
		if repairBase(1) {
			return o
		}
	case family == "Separation":
		if len(s) == 4 && repairBase(2) {
			c.uniqueSpotName(s)
			return o
		}
	case family == "DeviceN":
		if len(s) >= 4 && repairBase(2) && c.deviceN(s) {
			return o
		}
	}
	return nil
}

// iccBased checks an ICC profile. If it cannot be used, the device colour space with
// the same number of components takes its place.
func (c *converter) iccBased(o types.Object, s types.Array) types.Object {
	profile, ok := c.Stream(s[1])
	if !ok {
		return nil
	}
	components := c.Integer(profile.Dict["N"], 0)
	data, err := c.content(s[1])
	if err == nil && isUsableProfile(data, components) {
		removeAllBut(profile.Dict, append([]string{"N", "Range"}, streamEntries...)...)
		return o
	}
	c.changed("a colour profile that cannot be used is left out")
	switch components {
	case 1:
		return types.Name("DeviceGray")
	case 3:
		return types.Name("DeviceRGB")
	case 4:
		return c.cmyk()
	}
	return nil
}

// isUsableProfile checks the header of an ICC profile: size, version, class, colour
// space and signature.
func isUsableProfile(data []byte, components int) bool {
	if len(data) < 132 || data[8] >= 5 || string(data[36:40]) != "acsp" || int(binary.BigEndian.Uint32(data)) > len(data) {
		return false
	}
	class, space := string(data[12:16]), string(data[16:20])
	spaces := map[int][]string{1: {"GRAY"}, 3: {"RGB ", "Lab "}, 4: {"CMYK"}}
	return slices.Contains([]string{"prtr", "mntr", "scnr", "spac"}, class) && slices.Contains(spaces[components], space)
}
