package xmlparse

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/charmap"

	"einvoice/model/problem"
	"einvoice/model/source"
)

const useUTF8 = "save the document as UTF-8, and declare encoding=\"UTF-8\" or nothing"

// The families of encodings, which the first bytes show. The encoding declaration can
// only be read after the family is known, and must agree with it.
const (
	asciiFamily = "UTF-8 or another ASCII-compatible encoding"
	utf8Marked  = "UTF-8 with a byte order mark"
	utf16LE     = "UTF-16, little-endian"
	utf16BE     = "UTF-16, big-endian"
)

// usualBeginning is how most documents begin. Nothing in it leaves the encoding open.
const usualBeginning = `<?xml version="1.0" encoding="UTF-8"`

// Text returns the text of a document as UTF-8 without a byte order mark. The error is a
// *problem.Error about its encoding.
func Text(data []byte) (string, error) {
	text, err := decode(data)
	if err != nil { // not a nil *problem.Error in an error
		return "", err
	}
	return text, nil
}

// decode returns the document's text as UTF-8 without a byte order mark. The text
// shares the memory of data if data is UTF-8 already.
func decode(data []byte) (string, *problem.Error) {
	if bytes.HasPrefix(data, []byte(usualBeginning)) {
		return unsafe.String(unsafe.SliceData(data), len(data)), nil
	}
	family, body := detect(data)
	var text string
	switch family {
	case "":
		return "", &problem.Error{Code: CodeEncoding, Message: "the document is in UTF-32, which is not supported", Remedy: useUTF8}
	case utf16LE, utf16BE:
		var err *problem.Error
		if text, err = decodeUTF16(body, family); err != nil {
			return "", err
		}
	default:
		if kind := identify(body); kind != "" {
			return "", notXML(kind)
		}
		text = unsafe.String(unsafe.SliceData(body), len(body))
	}
	declared, at := declaredEncoding(text)
	contradiction := func() (string, *problem.Error) {
		return "", &problem.Error{
			Code: CodeEncoding, Position: source.PositionIn(text, at),
			Message: "the document declares encoding \"" + declared + "\" but its bytes are " + family,
			Remedy:  "declare the encoding that the document is saved in",
		}
	}
	switch name := strings.ToUpper(declared); name {
	case "":
		return text, nil // UTF-8 by default, or UTF-16 by its byte order mark
	case "UTF-8", "UTF8", "US-ASCII", "ASCII":
		if family == utf16LE || family == utf16BE {
			return contradiction()
		}
		return text, nil
	case "UTF-16":
		if family != utf16LE && family != utf16BE {
			return contradiction()
		}
		return text, nil
	case "UTF-16LE", "UTF-16BE":
		if (name == "UTF-16LE") != (family == utf16LE) || (name == "UTF-16BE") != (family == utf16BE) {
			return contradiction()
		}
		return text, nil
	case "ISO-8859-1", "ISO8859-1", "LATIN1":
		if family != asciiFamily {
			return contradiction()
		}
		return decodeBytes(body, charmap.ISO8859_1), nil
	case "WINDOWS-1252", "CP1252":
		if family != asciiFamily {
			return contradiction()
		}
		return decodeBytes(body, charmap.Windows1252), nil
	}
	return "", &problem.Error{
		Code: CodeEncoding, Position: source.PositionIn(text, at),
		Message: "the document declares encoding \"" + declared + "\", which is not supported",
		Remedy:  "use UTF-8, UTF-16, ISO-8859-1 or windows-1252",
	}
}

// detect determines the family of encodings from the first bytes, as appendix F of
// the XML recommendation describes, and removes the byte order mark. The family is
// empty for UTF-32.
func detect(data []byte) (family string, body []byte) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return utf8Marked, data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")),
		bytes.HasPrefix(data, []byte("<\x00\x00\x00")), bytes.HasPrefix(data, []byte("\x00\x00\x00<")):
		return "", data
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return utf16LE, data[2:]
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return utf16BE, data[2:]
	case bytes.HasPrefix(data, []byte("<\x00")):
		return utf16LE, data
	case bytes.HasPrefix(data, []byte("\x00<")):
		return utf16BE, data
	}
	return asciiFamily, data
}

// decodeUTF16 refuses incomplete surrogate pairs and characters, which the decoder of
// golang.org/x/text replaces silently.
func decodeUTF16(body []byte, family string) (string, *problem.Error) {
	unit := binary.LittleEndian.Uint16
	if family == utf16BE {
		unit = binary.BigEndian.Uint16
	}
	out := make([]byte, 0, len(body)/2+len(body)/16)
	broken := func(what string) (string, *problem.Error) {
		return "", &problem.Error{
			Code: CodeEncoding, Position: source.PositionIn(string(out), len(out)),
			Message: what + " (read as " + family + ")", Remedy: useUTF8,
		}
	}
	for i := 0; i < len(body); i += 2 {
		if i+1 == len(body) {
			return broken("the document ends within a character")
		}
		r := rune(unit(body[i:]))
		if utf16.IsSurrogate(r) {
			if i+3 >= len(body) {
				return broken("half a surrogate pair")
			}
			if r = utf16.DecodeRune(r, rune(unit(body[i+2:]))); r == utf8.RuneError {
				return broken("half a surrogate pair")
			}
			i += 2
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), nil
}

func decodeBytes(body []byte, from *charmap.Charmap) string {
	var b strings.Builder
	b.Grow(len(body) + len(body)/8)
	for _, c := range body {
		b.WriteRune(from.DecodeByte(c))
	}
	return b.String()
}

// declaredEncoding finds the value of the encoding declaration, and its offset. It does
// not check the XML declaration, because the parser does that later.
func declaredEncoding(text string) (value string, at int) {
	if !strings.HasPrefix(text, "<?xml") {
		return "", 0
	}
	end := strings.Index(text, "?>")
	if end < 0 {
		return "", 0
	}
	at = strings.Index(text[:end], "encoding")
	if at < 0 {
		return "", 0
	}
	rest := strings.TrimLeft(text[at+len("encoding"):end], " \t\r\n=")
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", 0
	}
	value, _, _ = strings.Cut(rest[1:], rest[:1])
	return value, at
}

func notXML(kind string) *problem.Error {
	return &problem.Error{Code: CodeNotXML, Message: "this is " + kind + ", not an XML document", Remedy: "send the XML document itself"}
}
