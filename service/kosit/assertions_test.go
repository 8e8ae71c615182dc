package kosit_test

import (
	"strings"
	"testing"

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
