package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/engine"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/sampled"
	"einvoice/server"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// encrypted is a PDF that opens with this password.
func encrypted(t *testing.T, whole, password string) string {
	t.Helper()
	var b bytes.Buffer
	err := api.Encrypt(strings.NewReader(whole), &b, &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Eol: "\n", Limits: model.DefaultResourceLimits(),
		UserPW: password, OwnerPW: "owner", EncryptUsingAES: true, EncryptKeyLength: 256, Permissions: model.PermissionsNone,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPDFRefusals brings about what can be wrong with a PDF, wherever PDFs are
// taken.
func TestPDFRefusals(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 100_000 })
	cii := sample(t, "cii-valid.xml")
	whole := hybrid("factur-x.xml", cii)
	other := bytes.Replace(cii, []byte("</"), []byte("\n</"), 1)
	for _, c := range []struct {
		name, body, code, says string
		opens                  bool // all attachments can be had anyway
	}{
		{"a picture", "\x89PNG\r\n\x1a\n", "NOT-PDF", "sent as a PDF", false},
		{"nothing", "", "NOT-PDF", "", false},
		{"encrypted", encrypted(t, whole, "secret"), "PDF-ENCRYPTED", "password", false},
		{"no more than a header", "%PDF-1.7", "PDF-DAMAGED", "damaged", false},
		{"cut off", whole[:len(whole)/4], "PDF-DAMAGED", "damaged", false},
		{"nothing attached", string(pdftest.Hybrid()), "PDF-NO-ATTACHMENT", "nothing is attached", false},
		{"no invoice", string(pdftest.Hybrid(pdftest.File{Name: "terms.txt", Data: []byte("x")})), "PDF-NO-INVOICE", "terms.txt", true},
		{"two invoices", string(pdftest.Hybrid(
			pdftest.File{Name: "factur-x.xml", Data: cii}, pdftest.File{Name: "xrechnung.xml", Data: other})), "PDF-SEVERAL-INVOICES", "factur-x.xml, xrechnung.xml", true},
		{"a bomb", hybrid("factur-x.xml", make([]byte, 1<<20)), "PDF-LIMIT", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{extractXML, extractJSON, "/v1/validate/en16931", "/v1/transform/to/ubl", "/v1/transform/to/xrechnung"} {
				for contentType, body := range map[string]string{pdfType: c.body, multipartOfB: formOf("a.pdf", pdfType, c.body)} {
					p := s.send(t, path, contentType, body).wants(t, http.StatusUnprocessableEntity, c.code)
					if !strings.Contains(strings.ToLower(p.Detail), strings.ToLower(c.says)) {
						t.Errorf("%s: the detail %q does not say %q", path, p.Detail, c.says)
					}
				}
			}
			a := s.send(t, extractAttachments, pdfType, c.body)
			if c.opens {
				a.wants(t, http.StatusOK, "")
				if files := a.files(t); !strings.Contains(files["manifest.json"], c.code) {
					t.Errorf("the manifest does not tell: %s", files["manifest.json"])
				}
			} else {
				a.wants(t, http.StatusUnprocessableEntity, c.code)
			}
		})
	}
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
}

// TestPDFWhereXMLAlone: the contract has PDFs at some endpoints only; the others
// say where to go.
func TestPDFWhereXMLAlone(t *testing.T) {
	body := hybrid("factur-x.xml", sample(t, "cii-valid.xml"))
	for _, path := range []string{"/v1/validate/xrechnung", "/v1/validate/ubl", "/v1/validate/cii", toUBL, toCII} {
		shared().send(t, path, pdfType, body).wants(t, http.StatusUnprocessableEntity, "FORMAT-PDF")
	}
}

// TestPDFOpensWithoutPassword: such a PDF is protected against changes, not
// against being read.
func TestPDFOpensWithoutPassword(t *testing.T) {
	xml := sample(t, "cii-valid.xml")
	a := shared().send(t, extractXML, pdfType, encrypted(t, hybrid("factur-x.xml", xml), ""))
	a.wants(t, http.StatusOK, "")
	if !bytes.Equal(a.body, xml) {
		t.Error("the XML is another one")
	}
}

// TestPlaceInAttachment: a place in a file that nobody sees needs the file's name.
func TestPlaceInAttachment(t *testing.T) {
	body := hybrid("factur-x.xml", []byte("<a>\n<b></a>"))
	for _, path := range []string{extractJSON, "/v1/validate/en16931", "/v1/transform/to/cii"} {
		p := shared().send(t, path, pdfType, body).wants(t, http.StatusUnprocessableEntity, "XML-SYNTAX")
		if p.Line != 2 || p.Column != 4 || !strings.HasPrefix(p.Detail, `In the attachment "factur-x.xml": Line 2, column 4`) {
			t.Errorf("%s: line %d, column %d: %s", path, p.Line, p.Column, p.Detail)
		}
	}
	a := shared().send(t, "/v1/validate/en16931", pdfType, hybrid("factur-x.xml", sample(t, "cii-faulty.xml")), "Accept", "text/html")
	if a.StatusCode != http.StatusBadRequest || !strings.Contains(string(a.body), "factur-x.xml") {
		t.Errorf("%d, and the page does not name the attachment", a.StatusCode)
	}
}

// TestTransformPDF: what is attached is transformed as if it had been sent.
func TestTransformPDF(t *testing.T) {
	xml := sample(t, "cii-valid.xml")
	for _, format := range []string{"ubl", "cii"} {
		path := "/v1/transform/to/" + format
		ofPDF, ofXML := shared().send(t, path, pdfType, hybrid("factur-x.xml", xml)), shared().send(t, path, "application/xml", string(xml))
		ofPDF.wants(t, http.StatusOK, "")
		if !bytes.Equal(ofPDF.body, ofXML.body) {
			t.Errorf("to %s: PDF and XML make different documents", format)
		}
	}
}

// TestPDFTimeout: the time of a request is over for PDFs as for XML.
func TestPDFTimeout(t *testing.T) {
	s := start(t, func(c *server.Config) { c.RequestTimeout = time.Millisecond })
	var w pdftest.Writer
	pages := w.Pages(5000, "") // which take some 30 ms
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	large := string(w.Close("/Root " + pdftest.Ref(root) + " /ID [<00><00>]"))
	for _, path := range []string{extractXML, extractJSON, extractAttachments, "/v1/validate/en16931", "/v1/transform/to/ubl"} {
		s.send(t, path, pdfType, large).wants(t, http.StatusServiceUnavailable, "VALIDATION-TIMEOUT")
	}
}

// TestPDFLimits: a PDF may be as large as a body, and some times that when decoded.
func TestPDFLimits(t *testing.T) {
	if options := server.ReadOptions(100_000); options.PDF.Bytes != 100_000 || options.PDF.Decoded != 400_000 || options.Read.Limits.Bytes != 100_000 {
		t.Errorf("got %+v", options)
	}
}

// TestPDFCorpus: of every PDF of the corpus the recorded XML comes out, and
// validating the PDF finds what validating that XML finds.
func TestPDFCorpus(t *testing.T) {
	corpus := filepath.Join("..", "..", "shared", "suites", "zugferd-corpus")
	files, err := filepath.Glob(filepath.Join(corpus, "pdf", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("skipped: %s is not there", filepath.Join(corpus, "pdf"))
	}
	judged, findings := 0, 0
	for i, file := range files {
		if !sampled.Takes(i, 3) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".pdf")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := shared().send(t, extractXML, pdfType, string(data))
		a.wants(t, http.StatusOK, "")
		want, err := os.ReadFile(filepath.Join(corpus, "xml", name+"--"+a.fileName(t)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.body, want) {
			t.Errorf("%s: %d bytes differ from the %d that are recorded", name, len(a.body), len(want))
		}
		ofPDF, attachment, n := verdict(t, data, pdfType)
		ofXML, none, _ := verdict(t, want, "application/xml")
		if ofPDF != ofXML || none != "" {
			t.Errorf("%s:\nPDF %s\nXML %s", name, ofPDF, ofXML)
		}
		if attachment != "" {
			judged++
			findings += n
			if attachment != a.fileName(t) {
				t.Errorf("%s: the report names %q", name, attachment)
			}
		}
	}
	t.Logf("%d PDFs, %d judged, %d findings", len(files), judged, findings)
	if len(files)-judged > 5 && sampled.Whole() || judged < 10 || findings < sampled.Of(10, 3) {
		t.Errorf("of %d PDFs %d were judged, with %d findings: too little was compared", len(files), judged, findings)
	}
}

// verdict is what validating says of the invoice, with the name of the attachment
// aside; of what cannot be read, the code. What is said of the PDF is left out:
// the invoice's verdict is the same with it and without.
func verdict(t *testing.T, data []byte, contentType string) (text, attachment string, findings int) {
	t.Helper()
	a := shared().send(t, "/v1/validate/en16931", contentType, string(data))
	var v struct {
		ErrorCode string
		Errors    map[string][]string
		Profile   string
		Findings  []engine.Finding
		Report    struct {
			SchemaValid *bool
			Attachment  string
		}
	}
	a.decode(t, &v)
	if a.StatusCode == http.StatusUnprocessableEntity {
		return v.ErrorCode, "", 0
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(f engine.Finding) bool {
		if f.Layer == engine.LayerContainer && f.Level == engine.Fatal {
			t.Errorf("%s decides over the invoice", f.Rule)
		}
		return f.Layer == engine.LayerContainer
	})
	attachment, v.Report.Attachment = v.Report.Attachment, ""
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %s", a.StatusCode, out), attachment, len(v.Findings)
}

// TestHybrids: Factur-X and ZUGFeRD are judged with the PDF around them; EN 16931
// only tells of it.
func TestHybrids(t *testing.T) {
	xml := sample(t, "cii-valid.xml")
	plain := hybrid("factur-x.xml", xml) // claims nothing
	for _, format := range []string{"facturx", "zugferd"} {
		path := "/v1/validate/" + format
		a := shared().send(t, path, pdfType, plain)
		a.wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		r := a.result(t)
		if !slices.Contains(r.rules(), "CONTAINER-CLAIM") || r.Report.Standard != format || r.Report.Profile != "Factur-X / ZUGFeRD EN 16931" {
			t.Errorf("%s: %s %s %q", path, r.Report.Standard, r.Report.Profile, r.rules())
		}
		p := shared().send(t, path, "application/xml", string(xml)).wants(t, http.StatusUnprocessableEntity, "NOT-PDF")
		if !strings.Contains(p.Detail, "/v1/validate/cii") {
			t.Errorf("%s: %s", path, p.Detail)
		}
		p = shared().send(t, path, pdfType, hybrid("invoice.xml", sample(t, "ubl-valid.xml"))).wants(t, http.StatusUnprocessableEntity, "SYNTAX-MISMATCH")
		if !strings.Contains(p.Detail, "/v1/validate/en16931") {
			t.Errorf("%s: %s", path, p.Detail)
		}
	}
	a := shared().send(t, "/v1/validate/en16931", pdfType, plain)
	a.wants(t, http.StatusOK, "")
	r := a.result(t)
	for _, f := range r.Warnings {
		if f.Rule == "CONTAINER-CLAIM" && f.Level == engine.Warning && f.PublishedLevel == engine.Fatal {
			return
		}
	}
	t.Errorf("got %+v", r.Warnings)
}

// Technical faults of the PDF of a German invoice are warnings, except for Factur-X.
func TestHybridsInGermany(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "suites", "zugferd-corpus", "pdf", "XML-Rechnung--FX--EN16931_Einfach.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites/zugferd-corpus/pdf is not there")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]engine.Level{"zugferd": engine.Warning, "facturx": engine.Fatal} {
		a := shared().send(t, "/v1/validate/"+format, pdfType, string(data)+"more")
		r := a.result(t)
		i := slices.IndexFunc(r.Findings, func(f engine.Finding) bool { return f.Rule == "CONTAINER-END" })
		if i < 0 || r.Findings[i].Level != want || (a.StatusCode == http.StatusOK) != (want == engine.Warning) {
			t.Errorf("%s: %d, %+v", format, a.StatusCode, r.Findings)
		}
	}
}

// TestHybridCorpus: the examples of the standards' authors are sound PDFs.
func TestHybridCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "suites", "zugferd-corpus", "pdf", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites/zugferd-corpus/pdf is not there")
	}
	judged := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := shared().send(t, "/v1/validate/zugferd", pdfType, string(data))
		if a.StatusCode == http.StatusUnprocessableEntity {
			continue // ZUGFeRD 1.0
		}
		judged++
		r := a.result(t)
		for _, f := range r.Findings {
			if f.Layer == engine.LayerContainer && f.Level == engine.Fatal {
				t.Errorf("%s: %s %s", filepath.Base(file), f.Rule, f.Message)
			}
		}
	}
	if judged < 40 {
		t.Errorf("only %d of %d PDFs were judged", judged, len(files))
	}
}
