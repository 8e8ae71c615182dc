package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ZUGFeRD 1.0 is transformed and rendered, and named.
func TestLegacy(t *testing.T) {
	const folder = "../../shared/suites/zugferd-corpus"
	const name = "ZUGFeRDv1--correct--Intarsys--ZUGFeRD_1p0_COMFORT_Einfach"
	pdf, err := os.ReadFile(filepath.Join(folder, "pdf", name+".pdf"))
	if os.IsNotExist(err) {
		t.Skip("skipped: ../shared/suites/zugferd-corpus is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	xml, err := os.ReadFile(filepath.Join(folder, "xml", name+"--ZUGFeRD-invoice.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, kind string
		data       []byte
		status     int
		code       string
	}{
		{"/v1/transform/to/zugferd", "application/pdf", pdf, http.StatusOK, ""},
		{"/v1/transform/to/ubl", "application/pdf", pdf, http.StatusOK, ""},
		{"/v1/transform/to/cii", "application/xml", xml, http.StatusOK, ""},
		{"/v1/render/cii/to/pdf", "application/xml", xml, http.StatusOK, ""},
		{"/v1/render/xrechnung/to/pdf", "application/xml", xml, http.StatusOK, ""},
		{"/v1/render/ubl/to/pdf", "application/xml", xml, http.StatusUnprocessableEntity, "SYNTAX-MISMATCH"},
		{"/v1/convert/cii/to/ubl", "application/xml", xml, http.StatusUnprocessableEntity, "FORMAT-OTHER-DOCUMENT"},
		{"/v1/validate/cii", "application/xml", xml, http.StatusUnprocessableEntity, "FORMAT-OTHER-DOCUMENT"},
	} {
		a := shared().send(t, c.path, c.kind, string(c.data))
		p := a.wants(t, c.status, c.code)
		if c.status != http.StatusOK {
			if c.code == "SYNTAX-MISMATCH" && !strings.Contains(p.Detail, "/v1/render/xrechnung/to/pdf") && !strings.Contains(p.Detail, "/v1/render/cii/to/pdf") {
				t.Errorf("%s: %s", c.path, p.Detail)
			}
			continue
		}
		if a.Header.Get("Invoice-Legacy") != "ZUGFeRD 1.0" {
			t.Errorf("%s: the answer does not name the format", c.path)
		}
		if strings.Contains(c.path, "transform") && a.Header.Get("Invoice-Losses") != "4" {
			t.Errorf("%s: %s losses", c.path, a.Header.Get("Invoice-Losses"))
		}
	}
}
