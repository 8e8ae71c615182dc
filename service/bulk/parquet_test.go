//go:build machines

package bulk_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/bulk"
	"einvoice/service/bulk/parquet"
)

func init() { formats = append(formats, parquet.Format) }

// Segments of Parquet have the results of segments of JSON Lines.
func TestParquet(t *testing.T) {
	source := twins(t, 600, 500)
	folder := filepath.Join(t.TempDir(), "out")
	// One worker has the first 500 done before it comes to those that repeat them.
	got := runJobs(t, bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}, Format: parquet.Format.Name, Formats: []bulk.Format{parquet.Format}}, source, 1)
	want := runFiles(t, bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "lines")), Source: "twins", Operation: &echo{}}, source)
	if got != want || strings.Count(got, "\n") != 600 {
		t.Errorf("the results are others: %.300s", got)
	}
	if s := status(t, folder); s.Taken != 100 {
		t.Errorf("%d of 100 were taken of segments of Parquet", s.Taken)
	}
	_, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}})
	if codeOf(err) != bulk.CodeOther {
		t.Errorf("the same job in another format: %v", err)
	}
	if err := (&bulk.Results{Target: bulk.Folder(folder)}).WriteAll(t.Context(), io.Discard); codeOf(err) != bulk.CodeFormat {
		t.Errorf("a program without the format: %v", err)
	}
}
