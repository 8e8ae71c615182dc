package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/server"
	"einvoice/service/create"
)

// A made is the body of a document that was created, converted or transformed.
type made struct {
	Document      string           `json:"document"`
	FileName      string           `json:"fileName"`
	Lost          int              `json:"lost"`
	Losses        []loss           `json:"losses"`
	LossesOmitted int              `json:"lossesOmitted"`
	Warnings      []engine.Finding `json:"warnings"`
	Findings      []engine.Finding `json:"findings"`
	Report        engine.Report    `json:"report"`
}

type loss struct {
	Kind, Path, Field, BTCode, Value, Reason string
	Line                                     int
}

func (a *answer) made(t testing.TB) made {
	t.Helper()
	a.wants(t, http.StatusOK, "")
	var m made
	a.decode(t, &m)
	return m
}

// send posts a body to any path.
func (s *testServer) send(t testing.TB, path, contentType, body string, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, http.MethodPost, path, strings.NewReader(body), append([]string{"Content-Type", contentType}, header...)...))
}

func (s *testServer) create(t testing.TB, format, body string, header ...string) *answer {
	t.Helper()
	return s.send(t, "/v1/create/"+format, "application/json", body, header...)
}

// smallest is a request with no more than an invoice needs.
func smallest(t testing.TB, replace ...string) string {
	t.Helper()
	body := string(create.Example)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(body, replace[i]) {
			t.Fatalf("the request has no %q", replace[i])
		}
		body = strings.Replace(body, replace[i], replace[i+1], 1)
	}
	return body
}

// TestCreate makes a document of each format, and sends it to validate.
func TestCreate(t *testing.T) {
	s := shared()
	for _, c := range []struct{ format, validate, body, profile, sets, root string }{
		{"ubl", "ubl", smallest(t), "en16931", "en16931/1.3.16", "<Invoice "},
		{"cii", "cii", smallest(t), "en16931", "en16931/1.3.16", "<rsm:CrossIndustryInvoice "},
		{"xrechnung", "xrechnung", smallest(t), "xrechnung-3.0", "en16931/1.3.16, xrechnung/3.0", "<Invoice "},
		{"xrechnung", "xrechnung", smallest(t, `{"invoice"`, `{"options": {"syntax": "cii"}, "invoice"`), "xrechnung-3.0", "en16931/1.3.16, xrechnung/3.0", "<rsm:CrossIndustryInvoice "},
		{"ubl", "xrechnung", smallest(t, `{"invoice"`, `{"options": {"profile": "xrechnung-3.0"}, "invoice"`), "xrechnung-3.0", "en16931/1.3.16, xrechnung/3.0", "<Invoice "},
		{"ubl", "ubl", smallest(t, `"number"`, `"typeCode": "381", "number"`), "en16931", "en16931/1.3.16", "<CreditNote "},
	} {
		if c.format != "xrechnung" && !strings.Contains(c.body, "typeCode\": \"381") {
			c.body = strings.Replace(c.body, `"number"`, `"typeCode": "380", "number"`, 1)
		}
		t.Run(c.format+" "+c.root, func(t *testing.T) {
			a := s.create(t, c.format, c.body)
			a.wants(t, http.StatusOK, "")
			for name, want := range map[string]string{
				"Content-Type": "application/xml", "Content-Disposition": `attachment; filename="2026-0117.xml"`,
				"Invoice-Profile": c.profile, "Invoice-Rulesets": c.sets, "Invoice-Warnings": "0", "Vary": "Accept",
			} {
				if got := a.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if !strings.Contains(string(a.body), c.root) {
				t.Errorf("no %s in %.300s", c.root, a.body)
			}
			s.post(t, c.validate, a.body).wants(t, http.StatusOK, "")

			m := s.create(t, c.format, c.body, "Accept", "application/json").made(t)
			if m.Document != string(a.body) || m.FileName != "2026-0117.xml" {
				t.Errorf("the envelope has another document: %.200s", m.Document)
			}
			if m.Report.RulesRun == 0 || m.Report.SchemaValid == nil || !*m.Report.SchemaValid {
				t.Errorf("got report %+v", m.Report)
			}
		})
	}
}

// TestCreateWarns delivers a document with a warning, and tells of it.
func TestCreateWarns(t *testing.T) {
	body := smallest(t, `"number"`, `"typeCode": "393", "number"`)
	a := shared().create(t, "xrechnung", body)
	a.wants(t, http.StatusOK, "")
	if n := a.Header.Get("Invoice-Warnings"); n != "1" {
		t.Errorf("%s warnings", n)
	}
	m := shared().create(t, "xrechnung", body, "Accept", "application/json").made(t)
	if len(m.Warnings) != 1 || m.Warnings[0].Rule != "BR-DE-17" || !slices.Equal(m.Warnings[0].Fields, []string{"typeCode"}) || m.Report.Counts.Warning != 1 {
		t.Errorf("got %+v", m.Warnings)
	}
}

// TestCreateTellsOfStamp: an identifier that had to give way is not a silent change.
func TestCreateTellsOfStamp(t *testing.T) {
	m := shared().create(t, "xrechnung", smallest(t, `"number"`, `"specificationId": "urn:example", "number"`), "Accept", "application/json").made(t)
	if len(m.Findings) != 1 || m.Findings[0].Level != engine.Information || !slices.Equal(m.Findings[0].Fields, []string{"specificationId"}) {
		t.Errorf("got %+v", m.Findings)
	}
	if strings.Contains(m.Document, "urn:example") {
		t.Error("the identifier was kept")
	}
}

// TestCreateRefusesViolations: nothing is delivered, and the findings lead into
// the request.
func TestCreateRefusesViolations(t *testing.T) {
	attachment := `"supportingDocuments": [{"reference": "a", "attachment": "YQ==", "attachmentMimeCode": "application/pdf", "attachmentFileName": "a.pdf"}, {"reference": "b", "attachment": "YQ==", "attachmentMimeCode": "application/zip", "attachmentFileName": "b.zip"}], "lines"`
	for _, c := range []struct{ name, format, body, rule, field string }{
		{"no Leitweg-ID", "xrechnung", smallest(t, `, "buyerReference": "04011000-12345-03"`, ""), "BR-DE-15", "buyerReference"},
		{"no lines", "ubl", `{"invoice": {}}`, "BR-16", "lines"},
		{"a sum that is wrong", "cii", smallest(t, `"lines"`, `"totals": {"sumOfLineNetAmounts": 286}, "lines"`), "BR-CO-10", "totals.sumOfLineNetAmounts"},
		{"a second line without a name", "ubl", smallest(t, `"lines": [`, `"lines": [{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "HUR", "price": {"netPrice": 1}, "vat": {"categoryCode": "S", "rate": 19}}, `), "BR-25", "lines[0].item.name"},
		{"an attachment of a wrong kind", "ubl", smallest(t, `"lines"`, attachment), "BR-CL-24", "supportingDocuments[1].attachmentMimeCode"},
		{"and for XRechnung", "xrechnung", smallest(t, `"lines"`, attachment), "BR-CL-24", "supportingDocuments[1].attachmentMimeCode"},
		{"a character that XML has not", "ubl", smallest(t, `"Beratung"`, `"Bera\u0001tung"`), "XML-CHARACTER", "lines[0].item.name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := shared().create(t, c.format, c.body)
			p := a.wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
			i := slices.IndexFunc(p.Findings, func(f engine.Finding) bool { return f.Rule == c.rule && slices.Contains(f.Fields, c.field) })
			if i < 0 {
				t.Fatalf("no %s for %s in %.1000s", c.rule, c.field, a.body)
			}
			if f := p.Findings[i]; f.Line != nil || f.Column != nil {
				t.Errorf("a place in a document that nobody sees: %v %v", f.Line, f.Column)
			}
			if !slices.ContainsFunc(p.Errors["xml"], func(text string) bool { return strings.HasPrefix(text, "["+c.rule+"] ") }) {
				t.Errorf("got errors %q", p.Errors)
			}
			if a.Header.Get("Content-Disposition") != "" {
				t.Error("a refusal is offered as a file")
			}
		})
	}
}

// TestCreateTellsAllMistakes at once, each with its place and what was meant.
func TestCreateTellsAllMistakes(t *testing.T) {
	p := shared().create(t, "ubl", `{
  "invoice": {
    "isueDate": "2026-11-20",
    "lines": [{"vat": {"rate": "19 %"}}]
  },
  "option": {}
}`).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	type place struct {
		pointer, field, says string
		line                 int
	}
	for _, want := range []place{
		{"/invoice/isueDate", "isueDate", `did you mean "issueDate"`, 3},
		{"/invoice/lines/0/vat/rate", "lines[0].vat.rate", "not a decimal number", 4},
		{"/option", "option", `did you mean "options"`, 6},
	} {
		i := slices.IndexFunc(p.Mistakes, func(m jsoninvoice.Mistake) bool { return m.Pointer == want.pointer })
		if i < 0 {
			t.Errorf("%s is not told in %+v", want.pointer, p.Mistakes)
			continue
		}
		if m := p.Mistakes[i]; m.Field != want.field || m.Line != want.line || !strings.Contains(m.Message, want.says) {
			t.Errorf("got %+v, want %+v", m, want)
		}
		if text := p.Errors["json"][i]; !strings.HasPrefix(text, want.pointer+": ") {
			t.Errorf("got text %q", text)
		}
	}
	if len(p.Mistakes) != 3 || p.Line != 0 || !strings.Contains(p.Detail, "3 mistakes") {
		t.Errorf("got %d mistakes, line %d, %q", len(p.Mistakes), p.Line, p.Detail)
	}
}

// TestCreateRefusals brings about what else a client can get wrong.
func TestCreateRefusals(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 100_000 })
	small := smallest(t)
	for _, c := range []struct {
		name, format, contentType, body string
		status                          int
		code, says                      string
	}{
		{"no JSON", "ubl", "application/json", "<a/>", 400, "REQUEST-INVALID", "1 mistake"},
		{"nothing", "ubl", "application/json", "", 400, "REQUEST-INVALID", ""},
		{"cut off", "ubl", "application/json", `{"invoice":`, 400, "REQUEST-INVALID", ""},
		{"an array", "ubl", "application/json", `[]`, 400, "REQUEST-INVALID", ""},
		{"no invoice", "ubl", "application/json", `{"options": {}}`, 400, "REQUEST-INVALID", ""},
		{"null for it", "ubl", "application/json", `{"invoice": null}`, 400, "REQUEST-INVALID", ""},
		{"a profile that there is not", "ubl", "application/json", `{"invoice": {}, "options": {"profile": "minimum"}}`, 400, "REQUEST-INVALID", ""},
		{"a syntax that the format has not", "cii", "application/json", `{"invoice": {}, "options": {"syntax": "ubl"}}`, 400, "REQUEST-INVALID", ""},
		{"XML", "ubl", "application/xml", small, 415, "MEDIA-TYPE-UNSUPPORTED", "application/json"},
		{"a form", "ubl", "multipart/form-data; boundary=b", small, 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"text that is JSON", "ubl", "text/json", small, 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"no type", "ubl", "", small, 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"too large", "ubl", "application/json", strings.Repeat(" ", 100_001), 413, "BODY-TOO-LARGE", "100000 bytes"},
		{"unknown format", "edifact", "application/json", small, 404, "TARGET-UNKNOWN", "ubl, cii, xrechnung"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := s.send(t, "/v1/create/"+c.format, c.contentType, c.body).wants(t, c.status, c.code)
			if !strings.Contains(p.Detail, c.says) {
				t.Errorf("the detail %q does not say %q", p.Detail, c.says)
			}
		})
	}
	p := s.create(t, "ubl", `{"invoice": {}, "options": {"profile": "minimum"}}`).wants(t, 400, "REQUEST-INVALID")
	if m := p.Mistakes[0]; m.Pointer != "/options/profile" || !strings.Contains(m.Message, "en16931") {
		t.Errorf("got %+v", m)
	}
	s.create(t, "ubl", small, "Content-Encoding", "gzip").wants(t, 415, "CONTENT-ENCODING-UNSUPPORTED")
	s.create(t, "ubl", small, "Authorization", "Bearer x").wants(t, 401, "KEY-INVALID")
	s.send(t, "/v1/create/ubl", "application/vnd.example.invoice+json; charset=utf-8", smallest(t, `"number"`, `"typeCode": "380", "number"`)).wants(t, 200, "")
	s.do(t, s.request(t, http.MethodGet, "/v1/create/ubl", nil)).wants(t, 405, "METHOD-NOT-ALLOWED")
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
}

// TestAllMistakesAtOnce tells those in the JSON, of its options, and of the query in one
// answer; and of a form, those in all of its options.
func TestAllMistakesAtOnce(t *testing.T) {
	p := shared().send(t, "/v1/create/cii?stict=true&strict=perhaps", "application/json", `{
  "options": {"profile": "extended", "language": "tlh",
    "syntax": "ubl", "date": "20.11.2026"},
  "invoice": {"isueDate": "2026-11-20"}}`).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	var places []string
	for _, m := range p.Mistakes {
		places = append(places, fmt.Sprintf("%s %d:%d", m.Pointer, m.Line, m.Column))
	}
	want := []string{"/options/profile 2:26", "/options/language 2:50", "/options/syntax 3:15", "/options/date 3:30", "/invoice/isueDate 4:27"}
	if !slices.Equal(places, want) {
		t.Errorf("got %q, want %q", places, want)
	}
	if got := p.Errors["options"]; len(got) != 2 || !strings.Contains(got[0], `Did you mean "strict"?`) || !strings.Contains(got[1], "true or false") {
		t.Errorf("got %q of the query", got)
	}
	if len(p.Errors["json"]) != 5 {
		t.Errorf("got %q", p.Errors["json"])
	}
	p = shared().send(t, "/v1/transform/to/facturx?langauge=de&strict=1&date=x&profile=big&colour=red", "application/xml", "<a/>", "Accept-Language", "de").
		wants(t, http.StatusBadRequest, "OPTION-INVALID")
	if got := p.Errors["options"]; len(got) != 5 || !strings.Contains(p.Detail, "5 Fehler") || !strings.Contains(got[1], `Meinten Sie "language"?`) {
		t.Errorf("got %q: %q", p.Detail, got)
	}
	shared().get(t, "/v1/rules?rulset=en16931").wants(t, http.StatusBadRequest, "QUERY-INVALID")
}

// TestWrongOptionsTogether gives every option that an endpoint takes a value that it cannot
// have: all of them are reported in one answer. The endpoint itself says which it takes.
func TestWrongOptionsTogether(t *testing.T) {
	free := []string{"buyerReference", "explain"} // any text is one
	for _, path := range []string{
		"/v1/validate/ubl", "/v1/validate/facturx", "/v1/convert/ubl/to/cii", "/v1/transform/to/ubl", "/v1/transform/to/zugferd",
		"/v1/render/ubl/to/pdf", "/v1/render/cii/to/html", "/v1/render/xrechnung/to/svg", "/v1/parse/json", "/v1/embed/xml",
	} {
		body := fields([]byte("<a/>"))
		if path == "/v1/embed/xml" {
			body = fields([]byte("<a/>"), "xml", "<a/>")
		}
		said := shared().send(t, path+"?nothing=1", multipartOfB, body).wants(t, http.StatusBadRequest, "OPTION-INVALID").Detail
		_, list, _ := strings.Cut(said, "It takes ")
		list, _, _ = strings.Cut(list, ".")
		query, want := url.Values{}, 0
		for name := range strings.SplitSeq(list, ", ") {
			if !slices.Contains(free, name) && !strings.Contains(name, " ") {
				query.Set(name, "?")
				want++
			}
		}
		p := shared().send(t, path+"?"+query.Encode(), multipartOfB, body).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		if got := p.Errors["options"]; len(got) != want || want == 0 {
			t.Errorf("%s has the options %s, and reports %q", path, query.Encode(), got)
		}
	}
}
