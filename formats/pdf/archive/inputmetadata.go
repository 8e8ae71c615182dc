package archive

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

const droppedUA = "the claim of PDF/UA is removed, because only people can judge whether the PDF is still accessible"

// metadata completes m with what the PDF says about itself.
func (c *converter) metadata(m Metadata) Metadata {
	info := c.Dict(c.Info())
	xmp := c.xmpTexts()
	m.Accessible = false // only people can judge whether the tags are right
	if xmp[claimOfUA] != "" {
		c.changed(droppedUA)
	}
	for _, f := range []struct {
		to            *string
		key, property string
	}{
		{&m.Title, "Title", "title"}, {&m.Author, "Author", "creator"},
		{&m.Subject, "Subject", "description"}, {&m.Keywords, "Keywords", "Keywords"}, {&m.Creator, "Creator", "CreatorTool"},
	} {
		*f.to = cmp.Or(clean(*f.to), c.cleanText(info[f.key]), clean(xmp[f.property]))
	}
	if names := removedEntries(info); len(names) > 0 {
		c.changed("entries of the document information without a place are removed: " + strings.Join(names, ", "))
	}
	m.Language = cmp.Or(clean(m.Language), c.cleanText(c.catalog["Lang"]))
	return m
}

// infoEntries are the entries of the information dictionary that are kept or written
// again.
var infoEntries = []string{"Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped"}

// removedEntries are the names of the entries that are lost.
func removedEntries(info types.Dict) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(info)) {
		if !slices.Contains(infoEntries, name) {
			names = append(names, clean(name))
		}
	}
	return names
}

// claimOfUA is the key of the part of PDF/UA that a packet claims.
const claimOfUA = "pdfuaid:part"

// maxPacketBytes bounds the XMP packet that is read.
const maxPacketBytes = 1 << 20

// describing are the namespaces of what a packet says about its document. Others use the same
// names: a PDF/A extension schema has a description of each of its properties.
var describing = []string{"http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/pdf/1.3/", "http://ns.adobe.com/xap/1.0/"}

// xmpTexts is the first text of each property of the XMP packet that describes the document,
// by local name, as far as the packet can be read.
func (c *converter) xmpTexts() map[string]string {
	texts := map[string]string{}
	data, err := c.content(c.catalog["Metadata"])
	if err != nil || len(data) > maxPacketBytes {
		return texts
	}
	structure := []string{"RDF", "Description", "Alt", "Seq", "Bag", "li", "xmpmeta"}
	property := ""
	for decoder := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if err != nil {
			return texts
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(structure, token.Name.Local) {
				property = ""
				if slices.Contains(describing, token.Name.Space) {
					property = token.Name.Local
				}
			}
			if token.Name.Space == namespaceUA && token.Name.Local == "part" {
				property = claimOfUA
			}
			for _, a := range token.Attr {
				if a.Name.Space == namespaceUA && a.Name.Local == "part" {
					texts[claimOfUA] = a.Value
				}
				if slices.Contains(describing, a.Name.Space) {
					texts[a.Name.Local] = cmp.Or(texts[a.Name.Local], a.Value)
				}
			}
		case xml.CharData:
			if property != "" {
				texts[property] = cmp.Or(texts[property], clean(string(token)))
			}
		}
	}
}
