package bulk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/bulk"
	"einvoice/service/operation"
)

var togetherDocuments = flag.Int("together-documents", 2000, "how many made documents are held against each other; docs/adr/0054 has the figures for a million")

// A made source has documents that are their columns: each names the one before it, and each
// fiftieth is there twice, with another amount.
type made struct{ n int }

func (m made) columns(i int) *bulk.Columns {
	number, amount := i, "100.00"
	if i%50 == 49 {
		number, amount = i-1, "200.00"
	}
	return &bulk.Columns{Seller: fmt.Sprintf("vat:DE%09d", number%997), Number: fmt.Sprintf("R-%07d", number), Date: "2026-11-20", Type: "380", Currency: "EUR", Amount: amount, Preceding: []string{fmt.Sprintf("R-%07d", max(number-997, 0))}}
}

func (m made) Each(_ context.Context, yield func(bulk.Entry) error) error {
	for i := range m.n {
		if err := yield(bulk.Entry{Key: fmt.Sprintf("%07d.xml", i)}); err != nil {
			return err
		}
	}
	return nil
}

func (m made) Read(_ context.Context, e bulk.Entry) ([]byte, int64, error) {
	var i int
	if _, err := fmt.Sscanf(filepath.Base(e.Key), "%d.xml", &i); err != nil {
		return nil, 0, err
	}
	data, err := json.Marshal(m.columns(i))
	return data, 1, err
}

// columnsAlone judges by the rules of the layer batch, of documents that are their columns.
type columnsAlone struct{ *bulk.Validation }

func (columnsAlone) Do(_ context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	c := &bulk.Columns{}
	err := json.Unmarshal(d.Data, c)
	return fmt.Appendf(segment, "{\"file\":%q}\n", d.Key), bulk.Outcome{Verdict: bulk.Valid, Columns: c}, err
}

// TestTogetherMany holds many documents against each other by the shipped rules, and measures.
func TestTogetherMany(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	validation, err := bulk.NewValidation(bulk.Validation{Service: operation.New(library, operation.Config{}), Batch: []string{"batch"}})
	if err != nil {
		t.Fatal(err)
	}
	n := *togetherDocuments
	out := filepath.Join(t.TempDir(), "out")
	target := bulk.Folder(out)
	began := time.Now()
	job, err := bulk.Open(t.Context(), bulk.Order{Target: target, Source: "made", Operation: columnsAlone{validation}, Batch: 256})
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: made{n}, Jobs: runtime.GOMAXPROCS(0)}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	f, err := os.Open(filepath.Join(out, bulk.TogetherFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		found += bytes.Count(lines.Bytes(), []byte(`"rule":"BATCH-02"`))
	}
	if want := 2 * (n / 50); lines.Err() != nil || found != want {
		t.Errorf("%d findings of BATCH-02, want %d; %v", found, want, lines.Err())
	}
	status, _ := os.ReadFile("/proc/self/status")
	peak := ""
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			peak = strings.Join(strings.Fields(line)[1:], " ")
		}
	}
	t.Logf("%d documents in %s on the clock, largest memory %s", n, took.Round(time.Millisecond), peak)
}
