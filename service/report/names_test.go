package report_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"einvoice/service/report"
)

// Files whose names differ have reports that differ in each form, also where the bytes that differ are no
// text, and each report is text.
func TestEachFileHasItsName(t *testing.T) {
	names := []string{"a\xff.xml", "a\xfe.xml", `a\xff.xml`, `a\x5cxff.xml`, "a\ufffd.xml", "a\xc3\x28.xml", "a\xc3\x29.xml", "a.xml"}
	for _, f := range report.Formats {
		if f.Name == "svrl" { // it names no file
			continue
		}
		said := map[string]string{}
		for _, name := range names {
			data, err := f.Single(&report.Outcome{Name: name, Err: errors.New("it is gone")}, report.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if other, is := said[string(data)]; is || !utf8.Valid(data) {
				t.Errorf("%s: %q and %q have one report: %q", f.Name, name, other, data)
			}
			said[string(data)] = name
		}
	}
}
