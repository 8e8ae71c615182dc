package archive

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// metadata fills what m leaves out with what the PDF says of itself.
func (c *converter) metadata(m Metadata) Metadata {
	m.Accessible = false // whether the tags are right is for people to judge
	var info types.Dict
	if c.Info != nil {
		info = c.dict(*c.Info)
	}
	old := c.packet()
	for _, f := range []struct {
		to       *string
		key, xmp string
	}{
		{&m.Title, "Title", "title"}, {&m.Author, "Author", "creator"},
		{&m.Subject, "Subject", "description"}, {&m.Creator, "Creator", "CreatorTool"},
	} {
		*f.to = cmp.Or(clean(*f.to), c.text(info[f.key]), clean(old[f.xmp]))
	}
	if left := leftOut(info); len(left) > 0 {
		c.changed("entries of the document information without a place: " + strings.Join(left, ", "))
	}
	m.Language = cmp.Or(clean(m.Language), c.text(c.catalog["Lang"]))
	return m
}

// rewritten are the entries of the document information that are kept, or that
// every program writes anew.
var rewritten = []string{"Title", "Author", "Subject", "Creator", "Producer", "CreationDate", "ModDate", "Trapped"}

// leftOut names the entries that have no place in what is written.
func leftOut(info types.Dict) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(info)) {
		if !slices.Contains(rewritten, name) {
			names = append(names, clean(name))
		}
	}
	return names
}

func (c *converter) text(o types.Object) string {
	if o = c.at(o); o == nil {
		return ""
	}
	s, err := model.Text(o)
	if err != nil {
		return ""
	}
	return clean(s)
}

// largestPacket bounds the metadata that is read.
const largestPacket = 1 << 20

// packet reads the XMP packet: for each property, its first text.
func (c *converter) packet() map[string]string {
	said := map[string]string{}
	data, err := c.content(c.catalog["Metadata"])
	if err != nil || len(data) > largestPacket {
		return said
	}
	structure := []string{"RDF", "Description", "Alt", "Seq", "Bag", "li", "xmpmeta"}
	name := ""
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if err != nil {
			return said // what could be read is kept
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(structure, token.Name.Local) {
				name = token.Name.Local
			}
			for _, a := range token.Attr {
				said[a.Name.Local] = cmp.Or(said[a.Name.Local], a.Value)
			}
		case xml.CharData:
			said[name] = cmp.Or(said[name], clean(string(token)))
		}
	}
}
