package archive

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxColorants is how many colorants PDF/A allows in a DeviceN colour space.
const maxColorants = 32

// processColorants are the colorants that need no description.
var processColorants = []string{"Cyan", "Magenta", "Yellow", "Black", "None"}

// spotNames are the names of spot colours. Each has one meaning.
type spotNames struct {
	meaning map[string]string    // by name
	named   map[[2]string]string // by the name that a meaning was asked for with, and the meaning
	last    map[string]int       // the last number that was added, by the name without one
}

// of is the name of a meaning: the one that was asked for, with a number if that has another
// meaning.
func (n *spotNames) of(name, meaning string) string {
	key := [2]string{name, meaning}
	if known, ok := n.named[key]; ok {
		return known
	}
	unique := name
	for number := max(n.last[name], 1) + 1; ; number++ {
		if have, taken := n.meaning[unique]; !taken || have == meaning {
			break
		}
		unique = fmt.Sprintf("%s %d", name, number)
		n.last[name] = number
	}
	n.meaning[unique], n.named[key] = meaning, unique
	return unique
}

// uniqueSpotName renames a Separation colour space if another one has the same name
// and another meaning, which PDF/A forbids.
func (c *converter) uniqueSpotName(s types.Array) {
	name := utf8Name(c.Name(s[1]))
	meaning := c.fingerprint(types.Array{s[2], s[3]}, 0)
	unique := c.spotNames.of(name, meaning)
	if unique != name {
		c.changed("a spot colour with two meanings has two names: " + clean(unique))
	}
	s[1] = types.Name(unique)
}

// deviceN repairs the colorants of a DeviceN colour space, and reports whether it can be
// kept.
func (c *converter) deviceN(s types.Array) bool {
	names := c.Array(s[1])
	if len(names) == 0 || len(names) > maxColorants {
		return false
	}
	if len(s) == 4 {
		s = append(s, types.Dict{})
	}
	attributes := c.Dict(s[4])
	described := c.Dict(attributes["Colorants"])
	process := c.Array(c.Dict(attributes["Process"])["Components"])
	for i, o := range names {
		name := c.Name(o)
		if !slices.ContainsFunc(process, func(p types.Object) bool { return c.Name(p) == name }) &&
			!slices.Contains(processColorants, name) && described[name] == nil {
			c.refuse(ReasonColour, "the spot colour "+clean(name)+" is not described", remedySave)
		}
		names[i] = types.Name(utf8Name(name))
	}
	for _, key := range slices.Sorted(maps.Keys(described)) {
		space := c.colourSpace(described[key], 1)
		if space == nil {
			return false
		}
		delete(described, key)
		described[utf8Name(key)] = space // as the colorants are named
	}
	if d := c.Dict(attributes["Process"]); d != nil && d["ColorSpace"] != nil {
		d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 1)
	}
	return true
}

// fingerprint is a text that is equal for objects that mean the same. Of streams it has
// a digest.
func (c *converter) fingerprint(o types.Object, depth int) string {
	if depth > maxNesting || !c.Step() {
		return ""
	}
	switch o := c.Resolve(o).(type) {
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
		if c.Bytes(len(data)) != nil {
			return ""
		}
		return c.fingerprint(entries, depth+1) + fmt.Sprintf("%x", sha256.Sum256(data))
	case nil:
		return "null"
	default:
		return o.PDFString()
	}
}
