package cli

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/audit"
)

// What a document or its sender wrote is no formula in a spreadsheet.
func TestExportHasNoFormulas(t *testing.T) {
	path := filepath.Join(t.TempDir(), audit.FileName)
	log, err := audit.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	written := []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "plain", ""}
	for _, text := range written {
		if err := log.Append(audit.Event{File: text, Source: text, Seller: text, Month: text, Verdict: text}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	if err := exportCSV(&out, f); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(written) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		for at, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				t.Errorf("row %d has %q in %s", i, cell, rows[0][at])
			}
		}
		if !strings.HasSuffix(row[2], written[i]) {
			t.Errorf("%q became %q", written[i], row[2])
		}
	}
}

// An index that was there stays as it was if the log cannot be read to its end.
func TestFailedExportKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path, index := filepath.Join(dir, audit.FileName), filepath.Join(dir, "index.csv")
	log, err := audit.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := log.Append(audit.Event{File: "a.xml", Verdict: "valid"}); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{path: bytes.Replace(lines, []byte("a.xml"), []byte("b.xml"), 1), index: []byte("old")} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := Machines{}.newArchiveExport()
	cmd.SetArgs([]string{dir, "-o", index})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	if err := cmd.Execute(); err == nil {
		t.Error("a log that was changed was exported")
	}
	if data, _ := os.ReadFile(index); string(data) != "old" {
		t.Errorf("the index is %q", data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("the folder has %v", entries)
	}
}
