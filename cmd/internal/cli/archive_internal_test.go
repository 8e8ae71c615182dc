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
