package verapdf_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/verapdf"
)

// program is a script that takes the place of veraPDF.
func program(t *testing.T, script string) *verapdf.Program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for veraPDF is a shell script")
	}
	path := filepath.Join(t.TempDir(), "verapdf")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := verapdf.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answer is a script that prints a report with this job in it.
func answer(job string, status int) string {
	return fmt.Sprintf("cat <<'END'\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<report><jobs><job><item/>%s</job></jobs></report>\nEND\nexit %d\n", job, status)
}

const failing = `<validationReport profileName="PDF/A-3B validation profile" isCompliant="false">
<details passedRules="140" failedRules="2">
<rule specification="ISO 19005-3:2012" clause="6.1.2" testNumber="1" status="passed" failedChecks="0"><description>d</description></rule>
<rule specification="ISO 19005-3:2012" clause="6.2.11.4.1" testNumber="1" status="failed" failedChecks="3">
  <description>Fonts are
    embedded</description>
  <check status="failed"><context>root/page[0]</context><errorMessage>Font X is not embedded</errorMessage></check>
</rule>
<rule specification="ISO 19005-3:2012" clause="6.6.4" testNumber="2" status="failed" failedChecks="1"><description>d</description></rule>
</details></validationReport>`

func TestCheck(t *testing.T) {
	all, err := program(t, `for last; do :; done; head -c 5 "$last" | grep -q %PDF- || exit 9
`+answer(failing, 1)).Check(t.Context(), []byte("%PDF-1.7 something"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	v := all[0]
	if v.Compliant || v.Profile != "PDF/A-3B" || v.Rules != 140 || len(v.Failures) != 2 {
		t.Fatalf("got %+v", v)
	}
	want := verapdf.Failure{
		Standard: "ISO 19005-3:2012", Clause: "6.2.11.4.1", Test: "1", Text: "Fonts are embedded",
		Message: "Font X is not embedded", Place: "root/page[0]", Places: 3,
	}
	if v.Failures[0] != want {
		t.Errorf("got %+v, want %+v", v.Failures[0], want)
	}
	all, err = program(t, answer(`<validationReport profileName="PDF/A-3A validation profile" isCompliant="true"><details passedRules="146"/></validationReport>
		<validationReport profileName="PDF/UA-1 validation profile" isCompliant="true"/>`, 0)).Check(t.Context(), nil)
	if err != nil || len(all) != 2 || !all[0].Compliant || all[0].Profile != "PDF/A-3A" || all[1].Profile != "PDF/UA-1" {
		t.Errorf("%+v, %v", all, err)
	}
}

// Failures are errors that say why, and no temporary files are left.
func TestFailures(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct{ name, script, says string }{
		{"the PDF cannot be read", answer(`<taskException><exceptionMessage>no
			trailer</exceptionMessage></taskException>`, 7), "no trailer"},
		{"no report", "echo 'first'>&2; echo 'no Java here' >&2; exit 1", "no Java here"},
		{"no report and no failure", "exit 0", "not a report"},
		{"no job", "echo '<report/>'", "not about one document"},
		{"a report without end", "yes '<report>'", "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := program(t, c.script).Check(t.Context(), []byte("%PDF-"))
			if err == nil || v != nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v, %v does not say %q", v, err, c.says)
			}
		})
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A cancelled run ends, with the processes that the script started.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := program(t, "sleep 600 & wait").Check(ctx, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Chdir(t.TempDir())
	for _, path := range []string{"", "/nowhere/verapdf", "verapdf"} {
		if _, err := verapdf.Find(path); err == nil || !strings.Contains(err.Error(), "make verapdf") {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// The real program, if it is installed.
func TestProgram(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	p, err := verapdf.Find("verapdf")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	all, err := p.Check(t.Context(), pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: []byte("<a/>")}))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("got %+v", all)
	}
	if v := all[0]; v.Compliant || v.Profile != "PDF/A-3B" || len(v.Failures) == 0 || v.Failures[0].Clause == "" || v.Failures[0].Text == "" {
		t.Errorf("got %+v", all)
	}
}
