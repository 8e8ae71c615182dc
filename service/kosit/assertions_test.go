package kosit_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"einvoice/service/kosit"
)

const assertionsFile = `<assertions xmlns="http://www.xoev.de/de/validator/framework/1/assertions">
  <namespace prefix="rep">http://www.xoev.de/de/validator/varl/1</namespace>
  <assertion report-doc="one.xml" test="/rep:report/rep:assessment/rep:accept">to be accepted</assertion>
  <assertion report-doc="one.xml" test="/rep:report/rep:step/@id = 'val-xsd'">schema was checked</assertion>
  <assertion report-doc="one.xml" test="exists(//rep:message)">there are messages</assertion>
  <assertion report-doc="two.xml" test="false()">of another</assertion>
</assertions>`

// Assertions are those about the report of a document, and their value is as XPath has it.
func TestAssertions(t *testing.T) {
	a, err := kosit.ReadAssertions([]byte(assertionsFile))
	if err != nil {
		t.Fatal(err)
	}
	report := []byte(`<r:report xmlns:r="http://www.xoev.de/de/validator/varl/1"><r:step id="val-xsd"/><r:assessment><r:accept/></r:assessment></r:report>`)
	for name, want := range map[string]struct {
		checked int
		failed  string
	}{"one": {3, "there are messages"}, "two": {1, "of another"}, "three": {}, "folder-one": {3, "there are messages"}} {
		checked, failed, err := a.Check(name, report)
		if err != nil || checked != want.checked || strings.Join(failed, ";") != want.failed {
			t.Errorf("%s: %d checked, failed %q, %v", name, checked, failed, err)
		}
	}
	for text, says := range map[string]string{
		"<a/>":    "not a file of assertions",
		"nothing": "not XML",
		strings.Replace(assertionsFile, "false()", "every $x in //a satisfies $x", 1): "has no for, some and every",
		strings.Replace(assertionsFile, `test="false()"`, "", 1):                      "needs the attributes",
		strings.Replace(assertionsFile, `rep:report/rep:step`, "other:x", 1):          "assertion 2 (one.xml)",
	} {
		if _, err := kosit.ReadAssertions([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: got %v, want %q", text, err, says)
		}
	}
}

// A configuration may be saved in every encoding that an invoice may have.
func TestEncodingsOfConfigurations(t *testing.T) {
	s := open(t)
	scenarios := strings.Replace(string(builtIn(t, s).Source), "<name>", "<name>Prüfstelle ", 1)
	for name, saved := range map[string]encoding.Encoding{
		"ISO-8859-1": charmap.ISO8859_1, "windows-1252": charmap.Windows1252,
		"UTF-8": unicode.UTF8BOM, "UTF-16": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		saved := func(text string) []byte {
			data, err := saved.NewEncoder().String(strings.Replace(text, `encoding="UTF-8"`, `encoding="`+name+`"`, 1))
			if err != nil {
				t.Fatal(err)
			}
			return []byte(data)
		}
		c, err := kosit.Load(s.Library(), saved(scenarios))
		if err != nil || !strings.HasPrefix(c.Name, "Prüfstelle ") || len(c.Scenarios) != len(builtIn(t, s).Scenarios) {
			t.Errorf("%s: %v", name, err)
		}
		a, err := kosit.ReadAssertions(saved(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.Replace(assertionsFile, "false()", "'ü' = 'u'", 1)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if checked, failed, err := a.Check("two", []byte("<a/>")); err != nil || checked != 1 || len(failed) != 1 {
			t.Errorf("%s: %d, %v, %v", name, checked, failed, err)
		}
	}
}
