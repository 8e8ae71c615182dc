package server_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model/sampled"
	"einvoice/rulesets"
	"einvoice/server"
)

const (
	toUBL        = "/v1/convert/cii/to/ubl"
	toCII        = "/v1/convert/ubl/to/cii"
	leitwegID    = "04011000-12345-03"
	fieldHead    = "--b\r\nContent-Disposition: form-data; name=\""
	multipartOfB = "multipart/form-data; boundary=b"
)

// fields make a form of a document and of fields beside it.
func fields(document []byte, pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(fieldHead + pairs[i] + "\"\r\n\r\n" + pairs[i+1] + "\r\n")
	}
	b.WriteString("--b\r\n" + fileHead + string(document) + "\r\n--b--\r\n")
	return b.String()
}

// withLoss is a UBL invoice with an element that no invoice of EN 16931 has.
func withLoss(t testing.TB) []byte {
	t.Helper()
	document := sample(t, "ubl-valid.xml")
	changed := bytes.Replace(document, []byte("<cbc:InvoiceTypeCode>"), []byte("<cbc:IssueTime>12:00:00</cbc:IssueTime><cbc:InvoiceTypeCode>"), 1)
	if bytes.Equal(changed, document) {
		t.Fatal("the sample has no type code")
	}
	return changed
}

func TestConvert(t *testing.T) {
	s := shared()
	for _, c := range []struct{ path, file, back, validate, root string }{
		{toCII, "ubl-valid.xml", toUBL, "cii", "<rsm:CrossIndustryInvoice "},
		{toUBL, "cii-valid.xml", toCII, "ubl", "<Invoice "},
	} {
		t.Run(c.path, func(t *testing.T) {
			document := string(sample(t, c.file))
			a := s.send(t, c.path, "application/xml", document)
			a.wants(t, http.StatusOK, "")
			if kind, file := a.Header.Get("Content-Type"), a.Header.Get("Content-Disposition"); kind != "application/xml" || !regexp.MustCompile(`^attachment; filename="[\w.-]+\.xml"$`).MatchString(file) {
				t.Errorf("got %s, %s", kind, file)
			}
			if !strings.Contains(string(a.body), c.root) {
				t.Errorf("no %s in %.300s", c.root, a.body)
			}
			s.post(t, c.validate, a.body).wants(t, http.StatusOK, "")

			m := s.send(t, c.path, multipartOfB, fields([]byte(document), "strict", "false"), "Accept", "application/json").made(t)
			if m.Document != string(a.body) || strconv.Itoa(m.Lost) != a.Header.Get("Invoice-Losses") {
				t.Errorf("the form got another answer: %d lost, %s by the header", m.Lost, a.Header.Get("Invoice-Losses"))
			}
			back := s.send(t, c.back, "text/xml", m.Document, "Accept", "application/json").made(t)
			again := s.send(t, c.path, "text/xml", back.Document)
			if !bytes.Equal(again.body, a.body) {
				t.Error("there and back and there again is another document")
			}
		})
	}
}

// TestConvertTellsLosses: what is lost is counted, listed with its place, and
// refused to who wants it all.
func TestConvertTellsLosses(t *testing.T) {
	s, document := shared(), withLoss(t)
	a := s.send(t, toCII, "application/xml", string(document))
	a.wants(t, http.StatusOK, "")
	if n := a.Header.Get("Invoice-Losses"); n != "1" {
		t.Errorf("%s losses", n)
	}
	told := func(losses []loss) {
		t.Helper()
		i := slices.IndexFunc(losses, func(l loss) bool { return l.Kind == "lost" })
		if i < 0 {
			t.Fatalf("no loss in %+v", losses)
		}
		if l := losses[i]; l.Value != "12:00:00" || l.Line == 0 || !strings.HasSuffix(l.Path, "IssueTime") || l.Reason == "" {
			t.Errorf("got %+v", l)
		}
	}
	m := s.send(t, toCII, "application/xml", string(document), "Accept", "application/json").made(t)
	told(m.Losses)
	if m.Lost != 1 || m.LossesOmitted != 0 {
		t.Errorf("%d lost, %d omitted", m.Lost, m.LossesOmitted)
	}
	for kind, send := range map[string]func() *answer{
		"form":  func() *answer { return s.send(t, toCII, multipartOfB, fields(document, "strict", "true")) },
		"query": func() *answer { return s.send(t, toCII+"?strict=true", "application/xml", string(document)) },
		"transform": func() *answer {
			return s.send(t, "/v1/transform/to/cii?strict=true", "application/xml", string(document))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			refused := send()
			p := refused.wants(t, http.StatusUnprocessableEntity, "CONVERSION-LOSSY")
			if p.LossReport == nil || p.Lost != 1 || !strings.Contains(p.Detail, "1 value") {
				t.Fatalf("got %.500s", refused.body)
			}
			var m made
			refused.decode(t, &m)
			told(m.Losses)
		})
	}
	s.send(t, toCII+"?strict=true", "application/xml", string(sample(t, "ubl-valid.xml"))).wants(t, http.StatusOK, "")
}

// TestTransform makes documents ones of another profile.
func TestTransform(t *testing.T) {
	s := shared()
	ubl, cii := sample(t, "ubl-valid.xml"), sample(t, "cii-valid.xml")
	for _, c := range []struct {
		format   string
		document []byte
		root     string
	}{
		{"ubl", ubl, "<Invoice "}, {"ubl", cii, "<Invoice "}, {"cii", ubl, "<rsm:CrossIndustryInvoice "}, {"cii", cii, "<rsm:CrossIndustryInvoice "},
	} {
		a := s.send(t, "/v1/transform/to/"+c.format, "application/xml", string(c.document))
		a.wants(t, http.StatusOK, "")
		if !strings.Contains(string(a.body), c.root) || a.Header.Get("Invoice-Profile") != "en16931" || a.Header.Get("Invoice-Losses") == "" {
			t.Errorf("to %s: %v %.300s", c.format, a.Header, a.body)
		}
		m := s.send(t, "/v1/transform/to/"+c.format, "application/xml", string(c.document), "Accept", "application/json").made(t)
		if m.Document != string(a.body) || m.Report.RulesRun == 0 || m.Losses == nil {
			t.Errorf("to %s: got %d rules, losses %v", c.format, m.Report.RulesRun, m.Losses)
		}
	}
}

// TestTransformToXRechnung: what a plain document lacks is named, and with it the
// document is made in the syntax it had.
func TestTransformToXRechnung(t *testing.T) {
	s := shared()
	const path = "/v1/transform/to/xrechnung"
	for _, file := range []string{"ubl-valid.xml", "cii-valid.xml"} {
		p := s.send(t, path, "application/xml", string(sample(t, file))).wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		i := slices.IndexFunc(p.Findings, func(f engine.Finding) bool { return f.Rule == "BR-DE-15" })
		if i < 0 || !slices.Equal(p.Findings[i].Fields, []string{"buyerReference"}) || p.Findings[i].Line != nil || p.LossReport == nil {
			t.Errorf("%s: got %+v", file, p.Findings)
		}
	}
	for _, syntax := range []string{"ubl", "cii"} {
		plain := s.create(t, syntax, smallest(t, `, "buyerReference": "`+leitwegID+`"`, "", `"number"`, `"typeCode": "380", "number"`))
		plain.wants(t, http.StatusOK, "")
		s.send(t, path, "application/xml", string(plain.body)).wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		for kind, a := range map[string]*answer{
			"form":  s.send(t, path, multipartOfB, fields(plain.body, "buyerReference", leitwegID, "language", "de")),
			"query": s.send(t, path+"?buyerReference="+url.QueryEscape(leitwegID), "application/xml", string(plain.body)),
		} {
			a.wants(t, http.StatusOK, "")
			if !strings.Contains(string(a.body), leitwegID) || a.Header.Get("Invoice-Profile") != "xrechnung-3.0" {
				t.Errorf("%s by %s: %v", syntax, kind, a.Header)
			}
			s.post(t, "xrechnung", a.body).wants(t, http.StatusOK, "")
			s.post(t, syntax, a.body).wants(t, http.StatusOK, "")
		}
	}
	// The document's own reference is kept, and what replaces it is told.
	own := s.create(t, "ubl", smallest(t, `"number"`, `"typeCode": "380", "number"`))
	kept := s.send(t, path, "application/xml", string(own.body))
	kept.wants(t, http.StatusOK, "")
	if !strings.Contains(string(kept.body), leitwegID) {
		t.Error("the document's own reference is gone")
	}
	m := s.send(t, path+"?buyerReference=991-01234-44", "application/xml", string(own.body), "Accept", "application/json").made(t)
	if !slices.ContainsFunc(m.Losses, func(l loss) bool { return l.Kind == "changed" && l.Field == "buyerReference" && l.Value == leitwegID }) {
		t.Errorf("got %+v", m.Losses)
	}
}

// TestConvertRefusals brings about what a client can get wrong.
func TestConvertRefusals(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 100_000 })
	ubl, cii := sample(t, "ubl-valid.xml"), sample(t, "cii-valid.xml")
	const xml = "application/xml"
	for _, c := range []struct {
		name, path, contentType, body string
		status                        int
		code, says                    string
	}{
		{"UBL to UBL", toUBL, xml, string(ubl), 422, "SYNTAX-MISMATCH", "is in UBL"},
		{"CII to CII", toCII, xml, string(cii), 422, "SYNTAX-MISMATCH", "takes UBL"},
		{"JSON", toCII, "application/json", "{}", 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"too large", toCII, xml, strings.Repeat("x", 100_001), 413, "BODY-TOO-LARGE", ""},
		{"a PDF", toCII, "application/pdf", "%PDF-1.7", 422, "FORMAT-PDF", ""},
		{"no XML", toCII, xml, "x", 422, "NOT-XML", ""},
		{"not well-formed", "/v1/transform/to/cii", xml, "<a>\n<b></a>", 422, "XML-SYNTAX", "Line 2, column 4"},
		{"no part file", toCII, multipartOfB, fieldHead + "strict\"\r\n\r\ntrue\r\n--b--\r\n", 400, "FILE-MISSING", ""},
		{"strict of no kind", toCII, multipartOfB, fields(ubl, "strict", "very"), 400, "OPTION-INVALID", "true or false"},
		{"a misspelt option", toCII, multipartOfB, fields(ubl, "stirct", "true"), 400, "OPTION-INVALID", "Did you mean \"strict\"?"},
		{"a part that nothing takes", toCII, multipartOfB, fields(ubl, "comment", "hello"), 400, "OPTION-INVALID", "\"comment\""},
		{"strict twice", toCII, multipartOfB, fields(ubl, "strict", "true", "strict", "true"), 400, "OPTION-INVALID", "twice"},
		{"strict in form and query", toCII + "?strict=true", multipartOfB, fields(ubl, "strict", "true"), 400, "OPTION-INVALID", "twice"},
		{"strict of no kind in the query", toCII + "?strict=1", xml, string(ubl), 400, "OPTION-INVALID", ""},
		{"a query of no kind", toCII + "?strict=%zz", xml, string(ubl), 400, "QUERY-INVALID", ""},
		{"an endless reference", "/v1/transform/to/xrechnung", multipartOfB, fields(ubl, "buyerReference", strings.Repeat("9", 1001)), 400, "OPTION-INVALID", "1000 bytes"},
		{"a reference of no text", "/v1/transform/to/xrechnung", multipartOfB, fields(ubl, "buyerReference", "\xff"), 400, "OPTION-INVALID", "UTF-8"},
		{"a reference that XML has not", "/v1/transform/to/xrechnung?buyerReference=%01", xml, string(ubl), 400, "VALIDATION-FAILED", ""},
		{"unknown format", "/v1/transform/to/edifact", xml, string(cii), 404, "TARGET-UNKNOWN", ""},
		{"no such conversion", "/v1/convert/ubl/to/ubl", xml, string(ubl), 404, "ROUTE-UNKNOWN", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := s.send(t, c.path, c.contentType, c.body).wants(t, c.status, c.code)
			if !strings.Contains(p.Detail, c.says) {
				t.Errorf("the detail %q does not say %q", p.Detail, c.says)
			}
		})
	}
	for _, path := range []string{toUBL, toCII, "/v1/transform/to/ubl"} {
		s.send(t, path, xml, string(ubl), "Authorization", "Bearer x").wants(t, 401, "KEY-INVALID")
		s.do(t, s.request(t, http.MethodGet, path, nil)).wants(t, 405, "METHOD-NOT-ALLOWED")
	}
	eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
}

// TestConvertOverHTTP sends the documents of the XRechnung test suite through the
// endpoints: each is converted and transformed, or refused for what it is.
// The reasons of losses are in the language that is asked for, also the messages of rules among them.
func TestLossesInALanguage(t *testing.T) {
	s := start(t, nil)
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	spoilt := regexp.MustCompile(`(<cbc:TaxableAmount[^>]*>\d+)\.\d\d`).ReplaceAllString(string(data), "$1.37")
	spoilt = strings.Replace(spoilt, "<cbc:ID>", "<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:ID>", 1)
	for _, path := range []string{"/v1/convert/ubl/to/cii", "/v1/render/ubl/to/svg"} {
		reasons := func(language string) (all []string) {
			a := s.send(t, path, "application/xml", spoilt, "Accept", "application/json", "Accept-Language", language)
			var told struct{ Losses []formats.Loss }
			if err := json.Unmarshal(a.body, &told); err != nil || len(told.Losses) == 0 && path == "/v1/convert/ubl/to/cii" {
				t.Fatalf("%s: %v %s", path, err, a.body)
			}
			for _, l := range told.Losses {
				all = append(all, l.Reason)
			}
			return all
		}
		english, german := reasons("en"), reasons("de")
		for i := range english {
			if english[i] == german[i] {
				t.Errorf("%s: in German: %s", path, german[i])
			}
		}
	}
}

func TestConvertOverHTTP(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "suites", "xrechnung-testsuite")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("skipped: %s is not there", dir)
	}
	files, converted, transformed := 0, 0, 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".xml" {
			return err
		}
		if files++; !sampled.Takes(files, 4) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, other := toCII, "cii"
		if shared().send(t, toUBL, "application/xml", string(data)).StatusCode == http.StatusOK {
			path, other = toUBL, "ubl"
		}
		a := shared().send(t, path, "application/xml", string(data))
		if a.StatusCode == http.StatusUnprocessableEntity { // no invoice, such as the schemas beside them
			return nil
		}
		a.wants(t, http.StatusOK, "")
		converted++
		m := shared().send(t, path, "application/xml", string(data), "Accept", "application/json").made(t)
		lost := 0
		for _, l := range m.Losses {
			if l.Reason == "" || l.Kind == "lost" && (l.Line == 0 || l.Path == "") {
				t.Errorf("%s: got %+v", name, l)
			}
			if l.Kind == "lost" {
				lost++
			}
		}
		if lost != m.Lost || m.Document != string(a.body) {
			t.Errorf("%s: %d are lost and %d counted", name, lost, m.Lost)
		}
		if r := shared().post(t, other, a.body); r.StatusCode == http.StatusUnprocessableEntity {
			t.Errorf("%s: the result cannot be read: %.300s", name, r.body)
		}
		x := shared().send(t, "/v1/transform/to/xrechnung", "application/xml", string(data))
		switch x.StatusCode {
		case http.StatusOK:
			transformed++
			shared().post(t, "xrechnung", x.body).wants(t, http.StatusOK, "")
		default:
			x.wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d converted, %d transformed", converted, transformed)
	if converted < sampled.Of(80, 5) || transformed < sampled.Of(40, 5) {
		t.Errorf("only %d documents were converted and %d transformed", converted, transformed)
	}
}

// TestTransformSupplies sends what the first answer says is missing, and gets the document.
func TestTransformSupplies(t *testing.T) {
	const path = "/v1/transform/to/xrechnung"
	plain := shared().create(t, "ubl", smallest(t, `, "buyerReference": "04011000-12345-03"`, "", `, "contact": {"name": "Ida Lindner", "phone": "+49 3641 1234", "email": "ida@lindner.example"}`, ""))
	plain.wants(t, http.StatusOK, "")
	p := shared().send(t, path, "application/xml", string(plain.body)).wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
	var names []string
	query := url.Values{}
	for _, m := range p.Missing {
		names = append(names, m.Option+" "+m.BTCode+" "+strings.Join(m.Rules, " "))
		query.Set(m.Option, "+49 3641 1234 ida@lindner.example")
	}
	want := []string{"buyerReference BT-10 BR-DE-15", "seller.contact.name BT-41 BR-DE-2", "seller.contact.phone BT-42 BR-DE-2", "seller.contact.email BT-43 BR-DE-2"}
	if !slices.Equal(names, want) {
		t.Fatalf("missing are %q, want %q", names, want)
	}
	query.Set("seller.contact.email", "ida@lindner.example")
	a := shared().send(t, path+"?"+query.Encode(), "application/xml", string(plain.body))
	a.wants(t, http.StatusOK, "")
	if !strings.Contains(string(a.body), "<cbc:ElectronicMail>ida@lindner.example<") {
		t.Errorf("got %s", a.body)
	}
	fields := func(parts ...string) string {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		_ = w.SetBoundary("b")
		for i := 0; i < len(parts); i += 2 {
			_ = w.WriteField(parts[i], parts[i+1])
		}
		_ = w.Close()
		return b.String()
	}
	p = shared().send(t, path, "multipart/form-data; boundary=b", fields("file", string(plain.body), "seller.contat.name", "x", "lines[0].nte", "y", "paymentDueDate", "soon")).
		wants(t, http.StatusBadRequest, "OPTION-INVALID")
	if got := p.Errors["options"]; len(got) != 3 || !strings.Contains(strings.Join(got, " "), `did you mean "contact"`) {
		t.Errorf("got %q", got)
	}
	p = shared().send(t, path, "multipart/form-data; boundary=b", fields("file", string(plain.body), "seller.name", "x")).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	if !strings.Contains(p.Detail, "already") {
		t.Errorf("got %q", p.Detail)
	}
}
