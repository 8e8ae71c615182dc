package xmlparse_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"einvoice/formats/xmlfile"
	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
)

func utf16Bytes(s string, order binary.AppendByteOrder) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func TestEncodings(t *testing.T) {
	declared := func(encoding, text string) string {
		return "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?><a>" + text + "</a>"
	}
	le, be := binary.LittleEndian, binary.BigEndian
	for name, c := range map[string]struct{ in, want string }{
		"UTF-8 by default":           {"<a>ü€</a>", "ü€"},
		"UTF-8 declared":             {declared("utf-8", "ü€"), "ü€"},
		"UTF-8 with a mark":          {"\ufeff" + declared("UTF-8", "ü€"), "ü€"},
		"ASCII":                      {declared("US-ASCII", "u"), "u"},
		"ISO-8859-1":                 {declared("ISO-8859-1", "\xfc\x80"), "ü\u0080"},
		"windows-1252":               {declared("windows-1252", "\xfc\x80"), "ü€"},
		"UTF-16 LE with a mark":      {utf16Bytes("\ufeff"+declared("UTF-16", "ü€𝄞"), le), "ü€𝄞"},
		"UTF-16 BE with a mark":      {utf16Bytes("\ufeff"+declared("UTF-16", "ü€𝄞"), be), "ü€𝄞"},
		"UTF-16 LE without a mark":   {utf16Bytes(declared("UTF-16LE", "ü€𝄞"), le), "ü€𝄞"},
		"UTF-16 BE without a mark":   {utf16Bytes(declared("UTF-16", "ü€𝄞"), be), "ü€𝄞"},
		"UTF-16 with a mark alone":   {utf16Bytes("\ufeff<a>ü€</a>", le), "ü€"},
		"a declaration with spaces":  {"<?xml version = '1.0' encoding\n=\t'ISO-8859-1' ?><a>\xfc</a>", "ü"},
		"encoding= in a later place": {"<?xml version='1.0'?><a><!-- encoding='ISO-8859-1' -->ü</a>", "ü"},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := xmlparse.Parse([]byte(c.in), xmlparse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := tree.Text(tree.Root()); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			var file struct {
				Text string `xml:",chardata"`
			}
			if err := xmlfile.Unmarshal([]byte(c.in), &file); err != nil || file.Text != c.want {
				t.Errorf("as another file: got %q, %v, want %q", file.Text, err, c.want)
			}
		})
	}
}

func TestEncodingsRefused(t *testing.T) {
	le := binary.LittleEndian
	const decl = "<?xml version='1.0' encoding='"
	for name, c := range map[string]struct{ in, says string }{
		"ISO-8859-1 without declaration": {"<a>\nf\xfcr</a>", "0xfc"},
		"ISO-8859-1 declared as UTF-8":   {decl + "UTF-8'?><a>f\xfcr</a>", "0xfc"},
		"surrogates in UTF-8":            {"<a>\xed\xa0\x80</a>", "0xed"},
		"overlong UTF-8":                 {"<a>\xc0\xbc</a>", "0xc0"},
		"UTF-8 cut short":                {"<a>\xe2\x82</a>", "0xe2"},
		"unsupported":                    {decl + "EBCDIC-CP-DE'?><a/>", "EBCDIC"},
		"Shift_JIS":                      {decl + "Shift_JIS'?><a/>", "Shift_JIS"},
		"UTF-16 declared, but is not":    {decl + "UTF-16'?><a/>", "UTF-16"},
		"mark against declaration":       {"\ufeff" + decl + "ISO-8859-1'?><a/>", "byte order mark"},
		"UTF-16 that declares UTF-8":     {utf16Bytes("\ufeff"+decl+"UTF-8'?><a/>", le), "UTF-16, little-endian"},
		"LE that declares BE":            {utf16Bytes("\ufeff"+decl+"UTF-16BE'?><a/>", le), "UTF-16, little-endian"},
		"half a surrogate pair":          {utf16Bytes("\ufeff<a>", le) + "\x00\xd8" + utf16Bytes("x</a>", le), "surrogate"},
		"a pair in wrong order":          {utf16Bytes("\ufeff<a>", le) + "\x00\xdc\x00\xd8" + utf16Bytes("</a>", le), "surrogate"},
		"half a pair at the end":         {utf16Bytes("\ufeff<a>", le) + "\x00\xd8", "surrogate"},
		"half a character at the end":    {utf16Bytes("\ufeff<a/>", le) + "\n", "within a character"},
		"UTF-32":                         {"\xff\xfe\x00\x00<\x00\x00\x00", "UTF-32"},
		"no name of an encoding":         {decl + "'?><a/>", "not a name"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := xmlfile.Unmarshal([]byte(c.in), &struct{}{}); err == nil && c.says != "not a name" {
				t.Error("another file in it is read")
			}
			_, err := xmlparse.Parse([]byte(c.in), xmlparse.Limits{})
			e, ok := errors.AsType[*problem.Error](err)
			if !ok {
				t.Fatalf("accepted, or another error: %v", err)
			}
			if e.Code != xmlparse.CodeEncoding || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %v, want %s that says %q", e, xmlparse.CodeEncoding, c.says)
			}
		})
	}
}

func TestNotXML(t *testing.T) {
	for in, says := range map[string]string{
		"%PDF-1.7\n":                      "a PDF",
		"PK\x03\x04\x14\x00":              "a ZIP archive",
		"\x1f\x8b\x08":                    "gzip",
		"\x89PNG\r\n":                     "PNG",
		" {\"invoice\": {}}":              "JSON",
		"[1]":                             "JSON",
		"UNB+UNOC:3":                      "EDIFACT",
		"<!DOCTYPE html><html>":           "HTML",
		"\x00\x01\x02random":              "binary data",
		"\x8f\x03\xa4\xff\x00\x99":        "binary data",
		"Dear customer, here is <invoice": "text",
		"\ufeff{}":                        "JSON",
	} {
		_, err := xmlparse.Parse([]byte(in), xmlparse.Limits{})
		e, ok := errors.AsType[*problem.Error](err)
		if !ok || e.Code != xmlparse.CodeNotXML || !strings.Contains(e.Message, says) {
			t.Errorf("%q: got %v, want %s that says %q", in, err, xmlparse.CodeNotXML, says)
		}
	}
}
