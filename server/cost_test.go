package server_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/model/sampled"
	"einvoice/server"
	"einvoice/service/convert"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/transform"
	"einvoice/service/validate"
)

// sampleOf is of how many combinations of operation and document one is in the sample: every
// operation has some of them, and so has every document.
const sampleOf = 8

// heapSlack is how much the heap may have beyond what is live: what the garbage collector
// has not collected yet, and what was made on first use.
const heapSlack = 24 << 20

// peak is by how much the heap grew at most while f ran, in bytes.
func peak(f func()) int64 {
	read := func() int64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	runtime.GC()
	before := read()
	ended, most := make(chan struct{}), make(chan int64)
	go func() {
		highest := before
		for {
			highest = max(highest, read())
			select {
			case <-ended:
				most <- highest
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(ended)
	return <-most - before
}

// No operation takes more memory than is reserved for it, whatever a document consists of.
func TestCost(t *testing.T) {
	before := debug.SetGCPercent(10)
	defer debug.SetGCPercent(before)
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ubl := string(sample(t, "ubl-valid.xml"))
	insert := func(element, text string) []byte { return []byte(strings.Replace(ubl, element, text+element, 1)) }
	line := ubl[strings.Index(ubl, "<cac:InvoiceLine>"):strings.Index(ubl, "</ubl:Invoice>")]
	var attributes strings.Builder
	for i := range 250 {
		fmt.Fprintf(&attributes, " a%d=''", i)
	}
	operations := map[string]func(context.Context, []byte) error{
		"validate": func(ctx context.Context, data []byte) error {
			_, err := s.Validate(ctx, data, validate.Rules{})
			return err
		},
		"convert": func(ctx context.Context, data []byte) error {
			doc, err := s.Read(ctx, data, validate.Accept{})
			if err == nil {
				_, err = convert.Document(ctx, s.Service, doc, "cii")
			}
			return err
		},
		"transform": func(ctx context.Context, data []byte) error {
			doc, err := s.Read(ctx, data, validate.Accept{})
			if err == nil {
				_, err = transform.Document(ctx, s.Pages, "cii", doc, transform.Options{})
			}
			return err
		},
	}
	for _, to := range render.Formats() {
		operations["render to "+to] = func(ctx context.Context, data []byte) error {
			doc, err := s.Read(ctx, data, validate.Accept{})
			if err == nil {
				_, err = s.Pages.Document(ctx, doc, render.Options{To: to})
			}
			return err
		}
	}
	documents := map[string][]byte{
		"elements":    insert("<cac:InvoiceLine>", strings.Repeat("<b/>", 300_000)),
		"attributes":  insert("<cac:InvoiceLine>", strings.Repeat("<a"+attributes.String()+"/>", 1000)),
		"lines":       insert("<cac:InvoiceLine>", strings.Repeat(line, 500)),
		"short lines": insert("<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 15_000)),
		"notes":       insert("<cbc:DocumentCurrencyCode>", strings.Repeat("<cbc:Note>a</cbc:Note>", 30_000)),
		"a text":      insert("<cbc:DocumentCurrencyCode>", "<cbc:Note>"+strings.Repeat("a", 8<<20)+"</cbc:Note>"),
	}
	for o, operation := range slices.Sorted(maps.Keys(operations)) {
		run := operations[operation]
		_ = run(t.Context(), []byte(ubl)) // compiles what is compiled on first use
		for d, name := range slices.Sorted(maps.Keys(documents)) {
			if !sampled.Takes(o+d, sampleOf) {
				continue
			}
			data := documents[name]
			var failed error
			reserved := server.CostOf(operation, data)
			took := int64(math.MaxInt64)
			for range 5 { // a peak has what the collector was too slow for, beside what the work needs
				if took = min(took, peak(func() { failed = run(t.Context(), data) })); took <= reserved+heapSlack {
					break
				}
			}
			t.Logf("%-14s of %-11s: %6.1f of %6.1f MB that are reserved; %.60v", operation, name, float64(took)/1e6, float64(reserved)/1e6, failed)
			if took > reserved+heapSlack {
				t.Errorf("%s of %s took %d bytes, and %d are reserved", operation, name, took, reserved)
			}
		}
	}
}
