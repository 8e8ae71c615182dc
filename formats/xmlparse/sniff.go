package xmlparse

import (
	"bytes"
	"strings"
)

// A sign is how files of some other kind begin.
type sign struct{ start, kind string }

// signs are the kinds of file that people hand in for an invoice by mistake.
var signs = []sign{
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

// identify names the kind of a file that is not XML; it is empty where the
// file may be XML.
func identify(data []byte) string {
	start := bytes.TrimLeft(data[:min(len(data), 1024)], " \t\r\n")
	for _, s := range signs {
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
