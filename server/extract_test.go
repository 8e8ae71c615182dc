package server_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/pdf/pdftest"
	"einvoice/server"
)

const (
	extractXML         = "/v1/extract/xml"
	extractJSON        = "/v1/extract/json"
	extractAttachments = "/v1/extract/attachments"
	pdfType            = "application/pdf"
)

// hybrid is a PDF with an invoice of this name attached, and a picture beside it.
func hybrid(name string, invoice []byte) string {
	return string(pdftest.Hybrid(
		pdftest.File{Name: name, Relationship: "Alternative", MIME: "text/xml", Data: invoice},
		pdftest.File{Name: "logo.png", Data: []byte("\x89PNG")},
	))
}

// formOf is a form with a file of this name and type.
func formOf(name, kind, data string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\nContent-Type: " + kind + "\r\n\r\n" + data + "\r\n--b--\r\n"
}

// fileName is what an answer is to be saved under.
func (a *answer) fileName(t *testing.T) string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Disposition"))
	if err != nil || kind != "attachment" {
		t.Fatalf("Content-Disposition %q: %v", a.Header.Get("Content-Disposition"), err)
	}
	return params["filename"]
}

func TestExtractXML(t *testing.T) {
	s := shared()
	xml := string(sample(t, "cii-faulty.xml"))
	for _, c := range []struct{ name, contentType, body, file string }{
		{"a PDF", pdfType, hybrid("Factur-X.xml", []byte(xml)), "Factur-X.xml"},
		{"a PDF in a form", multipartOfB, formOf("a.pdf", pdfType, hybrid("factur-x.xml", []byte(xml))), "factur-x.xml"},
		{"a PDF of no type", multipartOfB, formOf("a", "application/octet-stream", hybrid("factur-x.xml", []byte(xml))), "factur-x.xml"},
		{"XML", "application/xml", xml, "invoice.xml"},
		{"XML said to be a PDF", pdfType, xml, "invoice.xml"},
		{"XML with a name", multipartOfB, formOf("mine.XML", "text/xml", xml), "mine.XML"},
		{"a name with folders", pdfType, hybrid("../../etc/.profile", []byte(xml)), "profile.xml"},
		{"a name of a program", pdfType, hybrid("invoice.exe", []byte(xml)), "invoice.exe.xml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.send(t, extractXML, c.contentType, c.body)
			a.wants(t, http.StatusOK, "")
			if string(a.body) != xml || a.Header.Get("Content-Type") != "application/xml" {
				t.Errorf("%d bytes of %s differ from the %d embedded ones", len(a.body), a.Header.Get("Content-Type"), len(xml))
			}
			if got := a.fileName(t); got != c.file {
				t.Errorf("it is to be saved as %q, want %q", got, c.file)
			}
		})
	}
}

// TestExtractXMLAsItIs: not even that it is XML is asked of what is attached.
func TestExtractXMLAsItIs(t *testing.T) {
	for _, text := range []string{"<a>\n<b></a>", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc\r\n</a>\n\n"} {
		a := shared().send(t, extractXML, pdfType, hybrid("factur-x.xml", []byte(text)))
		a.wants(t, http.StatusOK, "")
		if string(a.body) != text {
			t.Errorf("%q became %q", text, a.body)
		}
	}
}

// TestExtractJSON: the invoice is the same from PDF and XML, valid or not, and in
// the form that create takes.
func TestExtractJSON(t *testing.T) {
	s := shared()
	for _, file := range []string{"cii-valid.xml", "ubl-valid.xml", "ubl-faulty.xml"} {
		xml := sample(t, file)
		doc, err := formats.Read(xml, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(doc.Invoice)
		if err != nil {
			t.Fatal(err)
		}
		ofPDF, ofXML := s.send(t, extractJSON, pdfType, hybrid("factur-x.xml", xml)), s.send(t, extractJSON, "application/xml", string(xml))
		for name, a := range map[string]*answer{"PDF": ofPDF, "XML": ofXML} {
			a.wants(t, http.StatusOK, "")
			var got, expected any
			a.decode(t, &got)
			_ = json.Unmarshal(want, &expected)
			if a.Header.Get("Content-Type") != "application/json" || !equalJSON(t, got, expected) {
				t.Errorf("%s of %s: got %.300s", name, file, a.body)
			}
		}
		if !bytes.Equal(ofPDF.body, ofXML.body) {
			t.Errorf("%s: PDF and XML give different invoices", file)
		}
		if strings.Contains(file, "-valid") {
			s.create(t, file[:3], `{"invoice": `+string(ofPDF.body)+`}`).wants(t, http.StatusOK, "")
		}
	}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	one, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(one, other)
}

// files are those of a ZIP.
func (a *answer) files(t *testing.T) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(data)
	}
	return files
}

func TestExtractAttachments(t *testing.T) {
	s := shared()
	const inside = `<cac:AdditionalDocumentReference><cbc:ID>TS-1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="times.csv">MTsy</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`
	// The sample has a document inside already.
	xml := strings.Replace(string(sample(t, "ubl-faulty.xml")), "<cac:AccountingSupplierParty>", inside, 1)
	a := s.send(t, extractAttachments, pdfType, hybrid("xrechnung.xml", []byte(xml)))
	a.wants(t, http.StatusOK, "")
	if a.Header.Get("Content-Type") != "application/zip" || a.fileName(t) != "documents.zip" {
		t.Errorf("got %v", a.Header)
	}
	files := a.files(t)
	if files["xrechnung.xml"] != xml || files["times.csv"] != "1;2" || files["logo.png"] != "\x89PNG" || !strings.Contains(files["manifest.json"], "TS-1") || len(files) != 5 {
		t.Errorf("got %d files, manifest %s", len(files), files["manifest.json"])
	}
	if again := s.send(t, extractAttachments, multipartOfB, formOf("a.pdf", pdfType, hybrid("xrechnung.xml", []byte(xml)))); !bytes.Equal(again.body, a.body) {
		t.Error("the same PDF made another ZIP")
	}
	ofXML := s.send(t, extractAttachments, "application/xml", xml)
	ofXML.wants(t, http.StatusOK, "")
	if files := ofXML.files(t); files["times.csv"] != "1;2" || len(files) != 3 {
		t.Errorf("of the XML: %v", files)
	}
	// Without an invoice, the rest is there anyway.
	none := s.send(t, extractAttachments, pdfType, string(pdftest.Hybrid(pdftest.File{Name: "terms.txt", Data: []byte("x")})))
	none.wants(t, http.StatusOK, "")
	if files := none.files(t); files["terms.txt"] != "x" || !strings.Contains(files["manifest.json"], "PDF-NO-INVOICE") {
		t.Errorf("without an invoice: %v", files)
	}
}

// TestExtractRefusals: what cannot be sent elsewhere cannot be sent here.
func TestExtractRefusals(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 100_000 })
	for _, path := range []string{extractXML, extractJSON, extractAttachments} {
		s.send(t, path, "application/json", "{}").wants(t, 415, "MEDIA-TYPE-UNSUPPORTED")
		s.send(t, path, pdfType, strings.Repeat("x", 100_001)).wants(t, 413, "BODY-TOO-LARGE")
		s.send(t, path, multipartOfB, "--b--\r\n").wants(t, 400, "FILE-MISSING")
		s.send(t, path, "application/xml", "").wants(t, 422, "XML-EMPTY")
		s.send(t, path, "application/xml", "<a>\n<b></a>").wants(t, 422, "XML-SYNTAX")
		s.send(t, path, pdfType, "x", "Authorization", "Bearer x").wants(t, 401, "KEY-INVALID")
		s.get(t, path).wants(t, 405, "METHOD-NOT-ALLOWED")
	}
	s.get(t, "/v1/extract/html").wants(t, 404, "ROUTE-UNKNOWN")
	s.send(t, extractJSON, "application/xml", "<a/>").wants(t, 422, "FORMAT-UNKNOWN")
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
	if log := s.log.String(); strings.Contains(log, "factur-x") {
		t.Error("the log names an attachment")
	}
}

func TestExtractIsCounted(t *testing.T) {
	s := start(t, nil)
	s.send(t, extractXML, pdfType, hybrid("factur-x.xml", sample(t, "cii-faulty.xml"))).wants(t, http.StatusOK, "")
	s.logs(t, `"outcome":"extracted"`)
	if strings.Contains(s.log.String(), "factur-x") {
		t.Errorf("the log: %s", s.log)
	}
	metrics := string(s.get(t, "/metrics").body)
	if want := `einvoice_documents_total{format="xml",operation="extract",outcome="made"} 1`; !strings.Contains(metrics, want) {
		t.Errorf("the metrics lack %s", want)
	}
}
