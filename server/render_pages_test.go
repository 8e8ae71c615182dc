package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// leafPaths are the paths of all terms of an invoice in JSON, with what they begin with.
func leafPaths(paths map[string]bool, prefix string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			leafPaths(paths, strings.TrimPrefix(prefix+"."+name, "."), inner)
		}
	case []any:
		for i, inner := range v {
			leafPaths(paths, fmt.Sprintf("%s[%d]", prefix, i), inner)
		}
	default:
		paths[prefix] = true
	}
}

// unsaid tells of terms that may have no text of their own: a letter within one country
// names it once, a price for one piece is a price, a rate of 19 % is the standard one, and a
// reason in the words of its code says the code.
func unsaid(path string) bool {
	_, name, _ := strings.Cut(path, "].")
	return strings.HasSuffix(path, "postalAddress.countryCode") || strings.HasPrefix(name, "price.baseQuantity") || name == "vat.categoryCode" || strings.HasSuffix(path, ".reasonCode")
}

// HTML and SVG name the place in a request of every term that they show. The places are
// those of the JSON that extract makes of the same document.
func TestRenderedPlaces(t *testing.T) {
	s := shared()
	for file, syntax := range map[string]string{"ubl-valid.xml": "ubl", "cii-valid.xml": "cii"} {
		document := string(sample(t, file))
		a := s.send(t, "/v1/extract/json", "application/xml", document)
		a.wants(t, http.StatusOK, "")
		var invoice map[string]any
		if err := json.Unmarshal(a.body, &invoice); err != nil {
			t.Fatal(err)
		}
		paths := map[string]bool{}
		leafPaths(paths, "", invoice)
		if len(paths) < 40 {
			t.Fatalf("%s: %d terms", file, len(paths))
		}
		for to, mediaType := range map[string]string{"html": "text/html", "svg": "image/svg+xml"} {
			a := s.send(t, "/v1/render/"+syntax+"/to/"+to, "application/xml", document)
			a.wants(t, http.StatusOK, "")
			h := a.Header
			if h.Get("Content-Type") != mediaType || !strings.HasSuffix(h.Get("Content-Disposition"), "."+to+`"`) || h.Get("Invoice-Warnings") != "0" {
				t.Errorf("%s: %v", to, h)
			}
			if policy := h.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "sandbox") {
				t.Errorf("%s: what opens the answer may do what it likes: %q", to, policy)
			}
			for path := range paths {
				if !strings.Contains(string(a.body), `data-path="`+path+`"`) && !unsaid(path) {
					t.Errorf("%s of %s: no text is at %s", to, file, path)
				}
			}
			if n := strings.Count(string(a.body), `data-term="BT-115" data-path="totals.amountDueForPayment"`); n == 0 {
				t.Errorf("%s of %s: the amount due has no term", to, file)
			}
		}
	}
}

// The envelope of rendered pages has the text, and warnings about what they do not show.
func TestRenderedWarnings(t *testing.T) {
	s := shared()
	document := strings.Replace(string(sample(t, "ubl-valid.xml")), "<cbc:DocumentCurrencyCode>", "<cbc:Note>漢字</cbc:Note><cbc:DocumentCurrencyCode>", 1)
	for to, want := range map[string]string{"pdf": "NOT-PRINTABLE", "html": "", "svg": ""} {
		a := s.send(t, "/v1/render/xrechnung/to/"+to, "application/xml", document, "Accept", "application/json", "Accept-Language", "de")
		a.wants(t, http.StatusOK, "")
		var envelope struct {
			Document, MediaType, FileName string
			Warnings                      []struct{ Rule, Message string }
		}
		if err := json.Unmarshal(a.body, &envelope); err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "":
			if len(envelope.Warnings) > 0 || !strings.Contains(envelope.Document, "漢字") || !strings.HasSuffix(envelope.FileName, "."+to) {
				t.Errorf("%s: %d warnings, %s", to, len(envelope.Warnings), envelope.FileName)
			}
		case len(envelope.Warnings) != 1 || envelope.Warnings[0].Rule != want || !strings.Contains(envelope.Warnings[0].Message, "Zeichen"):
			t.Errorf("%s: %v", to, envelope.Warnings)
		}
	}
}

// A finding about a statement that is missing is in one language, that of the answer, whatever the pages have.
func TestUnsaidInOneLanguage(t *testing.T) {
	s := shared()
	document := regexp.MustCompile(`(?s)<cac:PostalAddress>.*?</cac:PostalAddress>`).ReplaceAllString(string(sample(t, "ubl-valid.xml")), "<cac:PostalAddress><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>")
	for accept, want := range map[string]string{"en": "address of the seller", "de": "Anschrift des Verkäufers", "fr": "adresse du vendeur"} {
		for _, pages := range []string{"", "?language=de", "?language=fr"} {
			a := s.send(t, "/v1/render/xrechnung/to/html"+pages, "application/xml", document, "Accept", "application/json", "Accept-Language", accept)
			a.wants(t, http.StatusOK, "")
			var envelope struct {
				Warnings []struct{ Rule, Message string }
			}
			if err := json.Unmarshal(a.body, &envelope); err != nil {
				t.Fatal(err)
			}
			if w := envelope.Warnings; len(w) != 2 || w[0].Rule != "NOT-SAID" || !strings.Contains(w[0].Message, ": "+want+" (§ 14") && !strings.Contains(w[0].Message, "\u00a0: "+want+" (§ 14") {
				t.Errorf("%s, pages %q: %v", accept, pages, w)
			}
		}
	}
}

// Mistakes are told as they are for PDF; a field that HTML has no use for is not refused in a
// form, as clients send one form to several endpoints. In the query it is.
func TestRenderRefusals(t *testing.T) {
	s := shared()
	ubl := string(sample(t, "ubl-valid.xml"))
	for _, to := range []string{"pdf", "html", "svg"} {
		p := s.send(t, "/v1/render/cii/to/"+to, "application/xml", ubl).wants(t, http.StatusUnprocessableEntity, "SYNTAX-MISMATCH")
		if !strings.Contains(p.Detail, "/v1/render/ubl/to/"+to) {
			t.Errorf("%s: %s", to, p.Detail)
		}
		s.send(t, "/v1/render/ubl/to/"+to+"?look=nothing", "application/xml", ubl).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		s.send(t, "/v1/render/ubl/to/"+to+"?language=xx", "application/xml", ubl).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		kind, body := archiveForm(t, "file", ubl, "date", "2026-01-01")
		s.send(t, "/v1/render/ubl/to/"+to, kind, string(body)).wants(t, http.StatusOK, "")
		if to != "pdf" {
			s.send(t, "/v1/render/ubl/to/"+to+"?date=2026-01-01", "application/xml", ubl).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		}
	}
	s.send(t, "/v1/render/ubl/to/png", "application/xml", ubl).wants(t, http.StatusNotFound, "ROUTE-UNKNOWN")
}
