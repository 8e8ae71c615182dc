package inspect_test

import (
	"bytes"
	"strings"
	"testing"

	"einvoice/formats/pdf/pdftest"
)

// What a file begins and ends with is described as it is.
func TestEnds(t *testing.T) {
	file := bytes.TrimSuffix(pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: []byte(cii)}), []byte("\n"))
	header := func(version string) []byte {
		return bytes.Replace(file, []byte("%PDF-1.7"), []byte("%PDF-"+version), 1)
	}
	with := func(before, after string) []byte { return []byte(before + string(file) + after) }
	for _, c := range []struct {
		name                   string
		data                   []byte
		offset, version, after string
	}{
		{"sound", file, "0", "1.7", "0"},
		{"a line end", with("", "\n"), "0", "1.7", "0"},
		{"another line end", with("", "\r\n"), "0", "1.7", "0"},
		{"two line ends", with("", "\n\n"), "0", "1.7", "1"},
		{"a zero byte", with("", "\x00"), "0", "1.7", "1"},
		{"more", with("", "\nmore"), "0", "1.7", "4"},
		{"bytes before", with("\ufeff", ""), "3", "1.7", "0"},
		{"another version", header("2.0"), "0", "2.0", "0"},
		{"a version that no PDF has", header("1.8"), "0", "1.8", "0"},
		{"a version to come", header("3.1"), "0", "3.1", "0"},
		{"more in the line", header("1.7 x"), "0", "1.7 x", "0"},
		{"a long line", header("1.7" + strings.Repeat("x", 14)), "0", "1.7" + strings.Repeat("x", 13), "0"},
		{"no marker", bytes.TrimSuffix(file, []byte("%%EOF")), "0", "1.7", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := described(t, c.data)
			if d.Header == nil || d.Header.Offset.Raw != c.offset || d.Header.Version.Raw != c.version || d.BytesAfterEnd.Raw != c.after {
				t.Errorf("got %+v and %q bytes after the end", d.Header, d.BytesAfterEnd.Raw)
			}
		})
	}
}
