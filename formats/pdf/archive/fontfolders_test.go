package archive_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"

	"github.com/go-fonts/liberation/liberationserifregular"
)

// renamed is a font under another name of the same length, in all of its tables.
func renamed(t *testing.T, data []byte, name, other string) []byte {
	t.Helper()
	if len(name) != len(other) {
		t.Fatal("the names have different lengths")
	}
	wide := func(s string) []byte {
		var b []byte
		for i := range len(s) {
			b = append(b, 0, s[i])
		}
		return b
	}
	data = bytes.ReplaceAll(data, []byte(name), []byte(other))
	return bytes.ReplaceAll(data, wide(name), wide(other))
}

// A font that a PDF names and does not have is taken from a folder: the one of that name,
// or one with the same widths.
func TestFontsOfFolders(t *testing.T) {
	dir := t.TempDir()
	for file, name := range map[string]string{"own.ttf": "KlingonSerifAbc", "metric.ttf": "Carlito-Regular"} {
		if err := os.WriteFile(filepath.Join(dir, file), renamed(t, liberationserifregular.TTF, "LiberationSerif", name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fonts := archive.NewFonts(dir)
	for name, want := range map[string]string{"KlingonSerifAbc": "Klingon", "ABCDEF+Calibri": "Carlito", "Calibri,Bold": "", "Unknown": ""} {
		s := sample{resources: "/Font << /F << /Type /Font /Subtype /TrueType /Encoding /WinAnsiEncoding /BaseFont /" + name + " >> >>", content: "BT /F 1 Tf (a) Tj ET"}
		result, err := archive.ConvertWith(s.build(), archive.Metadata{Date: &day}, nil, pdf.Limits{}, fonts)
		if want == "" {
			if _, refused := errors.AsType[*archive.Refused](err); !refused {
				t.Errorf("%s: got %v, want a refusal", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(result.Changes) != 1 || !strings.Contains(result.Changes[0].What, want) || !strings.Contains(result.Changes[0].What, "takes its place") {
			t.Errorf("%s: changes are %v", name, result.Changes)
		}
	}
}

// A claim that a PDF is PDF/UA is dropped, and that is told.
func TestClaimOfUA(t *testing.T) {
	for packet, told := range map[string]bool{
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:ua="http://www.aiim.org/pdfua/ns/id/" ua:part="1"/></rdf:RDF></x:xmpmeta>`: true,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:ua="http://www.aiim.org/pdfua/ns/id/"><ua:part>1</ua:part></rdf:Description></rdf:RDF>`:                        true,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="http://www.aiim.org/pdfa/ns/id/"><a:part>3</a:part></rdf:Description></rdf:RDF>`:                            false,
	} {
		s := sample{catalog: "/Metadata $1", objects: []string{""}, streams: map[int]string{1: packet}}
		result, err := archive.Convert(s.build(), archive.Metadata{Date: &day}, nil, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for _, change := range result.Changes {
			got = got || strings.Contains(change.What, "PDF/UA is removed")
		}
		if got != told {
			t.Errorf("%.120s: told is %v", packet, got)
		}
	}
}

// PDF/A-4f is PDF 2.0 without document information, and claims level F of part 4.
func TestLevel4F(t *testing.T) {
	result, err := archive.Convert(sample{}.build(), archive.Metadata{Date: &day, Level4F: true}, []archive.File{{Name: "a.xml", MIME: "text/xml", Data: []byte("<a/>")}}, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(result.Data)
	if !strings.HasPrefix(text, "%PDF-2.0\n") || !strings.Contains(text, "<pdfaid:part>4</pdfaid:part>") || !strings.Contains(text, "<pdfaid:conformance>F</pdfaid:conformance>") || strings.Contains(text, "/Info") {
		t.Error("the PDF is not a PDF/A-4f")
	}
	if _, err := archive.Convert(sample{}.build(), archive.Metadata{Date: &day, Level4F: true, Accessible: true, Title: "a", Language: "de"}, nil, pdf.Limits{}); err != nil {
		t.Errorf("a conversion never claims PDF/UA: %v", err)
	}
}
