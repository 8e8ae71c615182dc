package xmlparse

import (
	"bytes"
	"strings"
)

// A signature is how files of a certain kind begin.
type signature struct{ start, kind string }

// signatures are those of the kinds of files that are sent instead of an invoice by
// mistake.
var signatures = []signature{
	{"%PDF-", "a PDF"},
	{"PK\x03\x04", "a ZIP archive (also .docx, .xlsx)"},
	{"PK\x05\x06", "an empty ZIP archive"},
	{"\x1f\x8b", "a gzip archive"},
	{"\x89PNG", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"\xd0\xcf\x11\xe0", "a Microsoft Office document or e-mail"},
	{"0\x80\x06\x09", "a signed envelope (PKCS #7)"},
	{"{\\rtf", "an RTF document"},
	{"{", "JSON"},
	{"[", "JSON"},
	{"UNA", "an EDIFACT message"},
	{"UNB+", "an EDIFACT message"},
	{"<!DOCTYPE html", "an HTML page"},
	{"<!doctype html", "an HTML page"},
}

// identify returns the kind of a file that is not XML; it is empty if the file may be
// XML.
func identify(data []byte) string {
	start := bytes.TrimLeft(data[:min(len(data), 1024)], " \t\r\n")
	for _, s := range signatures {
		if bytes.HasPrefix(start, []byte(s.start)) {
			return s.kind
		}
	}
	if len(start) == 0 || start[0] == '<' {
		return ""
	}
	if strings.ContainsFunc(string(start), func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\r\n", r) }) {
		return "binary data"
	}
	return "text without XML markup at its start"
}
