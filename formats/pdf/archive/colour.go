package archive

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// deepestSpaces is how many colour spaces may be based on one another.
const deepestSpaces = 8

// colourSpaceOf repairs a colour space among the resources.
func (c *converter) colourSpaceOf(resources types.Dict, name string) types.Object {
	d := c.dict(resources["ColorSpace"])
	repaired := c.colourSpace(d[name], 0)
	if repaired != nil {
		d[name] = repaired
	}
	return repaired
}

// defaults goes through the spaces that stand in for those of devices.
func (c *converter) defaults(resources types.Dict) {
	for _, name := range []string{"DefaultGray", "DefaultRGB", "DefaultCMYK"} {
		if c.resource(resources, "ColorSpace", name) == nil {
			continue
		}
		if c.colourSpaceOf(resources, name) == nil {
			delete(c.dict(resources["ColorSpace"]), name)
		}
	}
}

// useCMYK says what the colours of a press are, for content that uses them. The
// output intent is for sRGB.
func (c *converter) useCMYK(resources types.Dict) {
	if c.resource(resources, "ColorSpace", "DefaultCMYK") != nil {
		return
	}
	d := c.dict(resources["ColorSpace"])
	if d == nil {
		d = types.Dict{}
		resources["ColorSpace"] = d
	}
	d["DefaultCMYK"] = c.cmyk()
	c.use(d, "DefaultCMYK")
}

// cmyk is the colour space of a press by ISO 12647-2.
func (c *converter) cmyk() types.Object {
	if c.cmykSpace == nil {
		profile, err := c.addStream(types.Dict{"N": types.Integer(4)}, pressProfile())
		if err != nil {
			c.fail(err)
			return nil
		}
		space, err := c.add(types.Array{types.Name("ICCBased"), profile})
		if err != nil {
			c.fail(err)
			return nil
		}
		c.cmykSpace = space
		c.changedOn(0, "colours for a press (DeviceCMYK) are given the meaning of ISO 12647-2")
	}
	return c.cmykSpace
}

// colourSpace is a colour space as PDF/A allows it; nil if it cannot be read.
func (c *converter) colourSpace(o types.Object, depth int) types.Object {
	if depth > deepestSpaces || !c.tick() {
		return nil
	}
	number := numberOf(o)
	if known, found := c.spaces[number]; found && number > 0 {
		return known
	}
	repaired := c.repairSpace(o, depth)
	if number > 0 {
		c.spaces[number] = repaired
	}
	return repaired
}

func (c *converter) repairSpace(o types.Object, depth int) types.Object {
	switch s := c.at(o).(type) {
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
		return c.repairArray(o, s, depth)
	}
	return nil
}

func (c *converter) repairArray(o types.Object, s types.Array, depth int) types.Object {
	base := func(i int) bool {
		if i >= len(s) {
			return false
		}
		s[i] = c.colourSpace(s[i], depth+1)
		return s[i] != nil
	}
	switch kind := c.name(s[0]); {
	case len(s) == 1:
		return c.colourSpace(s[0], depth+1)
	case kind == "CalGray" || kind == "CalRGB" || kind == "Lab":
		return o
	case kind == "ICCBased":
		return c.iccBased(o, s)
	case kind == "Indexed" || kind == "I":
		s[0] = types.Name("Indexed")
		if base(1) && len(s) == 4 {
			return o
		}
	case kind == "Pattern":
		if base(1) {
			return o
		}
	case kind == "Separation":
		if len(s) == 4 && base(2) {
			c.separationName(s)
			return o
		}
	case kind == "DeviceN":
		if len(s) >= 4 && base(2) && c.deviceN(s) {
			return o
		}
	}
	return nil
}

// iccBased checks that a profile is one; else the colours are those of devices.
func (c *converter) iccBased(o types.Object, s types.Array) types.Object {
	profile, ok := c.at(s[1]).(types.StreamDict)
	if !ok {
		return nil
	}
	channels := c.integer(profile.Dict["N"], 0)
	data, err := c.content(s[1])
	if err == nil && soundProfile(data, channels) {
		keep(profile.Dict, "N", "Range", "Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms")
		return o
	}
	c.changed("a colour profile that cannot be used is left out")
	switch channels {
	case 1:
		return types.Name("DeviceGray")
	case 3:
		return types.Name("DeviceRGB")
	case 4:
		return c.cmyk()
	}
	return nil
}

// soundProfile looks at the header of a profile.
func soundProfile(data []byte, channels int) bool {
	if len(data) < 132 || data[8] >= 5 || string(data[36:40]) != "acsp" || int(binary.BigEndian.Uint32(data)) > len(data) {
		return false
	}
	class, space := string(data[12:16]), string(data[16:20])
	spaces := map[int][]string{1: {"GRAY"}, 3: {"RGB ", "Lab "}, 4: {"CMYK"}}
	return slices.Contains([]string{"prtr", "mntr", "scnr", "spac"}, class) && slices.Contains(spaces[channels], space)
}

// separationName gives separations of one name that differ from each other
// different names, as PDF/A wants it.
func (c *converter) separationName(s types.Array) {
	name := legible(c.name(s[1]))
	meaning := c.fingerprint(types.Array{s[2], s[3]}, 0)
	unique := name
	for n := 2; ; n++ {
		known, taken := c.separation[unique]
		if !taken || known == meaning {
			break
		}
		unique = fmt.Sprintf("%s %d", name, n)
	}
	if unique != name {
		c.changed("a spot colour with two meanings has two names: " + clean(unique))
	}
	c.separation[unique] = meaning
	s[1] = types.Name(unique)
}

// processColourants need no description.
var processColourants = []string{"Cyan", "Magenta", "Yellow", "Black", "None"}

func (c *converter) deviceN(s types.Array) bool {
	names := c.array(s[1])
	if len(names) == 0 || len(names) > 32 {
		return false
	}
	if len(s) == 4 {
		s = append(s, types.Dict{})
	}
	attributes := c.dict(s[4])
	described := c.dict(attributes["Colorants"])
	process := c.array(c.dict(attributes["Process"])["Components"])
	for i, o := range names {
		name := c.name(o)
		if !slices.ContainsFunc(process, func(p types.Object) bool { return c.name(p) == name }) &&
			!slices.Contains(processColourants, name) && described[name] == nil {
			c.refuse(ReasonColour, "the spot colour "+clean(name)+" is not described", remedySave)
		}
		names[i] = types.Name(legible(name))
	}
	for _, key := range slices.Sorted(maps.Keys(described)) {
		if described[key] = c.colourSpace(described[key], 1); described[key] == nil {
			return false
		}
	}
	if d := c.dict(attributes["Process"]); d != nil && d["ColorSpace"] != nil {
		d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 1)
	}
	return true
}

// fingerprint is the same for objects that mean the same.
func (c *converter) fingerprint(o types.Object, depth int) string {
	if depth > deepest || !c.tick() {
		return ""
	}
	switch o := c.at(o).(type) {
	case types.Array:
		parts := make([]string, len(o))
		for i := range o {
			parts[i] = c.fingerprint(o[i], depth+1)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case types.Dict:
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(o)) {
			b.WriteString("/" + key + " " + c.fingerprint(o[key], depth+1))
		}
		return "<<" + b.String() + ">>"
	case types.StreamDict:
		data, err := c.decode(o)
		if err != nil || o.Content != nil {
			data = o.Content
		}
		entries := maps.Clone(o.Dict)
		for _, key := range []string{"Length", "Filter", "DecodeParms"} {
			delete(entries, key)
		}
		return c.fingerprint(entries, depth+1) + string(data)
	case nil:
		return "null"
	default:
		return o.PDFString()
	}
}
