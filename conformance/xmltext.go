package conformance

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A markup is a tag or processing instruction with its place in the text. Test documents
// are cut out of their files as text, so that they are what the authors wrote, byte for
// byte.
type markup struct {
	start, end  int
	open, close bool
	name        string // local name of an element, or target of an instruction
	inst        string // of an instruction; empty for tags
	match       int    // of a start tag: the index of its end tag
}

// readMarkup lists the tags and processing instructions of an XML text. Those in comments
// are not listed.
func readMarkup(text []byte) ([]markup, error) {
	if i := bytes.IndexFunc(text, isNoCharacter); i >= 0 { // the decoder lets it pass in instructions
		return nil, fmt.Errorf("there is a character that XML does not allow, at byte %d", i)
	}
	var out []markup
	var stack []int
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		start := int(decoder.InputOffset())
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		p := markup{start: start, end: int(decoder.InputOffset())}
		switch t := token.(type) {
		case xml.StartElement:
			p.open, p.name = true, t.Name.Local
			stack = append(stack, len(out))
		case xml.EndElement:
			p.close, p.name = true, t.Name.Local
			if len(stack) == 0 {
				return nil, errors.New("an element ends that did not begin")
			}
			out[stack[len(stack)-1]].match = len(out)
			stack = stack[:len(stack)-1]
		case xml.ProcInst:
			p.name, p.inst = t.Target, string(t.Inst)
		case xml.Directive:
			return nil, errors.New("a document type declaration is not read")
		default:
			continue
		}
		out = append(out, p)
	}
	if len(stack) > 0 {
		return nil, errors.New("an element does not end")
	}
	return out, nil
}

// isNoCharacter reports whether XML 1.0 excludes a character (production 2), or the bytes
// are none in UTF-8.
func isNoCharacter(r rune) bool {
	return r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF || r < ' ' && r != '\t' && r != '\r' && r != '\n'
}

// rootName is the local name of the root element of a text; empty if it has none.
func rootName(text []byte) string {
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return ""
		}
		if e, ok := token.(xml.StartElement); ok {
			return e.Name.Local
		}
	}
}
