package schematron

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"einvoice/formats/xmlfile"
)

const (
	largest = 32 << 20 // bytes of an artefact
	deepest = 200
)

// An element is a part of an artefact.
type element struct {
	space, local string
	attrs        []xml.Attr
	children     []*element
	text         string // of its own, joined
	line         int
}

func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) is(space, local string) bool { return e.space == space && e.local == local }

func (e *element) each(visit func(*element)) {
	visit(e)
	for _, c := range e.children {
		c.each(visit)
	}
}

// parse reads XML without entities or a DTD.
func parse(file string, data []byte) (*element, error) {
	if len(data) > largest {
		return nil, &Error{file, 1, fmt.Sprintf("it has more than %d MB", largest>>20)}
	}
	d, err := xmlfile.Decoder(data)
	if err != nil {
		return nil, &Error{file, 1, "it is not XML: " + err.Error()}
	}
	var stack []*element
	var root *element
	for {
		t, err := d.Token()
		line, _ := d.InputPos()
		if errors.Is(err, io.EOF) && root != nil && len(stack) == 0 {
			return root, nil
		}
		if err != nil {
			return nil, &Error{file, line, "it is not XML: " + strings.TrimPrefix(err.Error(), "XML syntax error on ")}
		}
		switch t := t.(type) {
		case xml.StartElement:
			e := &element{space: t.Name.Space, local: t.Name.Local, attrs: t.Attr, line: line}
			if len(stack) > deepest {
				return nil, &Error{file, line, fmt.Sprintf("elements lie in each other more than %d deep", deepest)}
			}
			if len(stack) > 0 {
				in := stack[len(stack)-1]
				in.children = append(in.children, e)
			} else if root == nil {
				root = e
			}
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				stack[len(stack)-1].text += string(t)
			}
		}
	}
}
