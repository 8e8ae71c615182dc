package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// Cards of rules are in the language that the request asks for, names of terms and reasons
// as well.
func TestLanguagesOfCards(t *testing.T) {
	s := shared()
	for path, contains := range map[string]string{
		"/v1/rules/BR-DE-23-a":             "Code für die Zahlungsart",
		"/v1/rules/BR-CO-09":               "Das Artefakt für CII verlangt es von jeder Umsatzsteuer-Identifikationsnummer und hat eine ältere Liste der Länder.",
		"/v1/rules?ruleset=container":      "Die XMP-Metadaten einer hybriden Rechnung weisen PDF/A aus.",
		"/v1/rules/CONTAINER-CLAIM":        "In Deutschland ist seit 2025 das XML die Rechnung.",
		"/v1/rules?ruleset=en16931/1.3.16": "Summe der Nettobeträge aller Rechnungspositionen",
	} {
		answer := s.do(t, s.request(t, http.MethodGet, path, nil, "Accept-Language", "de"))
		if got := answer.Header.Get("Content-Language"); got != "de" {
			t.Errorf("%s: Content-Language is %q", path, got)
		}
		if !strings.Contains(string(answer.body), contains) {
			t.Errorf("%s lacks %q", path, contains)
		}
		if english := s.get(t, path); strings.Contains(string(english.body), contains) || english.Header.Get("Content-Language") != "en" {
			t.Errorf("%s in English is not English", path)
		}
	}
}

// Answers are in the language that the request asks for, and say so.
func TestLanguages(t *testing.T) {
	s := shared()
	faulty, err := os.ReadFile("../cmd/einvoice/samples/ubl-faulty.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, accept, language, contains string
	}{
		{"no language", "/v1/validate/ubl", "", "en", "State the full name of the buyer"},
		{"header", "/v1/validate/ubl", "de-AT,en;q=0.5", "de", "Nennen Sie den vollständigen Namen des Erwerbers"},
		{"second choice", "/v1/validate/ubl", "pl, fr;q=0.8, de;q=0.5", "fr", "Indiquez le nom complet de l'acheteur"},
		{"none of those that there are", "/v1/validate/ubl", "pl", "en", "State the full name of the buyer"},
		{"a tag that nobody knows before one that there is", "/v1/validate/ubl", "xx, fr;q=0.3, de;q=0.7", "de", "Nennen Sie den vollständigen Namen des Erwerbers"},
		{"a variant that nobody knows", "/v1/validate/ubl", "de-QQQQQ, fr", "fr", "Indiquez le nom complet de l'acheteur"},
		{"malformed header", "/v1/validate/ubl", ";;;", "en", "State the full name of the buyer"},
		{"parameter before header", "/v1/validate/ubl?language=fr", "de", "fr", "Indiquez le nom complet de l'acheteur"},
		{"problem", "/v1/validate/nothing", "de", "de", "Es gibt kein Format"},
		{"unknown language", "/v1/validate/ubl?language=xx", "de", "de", "Es gibt keine Sprache"},
		{"other syntax", "/v1/validate/cii", "fr", "fr", "Le document est en UBL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := []string{"Content-Type", "application/xml"}
			if c.accept != "" {
				header = append(header, "Accept-Language", c.accept)
			}
			answer := s.do(t, s.request(t, http.MethodPost, c.path, bytes.NewReader(faulty), header...))
			body := answer.body
			if got := answer.Header.Get("Content-Language"); got != c.language {
				t.Errorf("Content-Language is %q, want %q", got, c.language)
			}
			if !strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Accept-Language") {
				t.Errorf("Vary is %q", answer.Header.Values("Vary"))
			}
			if !strings.Contains(string(body), c.contains) {
				t.Errorf("%q is not in %s", c.contains, body)
			}
			var problem struct {
				Report *struct {
					Language string `json:"language"`
				} `json:"report"`
			}
			if err := json.Unmarshal(body, &problem); err != nil {
				t.Fatal(err)
			}
			if problem.Report != nil && problem.Report.Language != c.language {
				t.Errorf("the report is in %q, want %q", problem.Report.Language, c.language)
			}
		})
	}
}

// A rule is explained over HTTP, where it is violated, where it holds, and as a row.
func TestExplain(t *testing.T) {
	s := shared()
	faulty, err := os.ReadFile("../cmd/einvoice/samples/ubl-faulty.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule     string
		holds    bool
		contains string
	}{
		{"BR-CO-10", false, `{"expression":"this.sumOfLineNetAmounts","value":99.99,"btCode":"BT-106","term":"Summe der Nettobeträge aller Rechnungspositionen","written":"99.99","line":187`},
		{"BR-02", true, `"holds":true`},
		{"UBL-CR-003", true, `"asked":"absent cbc:ProfileExecutionID"`},
		{"UBL-SR-42", true, `"explanations":[{"rule":"UBL-SR-42"`},
	} {
		answer := s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl?explain="+c.rule, bytes.NewReader(faulty), "Content-Type", "application/xml", "Accept-Language", "de"))
		var x struct {
			Holds, Valid bool
		}
		answer.decode(t, &x)
		if answer.StatusCode != http.StatusOK || x.Holds != c.holds || x.Valid || !strings.Contains(string(answer.body), c.contains) || answer.Header.Get("Content-Language") != "de" {
			t.Errorf("%s: %d %s", c.rule, answer.StatusCode, answer.body)
		}
	}
	answer := s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl?explain=BR-XX", bytes.NewReader(faulty), "Content-Type", "application/xml"))
	if answer.StatusCode != http.StatusNotFound || !strings.Contains(string(answer.body), "RULE-UNKNOWN") {
		t.Errorf("an unknown rule: %d %s", answer.StatusCode, answer.body)
	}
}

// Each mistake in an option is listed in the language of the answer, whether it is the only one or
// one of several, and in whichever package it was found.
func TestLanguageOfOptions(t *testing.T) {
	for query, want := range map[string][]string{
		"render/ubl/to/pdf?look=nope":          {`Es gibt keine Gestaltung "nope". Verwenden Sie`},
		"render/ubl/to/pdf?look=nope&date=x":   {"Verwenden Sie", "kein Tag"},
		"render/ubl/to/pdf?language=xx":        {`Es gibt keine Sprache "xx". Verwenden Sie`},
		"transform/to/cii?seller.foo=1":        {`Die Information "seller.foo"`},
		"transform/to/ubl?profile=none&date=x": {"hat kein Profil", "kein Tag"},
	} {
		p := shared().send(t, "/v1/"+query, "application/xml", "<a/>", "Accept-Language", "de").wants(t, http.StatusBadRequest, "OPTION-INVALID")
		told := strings.Join(p.Errors["options"], "\n")
		for _, text := range want {
			if len(p.Errors["options"]) != len(want) || !strings.Contains(told, text) || strings.Contains(told, "se one of") {
				t.Errorf("%s: got %q, want %q", query, p.Errors["options"], want)
			}
		}
	}
}

// What is wrong with the JSON of a request is said in the language of the answer.
func TestLanguageOfJSON(t *testing.T) {
	for _, body := range []string{"", "{", `{"invoice": {}} x`, `{"invoice": {"number": "\ud800"}}`, "{\"invoice\": {\"number\": \"\xff\"}}"} {
		p := shared().send(t, "/v1/create/ubl", "application/json", body, "Accept-Language", "de").wants(t, http.StatusBadRequest, "REQUEST-INVALID")
		for _, text := range p.Errors["json"] {
			if strings.Contains(text, " is ") || strings.Contains(text, " the ") {
				t.Errorf("%q: got %q", body, text)
			}
		}
	}
}

// Whatever is wrong with a request, each mistake is said in one language: what is put at any place of it.
func TestMistakesOfJSONInOneLanguage(t *testing.T) {
	const request = `{"invoice": {"number": "1\n", "lines": [{"invoicedQuantity": 1.5, "testIndicator": true}]}, "options": {"vatAccountingCurrencyRate": "1", "strict": false}}`
	english := regexp.MustCompile(`\b(this is|there (is|are)|the (request|JSON|document|exchange)|write|is not|with|lacks)\b`)
	quoted, seen := regexp.MustCompile(`"[^"]*"|\{[^}]*\}`), map[string]bool{}
	for at := range len(request) {
		if !sampled.Takes(at, 3) {
			continue
		}
		for _, with := range []string{"", "\\", `\u12`, `\ud800`, `\x`, "-", "{", "]", ",", ":", `"`, "\x01", "\xff", "null", "e"} {
			body := request[:at] + with + request[min(at+at%3, len(request)):]
			for _, language := range []string{"de", "fr"} {
				answer := shared().do(t, shared().request(t, http.MethodPost, "/v1/create/ubl", strings.NewReader(body), "Content-Type", "application/json", "Accept-Language", language))
				var p struct{ Mistakes []struct{ Message string } }
				answer.decode(t, &p)
				for _, m := range p.Mistakes {
					if word := english.FindString(quoted.ReplaceAllString(m.Message, "")); word != "" && !seen[m.Message] {
						seen[m.Message] = true
						t.Errorf("%s, %q at %d: %s", language, with, at, m.Message)
					}
				}
			}
		}
	}
	p := shared().send(t, "/v1/transform/to/cii?number=2", "application/xml", string(sample(t, "ubl-valid.xml")), "Accept-Language", "de").wants(t, http.StatusBadRequest, "OPTION-INVALID")
	if told := strings.Join(p.Errors["options"], " "); !strings.Contains(told, "schon") {
		t.Errorf("a term that is there: %s", told)
	}
}

// Pages are in the language that render is asked for, whatever language problems are in, and
// the answer says so; XML that is made has none.
func TestLanguageOfPages(t *testing.T) {
	s := shared()
	invoice, err := os.ReadFile("../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, accept, want string }{
		{"/v1/render/ubl/to/html?language=fr", "text/html", "fr"},
		{"/v1/render/ubl/to/html", "text/html", "en"},
		{"/v1/render/ubl/to/pdf?language=nl", "application/pdf", "nl"},
		{"/v1/render/ubl/to/html?language=fr", "application/json", "de"},
		{"/v1/convert/ubl/to/cii", "application/xml", ""},
	} {
		a := s.do(t, s.request(t, http.MethodPost, c.path, bytes.NewReader(invoice), "Content-Type", "application/xml", "Accept", c.accept, "Accept-Language", "de"))
		if got := a.Header.Get("Content-Language"); a.StatusCode != http.StatusOK || got != c.want {
			t.Errorf("%s as %s: %d, Content-Language %q, want %q", c.path, c.accept, a.StatusCode, got, c.want)
		}
		if c.accept == "text/html" && !bytes.Contains(a.body, []byte(`<html lang="`+c.want+`"`)) {
			t.Errorf("%s is not in %s", c.path, c.want)
		}
	}
}

// A page is in English where a language has texts of rules alone, and marks these texts.
func TestLanguageOfRulesAlone(t *testing.T) {
	s := shared()
	invoice := string(sample(t, "ubl-valid.xml"))
	invoice = regexp.MustCompile(`<cbc:CustomizationID>[^<]*`).ReplaceAllString(invoice, "<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0")
	invoice = regexp.MustCompile(`<cbc:IdentificationCode>[^<]*`).ReplaceAllString(invoice, "<cbc:IdentificationCode>NL")
	for language, want := range map[string][]string{
		"nl": {`<html lang="en"`, `<p lang="nl">Geef`, `<span lang="nl">`},
		"de": {`<html lang="de"`, `<p lang="en">Give`, `<span lang="en">`},
	} {
		a := s.do(t, s.request(t, http.MethodPost, "/v1/validate/ubl", strings.NewReader(invoice), "Content-Type", "application/xml", "Accept", "text/html", "Accept-Language", language))
		for _, w := range want {
			if !bytes.Contains(a.body, []byte(w)) {
				t.Errorf("%s: %d, without %s", language, a.StatusCode, w)
			}
		}
	}
}
