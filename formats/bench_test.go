package formats_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/xmlparse"
)

// benchmarked are samples, each with the element that is repeated for more lines.
var benchmarked = []struct{ syntax, file, line string }{
	{"ubl", "ubl/testdata/full-invoice.xml", "cac:InvoiceLine"},
	{"cii", "cii/testdata/full.xml", "ram:IncludedSupplyChainTradeLineItem"},
}

// withLines is the sample in file with its one line repeated.
func withLines(tb testing.TB, file, line string, n int) []byte {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	sample := string(data)
	start := strings.Index(sample, "<"+line+">")
	end := strings.Index(sample, "</"+line+">")
	if start < 0 || end < 0 {
		tb.Fatalf("%s has no %s", file, line)
	}
	end += len("</" + line + ">")
	return []byte(sample[:start] + strings.Repeat(sample[start:end], n) + sample[end:])
}

func BenchmarkRead(b *testing.B) {
	for _, s := range benchmarked {
		for _, n := range []int{1, 10, 1000} {
			data := withLines(b, s.file, s.line, n)
			b.Run(fmt.Sprintf("%s/lines=%d", s.syntax, n), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := formats.Read(data, formats.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkBind is the part of BenchmarkRead after parsing.
func BenchmarkBind(b *testing.B) {
	for _, f := range formats.All {
		f.InternNames()
	}
	for i, s := range benchmarked {
		for _, n := range []int{1, 10, 1000} {
			tree, err := xmlparse.Parse(withLines(b, s.file, s.line, n), xmlparse.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/lines=%d", s.syntax, n), func(b *testing.B) {
				b.SetBytes(int64(len(tree.Data)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := formats.All[i].Read(tree); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
