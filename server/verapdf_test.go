package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/server"
)

// standIn is a program that prints a report as veraPDF does.
func standIn(t *testing.T, report string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for veraPDF is a shell script")
	}
	path := filepath.Join(t.TempDir(), "verapdf")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ncat <<'END'\n"+report+"\nEND\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVeraPDF: where the server has the program, its verdict is among the findings.
func TestVeraPDF(t *testing.T) {
	path := standIn(t, `<report><jobs><job><validationReport profileName="PDF/A-3B validation profile" isCompliant="false"><details passedRules="145">
		<rule specification="ISO 19005-3:2012" clause="6.1.2" testNumber="2" status="failed" failedChecks="4"><description>A header is there</description>
		<check><context>root</context><errorMessage>No header</errorMessage></check></rule></details></validationReport></job></jobs></report>`)
	body := hybrid("factur-x.xml", sample(t, "cii-valid.xml"))
	s := start(t, func(c *server.Config) { c.VeraPDF = path })
	for endpoint, level := range map[string]engine.Level{"facturx": engine.Fatal, "en16931": engine.Warning} {
		r := s.send(t, "/v1/validate/"+endpoint, pdfType, body).result(t)
		i := slices.IndexFunc(r.Findings, func(f engine.Finding) bool { return f.Rule == "VERAPDF-6.1.2-2" })
		if i < 0 {
			t.Errorf("%s: got %q", endpoint, r.rules())
			continue
		}
		if f := r.Findings[i]; f.Level != level || f.Layer != engine.LayerContainer || f.Message != "No header (4 places)" || f.Location != "root" || !strings.Contains(f.Raw, "A header is there") {
			t.Errorf("%s: %+v", endpoint, f)
		}
	}
	if r := s.post(t, "en16931", sample(t, "cii-valid.xml")).result(t); !r.Valid || len(r.Findings) > 0 {
		t.Errorf("of XML it is not asked: %+v", r)
	}
	broken := start(t, func(c *server.Config) { c.VeraPDF = standIn(t, "nonsense") })
	a := broken.send(t, "/v1/validate/en16931", pdfType, body)
	a.wants(t, http.StatusOK, "")
	if r := a.result(t); !slices.ContainsFunc(r.Findings, func(f engine.Finding) bool { return f.Rule == "VERAPDF" && f.Failed }) {
		t.Errorf("a program that fails is told: %q", r.rules())
	}
	config := server.DefaultConfig()
	config.VeraPDF = filepath.Join(t.TempDir(), "none")
	if _, err := server.New(config, nil); err == nil || !strings.Contains(err.Error(), "make verapdf") {
		t.Errorf("a program that is missing stops the start: %v", err)
	}
}
