package server_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/pdf/pdftest"
	"einvoice/server"

	"github.com/go-fonts/liberation/liberationserifregular"
)

// attached reads the XML out of a PDF with the service itself.
func attached(t *testing.T, pages []byte) string {
	t.Helper()
	a := shared().send(t, extractXML, pdfType, string(pages))
	a.wants(t, http.StatusOK, "")
	return string(a.body)
}

// TestCreateHybrid makes PDFs, and sends them to validate.
func TestCreateHybrid(t *testing.T) {
	body := smallest(t, `"number"`, `"typeCode": "380", "number"`)
	for _, format := range []string{"facturx", "zugferd"} {
		t.Run(format, func(t *testing.T) {
			a := shared().create(t, format, body)
			a.wants(t, http.StatusOK, "")
			for name, want := range map[string]string{
				"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="2026-0117.pdf"`,
				"Invoice-Profile": "facturx-en16931", "Invoice-Losses": "0", "Invoice-Warnings": "0",
			} {
				if got := a.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if xml := attached(t, a.body); !strings.Contains(xml, "<ram:ID>urn:cen.eu:en16931:2017</ram:ID>") {
				t.Errorf("the XML has another identifier: %.600s", xml)
			}
			shared().send(t, "/v1/validate/"+format, pdfType, string(a.body)).wants(t, http.StatusOK, "")

			m := shared().create(t, format, body, "Accept", "application/json").made(t)
			pages, err := base64.StdEncoding.DecodeString(m.Document)
			if err != nil || string(pages) != string(a.body) || m.FileName != "2026-0117.pdf" {
				t.Errorf("the envelope has another document: %v, %.60s", err, m.Document)
			}
		})
	}
	m := shared().create(t, "zugferd", smallest(t, `{"invoice"`, `{"options": {"profile": "minimum"}, "invoice"`, `"number"`, `"typeCode": "380", "number"`), "Accept", "application/json").made(t)
	if !slices.ContainsFunc(m.Losses, func(l loss) bool { return l.Field == "lines" && l.BTCode == "BG-25" }) || m.Lost != len(m.Losses) {
		t.Errorf("a profile without lines leaves out %+v", m.Losses)
	}
	p := shared().create(t, "zugferd", smallest(t, `{"invoice"`, `{"options": {"language": "tlh", "profile": "basic"}, "invoice"`, `"number"`, `"typeCode": "380", "number"`)).wants(t, 400, "REQUEST-INVALID")
	if !slices.ContainsFunc(p.Mistakes, func(m jsoninvoice.Mistake) bool {
		return m.Pointer == "/options/language" && strings.Contains(m.Message, "de")
	}) {
		t.Errorf("got %+v", p.Mistakes)
	}
	refused := shared().create(t, "facturx", smallest(t, `{"invoice"`, `{"options": {"profile": "basic"}, "invoice"`, `"number"`, `"typeCode": "380", "totals": {"roundingAmount": "0.05"}, "number"`)).wants(t, 400, "VALIDATION-FAILED")
	if !slices.ContainsFunc(refused.Losses, func(l formats.Loss) bool { return l.BTCode == "BT-114" }) {
		t.Errorf("nobody tells of BT-114: %+v", refused.Losses)
	}
}

// TestTransformHybrid makes PDFs of documents in both syntaxes, and of a PDF.
func TestTransformHybrid(t *testing.T) {
	s := shared()
	ubl, cii := string(sample(t, "ubl-valid.xml")), sample(t, "cii-valid.xml")
	for name, c := range map[string]struct{ contentType, body string }{
		"UBL": {"application/xml", ubl}, "CII": {"application/xml", string(cii)}, "PDF": {pdfType, hybrid("factur-x.xml", cii)},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.send(t, "/v1/transform/to/zugferd?language=de&date=2027-01-02", c.contentType, c.body)
			a.wants(t, http.StatusOK, "")
			if !strings.Contains(attached(t, a.body), "CrossIndustryInvoice") || !strings.Contains(string(a.body), "2027-01-02T00:00:00") {
				t.Error("the PDF has no invoice, or not the date asked for")
			}
			if english := s.send(t, "/v1/transform/to/zugferd?date=2027-01-02", c.contentType, c.body); string(english.body) == string(a.body) {
				t.Error("the language makes no difference")
			}
		})
	}
	small := s.send(t, "/v1/transform/to/facturx?profile=minimum", "application/xml", ubl)
	small.wants(t, http.StatusOK, "")
	if small.Header.Get("Invoice-Profile") != "facturx-minimum" || small.Header.Get("Invoice-Losses") == "0" {
		t.Errorf("the profile asked for gives %s with %s losses", small.Header.Get("Invoice-Profile"), small.Header.Get("Invoice-Losses"))
	}
	for query, says := range map[string]string{"profile=peppol": "minimum", "language=tlh": "de", "date=tomorrow": "2026-11-20", "date=": "2026-11-20"} {
		p := s.send(t, "/v1/transform/to/facturx?"+query, "application/xml", ubl).wants(t, 400, "OPTION-INVALID")
		if !strings.Contains(p.Detail, says) {
			t.Errorf("%s: %q does not say %q", query, p.Detail, says)
		}
	}
}

// TestRender shows documents that need not be valid.
func TestRender(t *testing.T) {
	s := shared()
	const ubl, cii, xrechnung = "/v1/render/ubl/to/pdf", "/v1/render/cii/to/pdf", "/v1/render/xrechnung/to/pdf"
	inUBL, inCII := sample(t, "ubl-faulty.xml"), sample(t, "cii-faulty.xml")
	for _, c := range []struct {
		path string
		body []byte
	}{{ubl, inUBL}, {cii, inCII}, {xrechnung, inUBL}, {xrechnung, inCII}} {
		a := s.send(t, c.path, "application/xml", string(c.body))
		a.wants(t, http.StatusOK, "")
		if !strings.HasPrefix(string(a.body), "%PDF-1.7") || a.Header.Get("Content-Type") != pdfType || !strings.HasSuffix(a.Header.Get("Content-Disposition"), `.pdf"`) {
			t.Errorf("%s: got %s, %s", c.path, a.Header.Get("Content-Type"), a.Header.Get("Content-Disposition"))
		}
		german := s.send(t, c.path, multipartOfB, "--b\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\nde\r\n"+formOf("a.xml", "application/xml", string(c.body)))
		german.wants(t, http.StatusOK, "")
		if string(german.body) == string(a.body) {
			t.Error("the language makes no difference")
		}
		var envelope struct{ Document, MediaType, FileName string }
		s.send(t, c.path, "application/xml", string(c.body), "Accept", "application/json").decode(t, &envelope)
		if pages, err := base64.StdEncoding.DecodeString(envelope.Document); err != nil || string(pages) != string(a.body) || envelope.MediaType != pdfType {
			t.Errorf("the envelope has another document: %v", err)
		}
	}
	s.send(t, ubl, "application/xml", string(inCII)).wants(t, 422, "SYNTAX-MISMATCH")
	s.send(t, cii, "application/xml", string(inUBL)).wants(t, 422, "SYNTAX-MISMATCH")
	s.send(t, xrechnung, pdfType, hybrid("factur-x.xml", inCII)).wants(t, 422, "FORMAT-PDF")
	s.send(t, ubl+"?language=tlh", "application/xml", string(inUBL)).wants(t, 400, "OPTION-INVALID")
	s.send(t, ubl+"?date=x", "application/xml", string(inUBL)).wants(t, 400, "OPTION-INVALID")
	long := strings.Replace(string(inUBL), "<cbc:Note>", "<cbc:Note>"+strings.Repeat("a\n", 150_000), 1)
	s.send(t, ubl, "application/xml", long).wants(t, 422, "PAGES-TOO-MANY")
	s.send(t, ubl, "text/plain", string(inUBL)).wants(t, 415, "MEDIA-TYPE-UNSUPPORTED")
	s.send(t, ubl, "application/xml", "x").wants(t, 422, "NOT-XML")
}

// part is one part of a form.
func part(name, contentType, body string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"a\"\r\nContent-Type: " + contentType + "\r\n\r\n" + body + "\r\n"
}

// TestEmbed attaches an invoice to a plain PDF.
func TestEmbed(t *testing.T) {
	s := shared()
	const embed = "/v1/embed/xml"
	cii, ubl := string(sample(t, "cii-valid.xml")), string(sample(t, "ubl-valid.xml"))
	plain := letter("Helvetica", "Please pay the amount of 1.00 EUR by tomorrow")
	send := func(parts ...string) *answer {
		return s.send(t, embed, multipartOfB, strings.Join(parts, "")+"--b--\r\n")
	}
	for _, name := range []string{"pdf", "file"} {
		a := send(part(name, pdfType, plain), part("xml", "application/xml", cii))
		a.wants(t, http.StatusOK, "")
		if xml := attached(t, a.body); xml != cii {
			t.Errorf("attached is %.200s", xml)
		}
		s.send(t, "/v1/validate/facturx", pdfType, string(a.body)).wants(t, http.StatusOK, "")
		again := send(part("xml", "application/octet-stream", cii), part(name, "application/octet-stream", plain))
		if string(again.body) != string(a.body) {
			t.Error("the same documents give another PDF")
		}
	}
	a := s.send(t, embed, multipartOfB, part("pdf", pdfType, plain)+part("xml", "application/xml", cii)+"--b--\r\n", "Accept", "application/json")
	m := a.made(t)
	for _, rule := range []string{"PDF-CHANGED", "CONTAINER-PRINTED-TOTAL"} { // the font was not embedded; the letter names another amount
		if !slices.ContainsFunc(m.Findings, func(f engine.Finding) bool { return f.Rule == rule && f.Layer == engine.LayerContainer }) {
			t.Errorf("no %s: %+v", rule, m.Findings)
		}
	}
	xml := part("xml", "application/xml", cii)
	for _, c := range []struct {
		name   string
		parts  []string
		status int
		code   string
	}{
		{"no PDF", []string{xml}, 400, "FILE-MISSING"},
		{"no XML", []string{part("pdf", pdfType, plain)}, 400, "FILE-MISSING"},
		{"two PDFs", []string{part("pdf", pdfType, plain), part("file", pdfType, plain), xml}, 400, "FILE-REPEATED"},
		{"two XMLs", []string{part("pdf", pdfType, plain), xml, xml}, 400, "FILE-REPEATED"},
		{"a date that is none", []string{part("pdf", pdfType, plain), xml, part("date", "text/plain", "x")}, 400, "OPTION-INVALID"},
		{"UBL", []string{part("pdf", pdfType, plain), part("xml", "application/xml", ubl)}, 422, "XML-NOT-EMBEDDABLE"},
		{"a profile that no PDF carries", []string{part("pdf", pdfType, plain), part("xml", "application/xml", strings.Replace(cii, "urn:cen.eu:en16931:2017", "urn:example", 1))}, 422, "XML-NOT-EMBEDDABLE"},
		{"an invoice that is not valid", []string{part("pdf", pdfType, plain), part("xml", "application/xml", string(sample(t, "cii-faulty.xml")))}, 400, "VALIDATION-FAILED"},
		{"no XML at all", []string{part("pdf", pdfType, plain), part("xml", "application/xml", "x")}, 422, "NOT-XML"},
		{"XML as the PDF", []string{part("pdf", pdfType, cii), xml}, 422, "NOT-PDF"},
		{"no PDF at all", []string{part("pdf", pdfType, "x"), xml}, 422, "NOT-PDF"},
		{"encrypted", []string{part("pdf", pdfType, encrypted(t, plain, "secret")), xml}, 422, "PDF-ENCRYPTED"},
		{"cut off", []string{part("pdf", pdfType, plain[:len(plain)/4]), xml}, 422, "PDF-DAMAGED"},
	} {
		t.Run(c.name, func(t *testing.T) { send(c.parts...).wants(t, c.status, c.code) })
	}
	s.send(t, embed, "application/pdf", plain).wants(t, 415, "MEDIA-TYPE-UNSUPPORTED")
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
}

// Files beside the invoice, its relationship and the level of PDF/A are options.
func TestEmbedOptions(t *testing.T) {
	s := shared()
	const embed = "/v1/embed/xml"
	documents := part("pdf", pdfType, letter("Helvetica", "Invoice")) + part("xml", "application/xml", string(sample(t, "cii-valid.xml")))
	named := func(name, contentType, body string) string {
		return strings.Replace(part("attachment", contentType, body), `filename="a"`, `filename="`+name+`"`, 1)
	}
	a := s.send(t, embed+"?relationship=Data", multipartOfB, documents+named("terms.txt", "text/plain", "thirty days")+named("folder/photo.jpg", "application/octet-stream", "JFIF")+fieldHead+"pdfa\"\r\n\r\n4f\r\n--b--\r\n")
	a.wants(t, http.StatusOK, "")
	if !strings.HasPrefix(string(a.body), "%PDF-2.0") {
		t.Errorf("it begins with %.10q", a.body)
	}
	files := s.send(t, "/v1/extract/attachments", pdfType, string(a.body))
	files.wants(t, http.StatusOK, "")
	archive, err := zip.NewReader(bytes.NewReader(files.body), int64(len(files.body)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	manifest, err := fs.ReadFile(archive, "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	for relationship, n := range map[string]int{"Data": 1, "Supplement": 3} { // of the XML; of the files, and of that inside the XML
		if got := strings.Count(strings.ReplaceAll(string(manifest), ": ", ":"), `"relationship":"`+relationship+`"`); got != n {
			t.Errorf("%d files are %s, want %d: %s", got, relationship, n, manifest)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"factur-x.xml", "manifest.json", "photo.jpg", "terms.txt", "time-sheet.pdf"}) {
		t.Errorf("attached are %q", names)
	}
	for name, form := range map[string]string{
		"relationship": fieldHead + "relationship\"\r\n\r\nSupplement\r\n",
		"level":        fieldHead + "pdfa\"\r\n\r\n2b\r\n",
		"misspelt":     fieldHead + "relationshp\"\r\n\r\nData\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s.send(t, embed, multipartOfB, documents+form+"--b--\r\n").wants(t, 400, "OPTION-INVALID")
		})
	}
	s.send(t, embed, multipartOfB, documents+strings.Replace(named("x", "text/plain", "y"), `; filename="x"`, "", 1)+"--b--\r\n").wants(t, 400, "FILE-MISSING")
}

// letter is a PDF of one page with a text in a font that is not embedded.
func letter(font, text string) string {
	var w pdftest.Writer
	face := w.Add("<< /Type /Font /Subtype /Type1 /BaseFont /" + font + " /Encoding /WinAnsiEncoding >>")
	content := w.Stream("", []byte("BT /F1 12 Tf 72 720 Td ("+text+") Tj ET"))
	pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << /Font << /F1 %s >> >>", pdftest.Ref(content), pdftest.Ref(face)))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	return string(w.Close("/Root " + pdftest.Ref(root)))
}

// A font that a PDF names and does not have is taken from the folder of the setting.
func TestEmbedWithFonts(t *testing.T) {
	fonts, face := t.TempDir(), liberationserifregular.TTF
	for _, wide := range []string{"", "\x00"} { // as Macintosh and Windows have the name
		of := func(name string) []byte { return []byte(wide + strings.Join(strings.Split(name, ""), wide)) }
		face = bytes.ReplaceAll(face, of("LiberationSerif"), of("HouseFont-Abcde"))
	}
	if err := os.WriteFile(filepath.Join(fonts, "house.ttf"), face, 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.Fonts = fonts })
	pages := letter("HouseFont-Abcde", "Invoice")
	s.send(t, "/v1/embed/xml", multipartOfB, part("pdf", pdfType, pages)+part("xml", "application/xml", string(sample(t, "cii-valid.xml")))+"--b--\r\n").wants(t, http.StatusOK, "")
}

// A PDF that cannot be made PDF/A-3 comes back with the reasons and the pages.
func TestEmbedRefuses(t *testing.T) {
	pages := letter("HouseFont", "Invoice")
	p := shared().send(t, "/v1/embed/xml", multipartOfB, part("pdf", pdfType, pages)+part("xml", "application/xml", string(sample(t, "cii-valid.xml")))+"--b--\r\n").
		wants(t, http.StatusUnprocessableEntity, "PDF-NOT-ARCHIVABLE")
	reasons := p.Errors["pdf"]
	if len(reasons) != 1 || !strings.HasPrefix(reasons[0], "[PDFA-FONT] Page 1: ") || !strings.Contains(reasons[0], "HouseFont") || !strings.Contains(p.Detail, "1 reason") {
		t.Errorf("got %q, %q", p.Detail, reasons)
	}
}
