package inspect

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// The namespaces of XMP metadata that are read.
const (
	nsRDF       = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsPDFA      = "http://www.aiim.org/pdfa/ns/id/"
	nsExtension = "http://www.aiim.org/pdfa/ns/extension/"
	nsSchema    = "http://www.aiim.org/pdfa/ns/schema#"
	nsProperty  = "http://www.aiim.org/pdfa/ns/property#"
)

// Limits of XMP metadata. Sound packets have a few hundred elements.
const (
	xmpBytes    = 4 << 20
	xmpElements = 20_000
	xmpDepth    = 40
)

// An xmpNode is an element of XMP metadata. A property may be written as an
// attribute or as an element, so attributes become children as well.
type xmpNode struct {
	name xml.Name
	text string
	kids []*xmpNode
}

var errXMPLarge = errors.New("the XMP metadata are larger than any program writes them")

// parseXMP reads a packet. The nodes are copies: they do not refer to data.
func parseXMP(data []byte) (*xmpNode, error) {
	if len(data) > xmpBytes {
		return nil, errXMPLarge
	}
	top := &xmpNode{}
	open := []*xmpNode{top}
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimRight(bytes.TrimLeft(data, "\x00 \t\r\n"), "\x00 \t\r\n")))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for elements := 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return top, nil
		}
		if err != nil {
			return nil, err
		}
		parent := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			elements += 1 + len(t.Attr)
			if elements > xmpElements || len(open) > xmpDepth {
				return nil, errXMPLarge
			}
			n := &xmpNode{name: t.Name}
			for _, a := range t.Attr {
				n.kids = append(n.kids, &xmpNode{name: a.Name, text: a.Value})
			}
			parent.kids = append(parent.kids, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			parent.text += string(t)
		}
	}
}

// find appends all elements of a name below n.
func (n *xmpNode) find(space, local string, found []*xmpNode) []*xmpNode {
	for _, kid := range n.kids {
		if kid.name.Space == space && kid.name.Local == local {
			found = append(found, kid)
		}
		found = kid.find(space, local, found)
	}
	return found
}

// properties are the properties of all rdf:Description elements of a packet.
func (n *xmpNode) properties() (all []*xmpNode) {
	for _, rdf := range n.find(nsRDF, "RDF", nil) {
		for _, description := range rdf.kids {
			all = append(all, description.kids...)
		}
	}
	return all
}

// value is the text of a property; of an array, that of its first item.
func (n *xmpNode) value() string {
	if text := strings.TrimSpace(n.text); text != "" || len(n.kids) == 0 {
		return text
	}
	for _, kid := range n.kids {
		if kid.name.Space == nsRDF && kid.name.Local != "parseType" || kid.name.Local == "value" {
			return kid.value()
		}
	}
	return ""
}

// field is the text of a field of a structure, whose fields may be in an
// rdf:Description of their own.
func (n *xmpNode) field(space, local string) (string, bool) {
	for _, kid := range n.kids {
		switch {
		case kid.name.Space == space && kid.name.Local == local:
			return kid.value(), true
		case kid.name.Space == nsRDF && kid.name.Local == "Description":
			if text, ok := kid.field(space, local); ok {
				return text, ok
			}
		}
	}
	return "", false
}
