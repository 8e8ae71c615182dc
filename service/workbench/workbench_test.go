package workbench_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model/problem"
	"einvoice/service/internal/kittest"
	"einvoice/service/workbench"
)

// open makes a desk over the rules of the program.
func open(t testing.TB) *workbench.Desk {
	t.Helper()
	return workbench.New(kittest.Kit(t), workbench.Config{})
}

// call calls an operation and reads its answer.
func call[Answer any](t testing.TB, d *workbench.Desk, name string, request any) *Answer {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := d.Call(t.Context(), name, data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, ok := answer.(*Answer)
	if !ok {
		t.Fatalf("%s answers a %T", name, answer)
	}
	return got
}

// cut is the part of a text that a span is.
func cut(text string, s *workbench.Span) string {
	if s == nil {
		return ""
	}
	return string(utf16.Decode(utf16.Encode([]rune(text))[s.From:s.To]))
}

func TestSampleHasFiveFaults(t *testing.T) {
	d := open(t)
	text := string(workbench.Sample)
	c := call[workbench.Checked](t, d, "check", map[string]any{"text": text})
	want := map[string]string{
		"BR-07":    `<cbc:RegistrationName> </cbc:RegistrationName>`,
		"BR-CL-14": `<cbc:IdentificationCode>de</cbc:IdentificationCode>`,
		"BR-CL-23": `<cbc:InvoicedQuantity unitCode="hur">4</cbc:InvoicedQuantity>`,
		"BR-CO-16": `<cbc:PayableAmount currencyID="EUR">925.00</cbc:PayableAmount>`,
		"BR-CO-09": `<cbc:CompanyID>987654321</cbc:CompanyID>`,
	}
	for _, f := range c.Findings {
		if got := cut(text, f.Span); got != want[f.Rule] {
			t.Errorf("%s is at %q, want %q", f.Rule, got, want[f.Rule])
		}
		delete(want, f.Rule)
	}
	if c.Source != "" {
		t.Error("the text of the request is sent back")
	}
	if c.Valid || len(want) > 0 || c.Counts.Fatal != 5 {
		t.Errorf("valid %v, %d fatal, not found %v", c.Valid, c.Counts.Fatal, want)
	}
	r := call[workbench.Remedies](t, d, "remedies", map[string]any{"text": text})
	offered := map[string]string{}
	for _, one := range r.Remedies {
		offered[one.Path] = one.Becomes
		if got := cut(text, &one.Edits[0].Span); got != one.Was {
			t.Errorf("the remedy of %s replaces %q, want %q", one.Path, got, one.Was)
		}
	}
	for path, value := range map[string]string{"totals.amountDueForPayment": "952.00", "buyer.postalAddress.countryCode": "DE", "lines[0].invoicedQuantityUnitCode": "HUR"} {
		if offered[path] != value {
			t.Errorf("%s: offered %q, want %q; there are %v", path, offered[path], value, offered)
		}
	}
}

// A file of broken XML can be mended: its text is there, with the place of the fault. What is not
// text is not shown as one.
func TestBrokenFileCanBeMended(t *testing.T) {
	d := open(t)
	text := string(workbench.Sample[:2000])
	c := call[workbench.Checked](t, d, "check", map[string]any{"file": []byte(text), "name": "broken.xml"})
	if c.Problem == nil || c.Source != text || c.Problem.Span == nil || c.Problem.Span.From == 0 {
		t.Errorf("the problem is %+v, the text has %d of %d characters", c.Problem, len(c.Source), len(text))
	}
	for _, data := range []string{"PK\x03\x04<a/>", "\xff\xfe<\x00", "%PDF-1.4", "plain text"} {
		if c := call[workbench.Checked](t, d, "check", map[string]any{"file": []byte(data)}); c.Problem == nil || c.Source != "" {
			t.Errorf("%q: shown is %q", data, c.Source)
		}
	}
}

// Terms have their names in the language of the answer.
func TestTermsInTheLanguage(t *testing.T) {
	d := open(t)
	request := map[string]any{"text": string(workbench.Sample), "language": "de"}
	names := map[string]string{}
	for _, f := range call[workbench.View](t, d, "view", request).Fields {
		names[f.BT] = f.Name
	}
	for _, r := range call[workbench.Remedies](t, d, "remedies", request).Remedies {
		if r.Name != names[r.BT] {
			t.Errorf("the remedy of %s is named %q, the field %q", r.BT, r.Name, names[r.BT])
		}
	}
	card := call[ruletest.Card](t, d, "card", map[string]any{"rule": "BR-CO-16", "language": "de"})
	for _, term := range card.Terms {
		if name, ok := names[term.Code]; ok && term.Name != name {
			t.Errorf("%s is %q on the card, %q among the fields", term.Code, term.Name, name)
		}
	}
	if english, _ := engine.TermName("BT-1"); names["BT-1"] == "" || names["BT-1"] == english {
		t.Errorf("BT-1 is %q", names["BT-1"])
	}
}

// JSON that is not an invoice has all its mistakes listed, with their places.
func TestMistakesOfJSON(t *testing.T) {
	d := open(t)
	text := "{\"invoice\": {\"number\": \"ü\",\n  \"totals\": {\"amountDueForPayment\": \"much\"}, \"nubmer\": \"1\"}}"
	c := call[workbench.Checked](t, d, "check", map[string]any{"text": text})
	if c.Valid || c.Problem == nil || len(c.Findings) != 2 || c.Counts.Fatal != 2 {
		t.Fatalf("the problem is %+v, with %d findings", c.Problem, len(c.Findings))
	}
	for _, f := range c.Findings {
		if f.Span == nil || f.Span.From < 20 || f.Message == "" {
			t.Errorf("%q is at %+v", f.Message, f.Span)
		}
	}
	if v := call[workbench.View](t, d, "view", map[string]any{"text": text}); v.Problem == nil {
		t.Error("there is a page of what is not an invoice")
	}
}

// Fields are under headings in the language, with the numbers of what there are several of.
func TestGroupsAreNamed(t *testing.T) {
	text := `{"invoice": {"number": "1", "seller": {"name": "S"}, "lines": [{"identifier": "1"}, {"identifier": "2", "allowances": [{"amount": "1"}, {"amount": "2"}]}]}}`
	for language, want := range map[string]map[string]string{
		"":   {"seller": "Seller", "lines[1]": "Invoice line 2", "lines[1].allowances[0]": "Invoice line 2 › Invoice line allowances 1"},
		"de": {"seller": "Verkäufer", "lines[0]": "Rechnungsposition 1"},
		"fr": {"seller": "Vendeur", "lines[1]": "Ligne de facture 2"},
	} {
		v := call[workbench.View](t, open(t), "view", map[string]any{"text": text, "language": language, "noPage": true})
		for path, name := range want {
			if v.Groups[path] != name {
				t.Errorf("%q: %s is %q, want %q", language, path, v.Groups[path], name)
			}
		}
		if _, named := v.Groups[""]; named || v.Groups["seller.name"] != "" {
			t.Errorf("%q: there are names of what is not a group: %v", language, v.Groups)
		}
	}
}

// A document without rules is shown with its source, and no report is made of it.
func TestDocumentWithoutRules(t *testing.T) {
	text := `<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12"><rsm:HeaderExchangedDocument><ram:ID>17</ram:ID></rsm:HeaderExchangedDocument></rsm:CrossIndustryDocument>`
	d := open(t)
	c := call[workbench.Checked](t, d, "check", map[string]any{"file": []byte(text), "language": "de"})
	if c.Problem == nil || c.Problem.Message != "das Dokument ist in ZUGFeRD 1.0, wofür es keine Regeln gibt" || c.Source != text || c.Number != "17" {
		t.Errorf("got %+v, %+v", c, c.Problem)
	}
	request, err := json.Marshal(map[string]any{"text": text, "what": "report", "to": "json"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Call(t.Context(), "make", request)
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != problem.CodeLegacy {
		t.Errorf("the report is %v", err)
	}
}

// A report is made of an invoice in JSON as well; the profile that is chosen judges it.
func TestReportOfJSON(t *testing.T) {
	request := map[string]any{"text": `{"invoice": {"number": "1"}}`, "what": "report", "to": "json"}
	d := open(t)
	made := call[workbench.Made](t, d, "make", request)
	if !strings.Contains(string(made.Data), `"rule":"BR-06"`) && !strings.Contains(string(made.Data), `"rule": "BR-06"`) {
		t.Errorf("the report is %.500s", made.Data)
	}
	for profile, want := range map[string]string{"": "EN 16931", "xrechnung-3.0": "XRechnung 3.0"} {
		c := call[workbench.Checked](t, d, "check", map[string]any{"text": `{"invoice": {"number": "1"}}`, "profile": profile})
		if c.Problem != nil || c.Profile != want {
			t.Errorf("with profile %q it is judged as %q, %+v", profile, c.Profile, c.Problem)
		}
	}
}

// What kinds of files are, and why values are lost, is said in the language.
func TestSaidInTheLanguage(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		language, want string
		file           []byte
	}{
		{"de", "das ist ein PNG-Bild, kein XML-Dokument", []byte("\x89PNG\r\n\x1a\n")}, {"fr", "ceci est une archive ZIP vide, pas un document XML", []byte("PK\x05\x06")},
	} {
		got := call[workbench.Checked](t, d, "check", map[string]any{"file": c.file, "language": c.language})
		if got.Problem == nil || got.Problem.Message != c.want {
			t.Errorf("%s: %+v", c.language, got.Problem)
		}
	}
	made := call[workbench.Made](t, d, "make", map[string]any{"text": strings.Replace(string(workbench.Sample), "<cbc:ID>", "<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:ID>", 1), "what": "convert", "to": "cii", "language": "de"})
	for _, l := range made.Losses {
		if strings.Contains(l.Reason, " the ") || strings.Contains(l.Reason, " has ") {
			t.Errorf("the reason of %s is %q", l.Value, l.Reason)
		}
	}
	if len(made.Losses) == 0 {
		t.Error("nothing is lost, so no reason was looked at")
	}
}

// A correction that has two reasons is offered once.
func TestRemedyOnce(t *testing.T) {
	text := strings.Replace(string(workbench.Sample), "</cbc:TaxInclusiveAmount>", "00</cbc:TaxInclusiveAmount>", 1)
	got := call[workbench.Remedies](t, open(t), "remedies", map[string]any{"text": text})
	offered := map[string]int{}
	for _, r := range got.Remedies {
		offered[r.Path+" "+r.Becomes]++
	}
	for what, n := range offered {
		if n != 1 {
			t.Errorf("%s is offered %d times", what, n)
		}
	}
	if len(offered) == 0 {
		t.Error("nothing is offered")
	}
}

// A format that an operation does not make is a mistake of the request, and told with those
// that it makes.
func TestMakeOfAnotherFormat(t *testing.T) {
	d := open(t)
	for what, to := range map[string]string{"convert": "zugferd", "transform": "pdf", "extract": "cii", "render": "", "create": "json", "report": "pdf"} {
		data, err := json.Marshal(map[string]any{"text": string(workbench.Sample), "what": what, "to": to})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Call(t.Context(), "make", data)
		if told, ok := errors.AsType[*problem.Error](err); !ok || told.Code != problem.CodeOption || told.Field != "to" || !strings.HasPrefix(told.Remedy, "use one of ") {
			t.Errorf("%s to %q: %v", what, to, err)
		}
	}
}

// With the rules of a service's own, another program decides as the service does.
func TestOwnRules(t *testing.T) {
	overlay := "overlay: ours\ntitle: Ours\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: ours, until: 2099-12-31}\n"
	builtIn := open(t)
	if builtIn.HasOwn() {
		t.Error("the rules of the program are not its own")
	}
	serving, err := builtIn.Use(&workbench.Own{Files: map[string]string{"overlays/ours.yaml": overlay}, Usual: []string{"ours"}})
	if err != nil || !serving.HasOwn() {
		t.Fatal(err)
	}
	inPage, err := builtIn.Use(call[workbench.Own](t, serving, "own", map[string]any{}))
	if err != nil {
		t.Fatal(err)
	}
	request := map[string]any{"text": string(workbench.Sample)}
	for desk, want := range map[*workbench.Desk]int{builtIn: 0, serving: 1, inPage: 1} {
		if c := call[workbench.Checked](t, desk, "check", request); c.Counts.Warning != want {
			t.Errorf("%d warnings, want %d", c.Counts.Warning, want)
		}
	}
	if a, b := call[workbench.Checked](t, serving, "check", request), call[workbench.Checked](t, inPage, "check", request); a.Digest != b.Digest {
		t.Errorf("the digests are %s and %s", a.Digest, b.Digest)
	}
}

// What a call refuses is said as sentences in the language of the request.
func TestRefusal(t *testing.T) {
	d := open(t)
	request := []byte(`{"text": "<a/>", "what": "report", "to": "nothing", "language": "de"}`)
	_, err := d.Call(t.Context(), "make", request)
	if code, text := d.Refusal(request, err); code != "OPTION-INVALID" || !strings.HasPrefix(text, "Diesen Bericht gibt es nicht. Verwenden Sie ") {
		t.Errorf("%s: %s", code, text)
	}
}

// Values that were read off pages are called as the terms that they are.
func TestLabelsOfPages(t *testing.T) {
	parsed := call[workbench.Parsed](t, open(t), "parse", map[string]any{"file": page(t), "language": "de"})
	for pointer, want := range map[string]workbench.Label{
		"/number": {"BT-1", "Rechnungsnummer", ""}, "/seller/name": {"BT-27", "Name des Verkäufers", "Verkäufer"}, "/lines/0/price/netPrice": {"BT-146", "Nettopreis des Artikels", "Rechnungsposition 1"},
	} {
		if got := parsed.Labels[pointer]; got != want {
			t.Errorf("%s is %+v, want %+v", pointer, got, want)
		}
	}
	if len(parsed.Labels) != len(parsed.Fields) {
		t.Errorf("%d labels of %d fields", len(parsed.Labels), len(parsed.Fields))
	}
}

// page is the pages of the sample, as a PDF.
func page(t *testing.T) []byte {
	t.Helper()
	return call[workbench.Made](t, open(t), "make", map[string]any{"text": string(workbench.Sample), "what": "render", "to": "pdf"}).Data
}
