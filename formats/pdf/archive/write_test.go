package archive_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/pdftest"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

var day = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

var metadata = archive.Metadata{
	Title: "Rechnung für <42> & mehr", Author: "Müller", Subject: "Invoice", Language: "de", Date: &day,
	Invoice: &archive.Invoice{FileName: "factur-x.xml", ConformanceLevel: "EN 16931", Version: "1.0"},
}

var invoiceXML = archive.File{
	Name: "factur-x.xml", Description: "the invoice", MIME: "text/xml", Relationship: "Alternative", Data: []byte("<invoice/>"),
}

// document reads a PDF of one empty page with these entries in its catalog.
func document(tb testing.TB, catalog string, files ...pdftest.File) *pdf.Document {
	tb.Helper()
	var w pdftest.Writer
	names := ""
	for _, f := range files {
		names += fmt.Sprintf("(%s) %s ", f.Name, pdftest.Ref(w.Attach(f)))
	}
	pages := w.Pages(1, "")
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " /Names << /EmbeddedFiles << /Names [" + names + "] >> >> " + catalog + " >>")
	return open(tb, w.Close("/Root "+pdftest.Ref(root))).Document()
}

func open(tb testing.TB, data []byte) *pdf.Container {
	tb.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func write(tb testing.TB, d *pdf.Document, m archive.Metadata, files ...archive.File) []byte {
	tb.Helper()
	data, err := archive.Write(tb.Context(), d, m, files)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestWriteAttaches(t *testing.T) {
	old := pdftest.File{Name: "old.xml", Data: []byte("old")}
	c := open(t, write(t, document(t, "", old), metadata, invoiceXML, archive.File{Name: "../Ü/Plan.pdf", Data: []byte("%PDF")}, archive.File{Name: "PLAN.pdf"}))
	if len(c.Attachments) != 3 {
		t.Fatalf("%d files are attached", len(c.Attachments))
	}
	a := c.Attachments[2] // the tree is sorted by name, and capitals come first
	data, err := a.Data()
	if err != nil || string(data) != "<invoice/>" || a.Name != "factur-x.xml" {
		t.Errorf("%s is %s, %v", a.Name, data, err)
	}
	if a.Places != pdf.InNameTree|pdf.InDocumentAF || a.MIME != "text/xml" || a.Relationship != "Alternative" ||
		a.Description != "the invoice" || a.Size != 10 || !a.Modified.Equal(day) || !a.Created.Equal(day) ||
		fmt.Sprintf("%x", a.CheckSum) != "dfad0e97c1cfade81341ee51f96a955f" {
		t.Errorf("%s is described wrongly: %x", a.Name, a.CheckSum)
	}
	for i, want := range map[int]string{0: "PLAN-2.pdf", 1: "Plan.pdf"} {
		if b := c.Attachments[i]; b.Name != want || b.Relationship != "Unspecified" || b.MIME != "application/octet-stream" {
			t.Errorf("%s is described wrongly, want %s", b.Name, want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	without := func(change func(*archive.Metadata)) archive.Metadata {
		m := metadata
		change(&m)
		return m
	}
	for name, c := range map[string]struct {
		m    archive.Metadata
		file archive.File
		want string
	}{
		"no date":      {without(func(m *archive.Metadata) { m.Date = nil }), invoiceXML, "date"},
		"no title":     {without(func(m *archive.Metadata) { m.Accessible, m.Title = true, "\x00 " }), invoiceXML, "Title"},
		"no language":  {without(func(m *archive.Metadata) { m.Accessible, m.Language = true, "" }), invoiceXML, "Language"},
		"relationship": {metadata, archive.File{Name: "a", Relationship: "Cousin"}, "Alternative"},
	} {
		if _, err := archive.Write(t.Context(), document(t, ""), c.m, []archive.File{c.file}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := archive.Write(t.Context(), nil, metadata, nil); err == nil {
		t.Error("nothing is written without an error")
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	first := write(t, document(t, "/PageMode /UseNone /Lang (en)"), metadata, invoiceXML)
	for range 5 {
		if !bytes.Equal(first, write(t, document(t, "/PageMode /UseNone /Lang (en)"), metadata, invoiceXML)) {
			t.Fatal("the same document differs")
		}
	}
	if again := write(t, open(t, first).Document(), metadata, invoiceXML); len(again) != len(first) {
		t.Errorf("written again it has %d bytes, not %d", len(again), len(first))
	}
}

// Entries of the catalog about the pages are kept; those about the document are written
// again.
func TestWriteCatalog(t *testing.T) {
	c := open(t, write(t, document(t, "/Version /1.4 /MarkInfo << /Marked true >> /StructTreeRoot << /Type /StructTreeRoot >> /Lang (en) "+
		"/ViewerPreferences << /FitWindow true >> /OutputIntents [1 2 3] /PageLayout /SinglePage"), metadata))
	root, err := c.Document().Catalog()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"MarkInfo": "<</Marked true>>", "StructTreeRoot": "<</Type/StructTreeRoot>>", "Lang": "(de)", "PageLayout": "SinglePage",
		"ViewerPreferences": "<</DisplayDocTitle true/FitWindow true>>", "Names": "<<>>",
	} {
		if got := root[key].PDFString(); strings.TrimPrefix(got, "/") != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if root["AF"] != nil || root["Version"] != nil || len(root["OutputIntents"].(types.Array)) != 1 {
		t.Errorf("the catalog is %s", root.PDFString())
	}
}

// The XMP packet and the information dictionary have the same texts.
func TestWriteMetadata(t *testing.T) {
	data := write(t, document(t, ""), metadata, invoiceXML)
	from, to := bytes.Index(data, []byte("<?xpacket begin")), bytes.Index(data, []byte("<?xpacket end"))
	if from < 0 || to < from {
		t.Fatal("no packet is legible in the file")
	}
	said := map[string]string{}
	for decoder, name := xml.NewDecoder(bytes.NewReader(data[from:to])), ""; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Space != "http://www.w3.org/1999/02/22-rdf-syntax-ns#" {
				name = token.Name.Local
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(token)); s != "" && said[name] == "" {
				said[name] = s
			}
		}
	}
	c := open(t, data)
	info := c.Reader(100, time.Now().Add(time.Minute)).Dict(c.Document().Info())
	for key, want := range map[string][2]string{
		"Title": {"title", metadata.Title}, "Author": {"creator", "Müller"}, "Subject": {"description", "Invoice"},
		"Creator": {"CreatorTool", "einvoice"}, "Producer": {"Producer", "einvoice"},
	} {
		if got, err := model.Text(info[key]); err != nil || got != want[1] || said[want[0]] != want[1] {
			t.Errorf("%s: %q and %q, %v", key, got, said[want[0]], err)
		}
	}
	for key, want := range map[string]string{
		"part": "3", "conformance": "B", "CreateDate": "2026-03-04T05:06:07+00:00", "ConformanceLevel": "EN 16931",
		"DocumentFileName": "factur-x.xml", "Version": "1.0", "DocumentType": "INVOICE",
	} {
		if said[key] != want {
			t.Errorf("%s is %q, want %q", key, said[key], want)
		}
	}
	if got := info["CreationDate"].PDFString(); got != "(D:20260304050607+00'00')" {
		t.Errorf("created %s", got)
	}
}
