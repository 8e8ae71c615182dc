package conformance_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/archive"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/embed"
	"einvoice/service/operation"
	"einvoice/service/write"
)

var (
	corpus    = flag.String("corpus", "", "folder of PDFs that TestCorpus embeds an invoice in; make corpus runs it")
	corpusOut = flag.String("corpus-out", "", "folder that TestCorpus writes the PDFs to that it delivers")
)

// What one file may cost.
const (
	mostTime   = 5 * time.Second
	mostMemory = 300 << 20
)

// TestCorpus embeds an invoice in every PDF of a folder: each is delivered or refused,
// within the limits, and what is delivered can be embedded in again. Whether it is PDF/A-3
// is for veraPDF to say.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("skipped: make corpus DIR=... runs it")
	}
	invoice, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	e := &embedder{T: t, service: s, invoice: invoice, outcomes: map[string]int{}}
	err = filepath.WalkDir(*corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".pdf") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(*corpus, path)
		e.file(name, data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files; over %s: %d; over %d MB: %d; panics: %d; refused when embedded again: %d", e.files, mostTime, e.slow, mostMemory>>20, e.large, e.panics, e.unstable)
	for _, outcome := range slices.Sorted(maps.Keys(e.outcomes)) {
		t.Logf("%6d %s", e.outcomes[outcome], outcome)
	}
	if e.files == 0 {
		t.Error("the folder has no PDF")
	}
}

// An embedder embeds one invoice in many PDFs.
type embedder struct {
	*testing.T
	service *operation.Kit
	invoice []byte

	files, slow, large, panics, unstable int
	outcomes                             map[string]int
}

func (e *embedder) file(name string, data []byte) {
	e.files++
	made, err := e.embed(name, data)
	e.outcomes[outcomeOf(err)]++
	if err != nil {
		return
	}
	if *corpusOut != "" {
		out := filepath.Join(*corpusOut, fmt.Sprintf("%05d-%s", e.files, filepath.Base(name)))
		if err := os.WriteFile(out, made.Data, 0o600); err != nil {
			e.Fatal(err)
		}
	}
	if _, err := e.embed(name+" again", made.Data); err != nil {
		e.unstable++
		e.Errorf("%s: what was delivered is refused: %v", name, err)
	}
}

// embed embeds the invoice, and measures.
func (e *embedder) embed(name string, data []byte) (made *write.Made, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			e.panics++
			e.Errorf("%s: panic: %v", name, fault)
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	runtime.GC()
	before := heap()
	ctx, cancel := context.WithTimeout(e.Context(), time.Minute)
	defer cancel()
	began := time.Now()
	made, err = embed.Document(ctx, e.service.Service, data, e.invoice, embed.Options{})
	if took := time.Since(began); took > mostTime {
		e.slow++
		e.Logf("%s (%d bytes) took %s", name, len(data), took.Round(time.Millisecond))
	}
	if used := heap() - before; used > mostMemory {
		e.large++
		e.Logf("%s (%d bytes) took %d MB", name, len(data), used>>20)
	}
	return made, err
}

// heap is the memory of objects, collected or not, since the last collection.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// outcomeOf is what became of a file, in a few words.
func outcomeOf(err error) string {
	if err == nil {
		return "delivered"
	}
	if refused, ok := errors.AsType[*archive.Refused](err); ok {
		return "refused: " + refused.Reasons[0].Code
	}
	if known, ok := errors.AsType[*problem.Error](err); ok {
		return "refused: " + known.Code
	}
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		return "refused by the rule " + refused.Report.Findings[0].Rule
	}
	return "error: " + err.Error()
}
