//go:build machines

package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"einvoice/server"
	"einvoice/service/bulk"
	"einvoice/service/bulk/parquet"

	parquetgo "github.com/parquet-go/parquet-go"
)

// Results come as Parquet, whole and by part, with the rows that the lines have.
func TestResultsAsParquet(t *testing.T) {
	dir := t.TempDir()
	s := start(t, func(c *server.Config) {
		c.BulkSources, c.BulkResults, c.BulkFormats = dir, t.TempDir(), []bulk.Format{parquet.Format}
	})
	const n = 300
	job := s.ended(t, s.upload(t, "", "application/zip", archives(t, n)["application/zip"]))
	path := "/v1/bulk/" + job.ID + "/results"
	lines := bytes.Split(bytes.TrimSpace(s.get(t, path).body), []byte("\n"))
	type row struct {
		File    string `parquet:"file"`
		Verdict string `parquet:"verdict"`
		Result  []byte `parquet:"result"`
	}
	rows := func(path string) []row {
		a := s.do(t, s.request(t, http.MethodGet, path, nil, "Accept", "application/vnd.apache.parquet"))
		a.wants(t, http.StatusOK, "")
		if a.Header.Get("Content-Type") != "application/vnd.apache.parquet" {
			t.Errorf("got %v", a.Header)
		}
		read, err := parquetgo.Read[row](bytes.NewReader(a.body), int64(len(a.body)))
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	all := rows(path)
	if parts := append(rows(path+"?part=1"), rows(path+"?part=2")...); len(parts) != n || len(all) != n {
		t.Fatalf("%d rows, %d in parts", len(all), len(parts))
	}
	for i, r := range all {
		var line struct{ File string }
		if err := json.Unmarshal(lines[i], &line); err != nil {
			t.Fatal(err)
		}
		if r.File != line.File || !bytes.Equal(r.Result, lines[i]) || r.Verdict != []string{"valid", "invalid"}[i%2] {
			t.Fatalf("row %d is %s %s, the line is %.100s", i, r.File, r.Verdict, lines[i])
		}
	}
	s.do(t, s.request(t, http.MethodGet, path+"?part=1", nil, "Accept", "application/zip")).wants(t, http.StatusBadRequest, "QUERY-INVALID")
}
