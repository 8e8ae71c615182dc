package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
	"einvoice/server"
	"einvoice/service/parse"
)

const parseJSON = "/v1/parse/json"

// rendered are the pages of a document, which have no XML attached.
func rendered(t *testing.T, document []byte) string {
	t.Helper()
	a := shared().send(t, "/v1/render/cii/to/pdf", "application/xml", string(document))
	if a.StatusCode != http.StatusOK {
		t.Fatalf("got %d %s", a.StatusCode, a.body)
	}
	return string(a.body)
}

func TestParse(t *testing.T) {
	s := shared()
	xml := sample(t, "cii-valid.xml")
	var truth, read map[string]any
	if err := json.Unmarshal(s.send(t, extractJSON, "application/xml", string(xml)).body, &truth); err != nil {
		t.Fatal(err)
	}
	pages := rendered(t, xml)
	for name, a := range map[string]*answer{
		"a body": s.send(t, parseJSON, pdfType, pages),
		"a form": s.send(t, parseJSON, multipartOfB, formOf("a.pdf", pdfType, pages)),
	} {
		read = nil
		if err := json.Unmarshal(a.body, &read); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%s: got %d %s, %v", name, a.StatusCode, a.body, err)
		}
		for _, term := range []string{"number", "issueDate", "currencyCode"} {
			if read[term] == nil || read[term] != truth[term] {
				t.Errorf("%s: %s is read as %v, want %v", name, term, read[term], truth[term])
			}
		}
	}
	s.logs(t, `"outcome":"parsed"`)
}

// With details, every value of the invoice has its field, and the form of the answer is
// the one that is described.
func TestParseDetails(t *testing.T) {
	a := shared().send(t, parseJSON+"?details=true", pdfType, rendered(t, sample(t, "cii-valid.xml")))
	var parsing parse.Parsing
	var tree map[string]any
	if err := json.Unmarshal(a.body, &tree); err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("got %d %s, %v", a.StatusCode, a.body, err)
	}
	if err := document().Components.Schemas["Parsing"].Value.VisitJSON(tree); err != nil {
		t.Error(err)
	}
	invoice := tree["invoice"]
	delete(tree, "invoice")
	without, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(without, &parsing); err != nil {
		t.Fatal(err)
	}
	leaves := map[string]string{}
	leavesOf(invoice, "", leaves)
	if len(leaves) < 10 || len(leaves) != len(parsing.Fields) {
		t.Errorf("%d values, %d fields", len(leaves), len(parsing.Fields))
	}
	for pointer := range leaves {
		if f := parsing.Fields[pointer]; f == nil || f.Source == "text" && (f.Printed == "" || f.Page == 0 || f.Box == nil) {
			t.Errorf("%s has the field %+v", pointer, f)
		}
	}
}

// leavesOf lists the leaves of a JSON value by pointer.
func leavesOf(v any, at string, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			leavesOf(member, at+"/"+name, into)
		}
	case []any:
		for i, item := range v {
			leavesOf(item, at+"/"+string(rune('0'+i)), into)
		}
	default:
		text, _ := json.Marshal(v)
		into[at] = string(text)
	}
}

// lettersOf is pdftest.Letters as a body.
func lettersOf(contents ...string) string { return string(pdftest.Letters(contents...)) }

// bill is the content of a page that shows an invoice.
func bill(number string) string {
	return "BT /F 20 Tf 24 TL 50 750 Td (Invoice) Tj T* /F 12 Tf (Invoice number: " + number + ") Tj T* (Invoice date: 2026-11-20) Tj T* " +
		"(Net total: 49.00 EUR) Tj T* (VAT 19 %: 9.31 EUR) Tj T* (Total amount: 58.31 EUR) Tj ET"
}

// Forty full pages take a second to read, twenty times what the request has.
func TestParseTimeout(t *testing.T) {
	s := start(t, func(c *server.Config) { c.RequestTimeout = 50 * time.Millisecond })
	page := "BT /F 6 Tf 8 TL 50 800 Td " + strings.Repeat("(a long text of many words and of numbers such as 12.50 and 2026-11-20, on and on) Tj T* ", 95) + "ET"
	s.send(t, parseJSON, pdfType, lettersOf(slices.Repeat([]string{page}, 40)...)).
		wants(t, http.StatusGatewayTimeout, "PARSE-TIMEOUT")
}

func TestParseRefusals(t *testing.T) {
	order := "BT /F 20 Tf 24 TL 50 750 Td (Purchase order) Tj T* /F 12 Tf (Order number: 4711) Tj T* (10 chairs at 5.00 EUR is 50.00 EUR please deliver soon) Tj ET"
	for _, c := range []struct {
		name, path, contentType, body string
		status                        int
		code, says                    string
	}{
		{"a picture", parseJSON, pdfType, "\x89PNG\r\n\x1a\n", 503, "PARSE-NO-OCR", "Tesseract"},
		{"a picture as the body", parseJSON, "image/png", "\x89PNG\r\n\x1a\n", 503, "PARSE-NO-OCR", "Tesseract"},
		{"a picture of another kind", parseJSON, "image/gif", "GIF89a", 415, "MEDIA-TYPE-UNSUPPORTED", "image/tiff"},
		{"a picture elsewhere", extractJSON, "image/png", "\x89PNG\r\n\x1a\n", 415, "MEDIA-TYPE-UNSUPPORTED", "application/xml"},
		{"a text", parseJSON, pdfType, "text", 422, "NOT-PDF", ""},
		{"XML", parseJSON, "application/xml", string(sample(t, "cii-valid.xml")), 422, "NOT-PDF", ""},
		{"an order", parseJSON, pdfType, lettersOf(order), 422, "PARSE-NOT-INVOICE", "Purchase order"},
		{"a blank page", parseJSON, pdfType, lettersOf(""), 422, "PARSE-NO-TEXT", "1 page"},
		{"a scan", parseJSON, pdfType, lettersOf("q 595 0 0 842 0 0 cm /P Do Q"), 503, "PARSE-NO-OCR", "page 1"},
		{"too many pages", parseJSON, pdfType, lettersOf(slices.Repeat([]string{bill("INV-17")}, 51)...), 422, "PARSE-LIMIT", "parse-pages"},
		{"a confidence that is none", parseJSON + "?accept=95", pdfType, lettersOf(bill("INV-17")), 400, "OPTION-INVALID", "0.95"},
		{"an option that it cannot have", parseJSON + "?details=yes", pdfType, lettersOf(order), 400, "OPTION-INVALID", "details"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if p := shared().send(t, c.path, c.contentType, c.body).wants(t, c.status, c.code); !strings.Contains(p.Detail, c.says) {
				t.Errorf("the detail %q does not say %q", p.Detail, c.says)
			}
		})
	}
}

// A file of several documents is answered with each of them, in the form that is described, and
// with accept each invoice has its decision. Who can take one invoice alone is told the pages.
func TestParseDocuments(t *testing.T) {
	confirmation := "BT /F 20 Tf 24 TL 50 750 Td (Order confirmation) Tj T* /F 12 Tf (Order: 4711) Tj T* (Thank you for your order, which we confirm.) Tj T* (Total: 58.31 EUR) Tj ET"
	for name, c := range map[string]struct {
		pages  []string
		query  string
		schema string
		kinds  []string
		has    bool // the documents have what was read of them
	}{
		"one":                        {[]string{bill("INV-17")}, "?details=true", "Parsing", nil, false},
		"two invoices":               {[]string{bill("INV-17"), bill("INV-18")}, "", "ParsedFile", []string{"invoice", "invoice"}, true},
		"two invoices with details":  {[]string{bill("INV-17"), bill("INV-18")}, "?details=true", "ParsedFile", []string{"invoice", "invoice"}, true},
		"with another document":      {[]string{bill("INV-17"), confirmation}, "?accept=0.95", "Parsing", []string{"invoice", "orderConfirmation"}, false},
		"three, two accepted or not": {[]string{bill("INV-17"), confirmation, bill("INV-18")}, "?accept=0.95", "ParsedFile", []string{"invoice", "orderConfirmation", "invoice"}, true},
	} {
		a := shared().send(t, parseJSON+c.query, pdfType, lettersOf(c.pages...))
		a.wants(t, http.StatusOK, "")
		var tree any
		var got struct {
			Decision  *struct{ Accept *bool }
			Documents []struct {
				Kind     struct{ Name string }
				Invoice  *struct{ Number string }
				Decision *struct{ Accept *bool }
			}
		}
		if json.Unmarshal(a.body, &tree) != nil || json.Unmarshal(a.body, &got) != nil {
			t.Fatalf("%s: got %s", name, a.body)
		}
		if err := document().Components.Schemas[c.schema].Value.VisitJSON(tree); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var kinds []string
		decided := got.Decision != nil
		for _, d := range got.Documents {
			kinds = append(kinds, d.Kind.Name)
			if isRead := d.Invoice != nil; isRead != (c.has && d.Kind.Name == "invoice") {
				t.Errorf("%s: the %s is read: %v", name, d.Kind.Name, isRead)
			}
			decided = decided || d.Decision != nil
		}
		if !slices.Equal(kinds, c.kinds) || decided != strings.Contains(c.query, "accept") {
			t.Errorf("%s: got the documents %v, decided %v", name, kinds, decided)
		}
	}
	file, err := json.Marshal(map[string]any{"file": []byte(lettersOf(bill("INV-17"), bill("INV-18")))})
	if err != nil {
		t.Fatal(err)
	}
	if p := shared().send(t, "/v1/workbench/parse", "application/json", string(file)).wants(t, http.StatusUnprocessableEntity, "PARSE-SEVERAL-INVOICES"); !strings.Contains(p.Detail, "page 1, 2") {
		t.Errorf("the detail is %q", p.Detail)
	}
}

// Findings and review come in the language of the request.
func TestParseLanguage(t *testing.T) {
	for _, c := range []struct{ query, accept, language, seller, finding string }{
		{"", "", "en", "the seller's name was not found", "Add "},
		{"&language=de", "fr", "de", "Auf den Seiten nicht gefunden: Name des Verk\u00e4ufers", "Nennen Sie"},
		{"", "fr", "fr", "Non trouv\u00e9 sur les pages\u00a0: nom du vendeur", ""},
	} {
		headers := []string{}
		if c.accept != "" {
			headers = []string{"Accept-Language", c.accept}
		}
		a := shared().send(t, parseJSON+"?details=true"+c.query, pdfType, lettersOf(bill("INV-17")), headers...)
		a.wants(t, http.StatusOK, "")
		if got := a.Header.Get("Content-Language"); got != c.language {
			t.Errorf("%s: the answer is in %s", c.language, got)
		}
		var parsing struct {
			Review   []struct{ Message string }
			Findings []struct{ Message string }
		}
		if err := json.Unmarshal(a.body, &parsing); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(parsing.Review, func(r struct{ Message string }) bool { return strings.Contains(r.Message, c.seller) }) {
			t.Errorf("%s: the review is %v", c.language, parsing.Review)
		}
		if len(parsing.Findings) == 0 || c.finding != "" && !slices.ContainsFunc(parsing.Findings, func(f struct{ Message string }) bool { return strings.Contains(f.Message, c.finding) }) {
			t.Errorf("%s: the findings are %v", c.language, parsing.Findings)
		}
	}
	shared().send(t, parseJSON+"?language=tlh", pdfType, lettersOf(bill("INV-17"))).wants(t, http.StatusBadRequest, "OPTION-INVALID")
}
