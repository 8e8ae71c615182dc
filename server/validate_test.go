package server_test

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
)

// A result is the body of a validation, whatever came out.
type result struct {
	Valid     bool                `json:"valid"`
	Message   string              `json:"message"`
	Profile   string              `json:"profile"`
	Standard  string              `json:"standard"`
	Title     string              `json:"title"`
	Status    int                 `json:"status"`
	Type      string              `json:"type"`
	Detail    string              `json:"detail"`
	ErrorCode string              `json:"errorCode"`
	Errors    map[string][]string `json:"errors"`
	Warnings  []engine.Finding    `json:"warnings"`
	Findings  []engine.Finding    `json:"findings"`
	Report    engine.Report       `json:"report"`
}

func (a *answer) result(t testing.TB) result {
	t.Helper()
	var r result
	a.decode(t, &r)
	return r
}

func (r *result) rules() []string {
	set := map[string]bool{}
	for _, f := range r.Findings {
		set[f.Rule] = true
	}
	return sorted(set)
}

func TestValidate(t *testing.T) {
	declares := func(document []byte, id string) []byte {
		return regexp.MustCompile(`urn:cen\.eu:en16931:2017(#[^<]*)?`).ReplaceAllLiteral(document, []byte(id))
	}
	const xrechnung3 = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
	ubl, cii := sample(t, "ubl-valid.xml"), sample(t, "cii-valid.xml")
	for _, c := range []struct {
		name, format string
		document     []byte
		status       int
		code         string // of the problem
		standard     string
		rules        []string // some that fire
		never        []string // some that must not
	}{
		{"ubl", "ubl", ubl, 200, "", "en16931", nil, nil},
		{"ubl: CII", "ubl", cii, 422, "SYNTAX-MISMATCH", "", nil, nil},
		{"cii", "cii", cii, 200, "", "en16931", nil, nil},
		{"cii: UBL", "cii", ubl, 422, "SYNTAX-MISMATCH", "", nil, nil},
		{"en16931: UBL", "en16931", ubl, 200, "", "en16931", nil, nil},
		{"en16931: CII", "en16931", cii, 200, "", "en16931", nil, nil},
		{"en16931: faulty UBL", "en16931", sample(t, "ubl-faulty.xml"), 400, "VALIDATION-FAILED", "en16931", []string{"BR-CO-10", "BR-CL-24"}, nil},
		{"en16931: faulty CII", "en16931", sample(t, "cii-faulty.xml"), 400, "VALIDATION-FAILED", "en16931", []string{"BR-21"}, nil},
		{"en16931 leaves the German rules out", "en16931", declares(ubl, xrechnung3), 200, "", "en16931", nil, []string{"BR-DE-15"}},
		{"xrechnung has them, whatever is declared", "xrechnung", ubl, 400, "VALIDATION-FAILED", "xrechnung", []string{"BR-DE-15"}, nil},
		{"xrechnung: CII", "xrechnung", cii, 400, "VALIDATION-FAILED", "xrechnung", []string{"BR-DE-15"}, nil},
		{"xrechnung as declared", "xrechnung", declares(ubl, xrechnung3), 400, "VALIDATION-FAILED", "xrechnung", []string{"BR-DE-15"}, nil},
		{"ubl follows what is declared", "ubl", declares(ubl, xrechnung3), 400, "VALIDATION-FAILED", "xrechnung", []string{"BR-DE-15"}, nil},
		{"ubl tells of an unknown profile", "ubl", declares(ubl, "urn:example"), 200, "", "en16931", []string{"PROFILE-UNKNOWN"}, nil},
		{"a fault of the schema", "ubl", bytes.Replace(ubl, []byte("<cbc:ID>"), []byte("<cbc:ID>x</cbc:ID><cbc:ID>"), 1), 400, "VALIDATION-FAILED", "en16931", []string{"XSD-REPEATED"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := shared().post(t, c.format, c.document)
			a.wants(t, c.status, c.code)
			r := a.result(t)
			if c.status == 422 {
				if len(r.Findings) > 0 {
					t.Error("findings of a document that was refused")
				}
				return
			}
			standard := r.Standard + r.Report.Standard
			if r.Valid {
				standard = r.Standard
			}
			if standard != c.standard || r.Report.RulesRun == 0 || len(r.Report.Rulesets) == 0 || r.Valid != (c.status == 200) {
				t.Errorf("got standard %q, %d rules run, valid %t", standard, r.Report.RulesRun, r.Valid)
			}
			for _, id := range c.rules {
				if !slices.Contains(r.rules(), id) {
					t.Errorf("%s does not fire, only %q", id, r.rules())
				}
			}
			for _, id := range c.never {
				if slices.Contains(r.rules(), id) {
					t.Errorf("%s fires", id)
				}
			}
		})
	}
}

// TestValidationProblem compares a failed validation with the contract, word by
// word.
func TestValidationProblem(t *testing.T) {
	document := sample(t, "ubl-faulty.xml")
	// One more attachment of the same wrong kind: the rule fires twice.
	reference := regexp.MustCompile(`(?s)<cac:AdditionalDocumentReference>.*?</cac:AdditionalDocumentReference>`).Find(document)
	document = bytes.Replace(document, reference, append(append([]byte{}, reference...), reference...), 1)
	a := shared().post(t, "en16931", document)
	a.wants(t, 400, "VALIDATION-FAILED")
	if kind := a.Header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("got %s", kind)
	}
	r := a.result(t)
	if r.Title != "Validation Failed" || r.Status != 400 || !strings.Contains(r.Type, "rfc9110") || !strings.Contains(r.Detail, "5 rules") {
		t.Errorf("got %q %d %q %q", r.Title, r.Status, r.Type, r.Detail)
	}
	if len(r.Errors) != 1 || len(r.Errors["xml"]) != 5 {
		t.Fatalf("got errors %q, want 5 of group xml", r.Errors)
	}
	fatal := map[string]int{}
	for _, f := range r.Findings {
		if f.Level == engine.Fatal {
			fatal[f.Rule]++
		}
		if !strings.HasPrefix(f.Raw, "["+f.Rule+"]("+string(f.Layer)+") ") {
			t.Errorf("raw of %s is %q", f.Rule, f.Raw)
		}
	}
	entry := regexp.MustCompile(`^\[([A-Z0-9-]+)\] .+`)
	for _, text := range r.Errors["xml"] {
		m := entry.FindStringSubmatch(text)
		if m == nil || fatal[m[1]] == 0 {
			t.Errorf("entry %q is of no fatal finding", text)
			continue
		}
		if fatal[m[1]] > 1 != strings.HasSuffix(text, " places)") {
			t.Errorf("entry %q, and %d findings", text, fatal[m[1]])
		}
		delete(fatal, m[1])
	}
	if len(fatal) > 0 {
		t.Errorf("rules without an entry: %v", fatal)
	}
}

// A finding's warning does not make an invoice invalid, and is among the warnings.
func TestWarnings(t *testing.T) {
	document := bytes.Replace(sample(t, "ubl-valid.xml"), []byte("<cbc:InvoiceTypeCode>380<"), []byte("<cbc:InvoiceTypeCode>393<"), 1)
	r := shared().post(t, "xrechnung", document).result(t)
	i := slices.IndexFunc(r.Warnings, func(f engine.Finding) bool { return f.Rule == "BR-DE-17" })
	if i < 0 {
		t.Fatalf("no BR-DE-17 in the warnings %v", r.Warnings)
	}
	if f := r.Warnings[i]; f.Layer != engine.LayerCIUS || !slices.Equal(f.BTCodes, []string{"BT-3"}) || !slices.Equal(f.Fields, []string{"typeCode"}) {
		t.Errorf("got %+v", f)
	}
	for _, text := range r.Errors["xml"] {
		if strings.HasPrefix(text, "[BR-DE-17]") {
			t.Error("a warning is among the errors")
		}
	}
}

func TestWaysToSend(t *testing.T) {
	s, document := shared(), sample(t, "ubl-valid.xml")
	for _, kind := range []string{"application/xml", "text/xml", "application/xml; charset=utf-8", "Application/XML", "application/vnd.oasis.ubl+xml"} {
		s.raw(t, "ubl", kind, bytes.NewReader(document)).wants(t, http.StatusOK, "")
	}
	// A chunked body has no length.
	s.raw(t, "ubl", "application/xml", struct{ *bytes.Reader }{bytes.NewReader(document)}).wants(t, http.StatusOK, "")
	for kind, body := range map[string]string{
		"other parts first":     "--b\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\nen\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n" + string(document) + "\r\n--b--\r\n",
		"without a file's name": "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n" + string(document) + "\r\n--b--\r\n",
		"without quotes":        "--b\r\nContent-Disposition: form-data; name=file\r\n\r\n" + string(document) + "\r\n--b--\r\n",
		"with its own length":   "--b\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Length: 1\r\nContent-Type: application/octet-stream\r\n\r\n" + string(document) + "\r\n--b--\r\n",
	} {
		t.Run(kind, func(t *testing.T) {
			s.raw(t, "ubl", "multipart/form-data; boundary=b", strings.NewReader(body)).wants(t, http.StatusOK, "")
		})
	}
}
