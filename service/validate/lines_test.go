package validate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// sample is the base invoice of a syntax with so many lines; its totals are
// those of one line, so that there is a finding or two.
func sample(t testing.TB, name, open, end string, lines int) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		t.Fatal(err)
	}
	from, to := bytes.Index(data, []byte(open)), bytes.Index(data, []byte(end))+len(end)
	if from < 0 || to < from {
		t.Fatalf("%s has no %s", name, open)
	}
	var b bytes.Buffer
	b.Write(data[:from])
	for range lines {
		b.Write(data[from:to])
	}
	b.Write(data[to:])
	return b.Bytes()
}

var syntaxes = []struct{ name, open, end string }{
	{"base-ubl.xml", "<cac:InvoiceLine>", "</cac:InvoiceLine>"},
	{"base-cii.xml", "<ram:IncludedSupplyChainTradeLineItem>", "</ram:IncludedSupplyChainTradeLineItem>"},
}

// BenchmarkLines states what a line costs in invoices of 10 to 10,000 lines:
// linear means that the figures per line stay the same.
func BenchmarkLines(b *testing.B) {
	s := kittest.Kit(b)
	for _, syntax := range syntaxes {
		for _, lines := range []int{10, 100, 1000, 10_000} {
			data := sample(b, syntax.name, syntax.open, syntax.end, lines)
			b.Run(fmt.Sprintf("%s/%d", syntax.name[5:8], lines), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Validate(context.Background(), data, validate.Rules{Rulesets: []string{"en16931", "xrechnung"}}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
			})
		}
	}
}

// A hundred megabytes of invoice pass, if the limit on size lets them.
func TestLargeInvoice(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes seconds")
	}
	rules := validate.Rules{Rulesets: []string{"en16931"}}
	data := sample(t, syntaxes[0].name, syntaxes[0].open, syntaxes[0].end, 42_000)
	if len(data) < 100<<20 {
		t.Fatalf("only %d bytes", len(data))
	}
	_, err := kittest.Kit(t).Validate(context.Background(), data, rules)
	if p, ok := errors.AsType[*problem.Error](err); !ok || p.Code != "XML-LIMIT" {
		t.Errorf("by default %d bytes are too many, got %v", len(data), err)
	}
	config := operation.Config{}
	config.Read.Limits.Bytes = 256 << 20
	result, err := operation.New(kittest.Library(t), config).Validate(context.Background(), data, rules)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(result.Document.Invoice.Lines); n != 42_000 || !*result.Report.SchemaValid {
		t.Errorf("%d lines, schema valid %v", n, *result.Report.SchemaValid)
	}
}
