package cli

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/service/audit"
	"einvoice/service/bulk"
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

// The log of a target of watch counts no findings: the index says nothing of them, where 0 would be false.
// The log of an archive counts them, also where there are none.
func TestExportOfWhatWatchWrote(t *testing.T) {
	for program, want := range map[string]string{"": "", "einvoice": "0"} {
		path := filepath.Join(t.TempDir(), audit.FileName)
		log, err := audit.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Append(audit.Event{File: "a.xml", Verdict: "invalid", Program: program}); err != nil {
			t.Fatal(err)
		}
		lines, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := exportCSV(&out, bytes.NewReader(lines)); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][slices.Index(rows[0], "findings")] != want {
			t.Errorf("by %q: %v, %v", program, rows, err)
		}
		written := &rowsWritten{}
		if err := exportRows(written, bytes.NewReader(lines)); (err == nil) != (program != "") || len(written.rows) > 0 != (err == nil) {
			t.Errorf("by %q: %d rows, %v", program, len(written.rows), err)
		}
	}
}

type rowsWritten struct{ rows []bulk.Row }

func (r *rowsWritten) WriteRows(rows []bulk.Row) error { r.rows = append(r.rows, rows...); return nil }
func (r *rowsWritten) Close() error                    { return nil }

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
