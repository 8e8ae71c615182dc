package xmlparse_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	"einvoice/formats/xmlparse"
)

// BenchmarkSuite parses every document of the XRechnung Schematron suite, and compares
// that with reading the same tokens by encoding/xml.
func BenchmarkSuite(b *testing.B) {
	docs, size := suite(b, "xrechnung-schematron")
	b.Run("xmlparse", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range docs {
				if _, err := xmlparse.Parse(d, xmlparse.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(docs)), "µs/doc")
	})
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range docs {
				decoder := xml.NewDecoder(bytes.NewReader(d))
				for {
					if _, err := decoder.Token(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(docs)), "µs/doc")
	})
}

// BenchmarkLarge parses one document with many invoice lines.
func BenchmarkLarge(b *testing.B) {
	line := []byte("  <cac:InvoiceLine>\n    <cbc:ID>1</cbc:ID>\n    <cbc:LineExtensionAmount currencyID=\"EUR\">10.00</cbc:LineExtensionAmount>\n  </cac:InvoiceLine>\n")
	doc := []byte("<Invoice xmlns='i' xmlns:cac='a' xmlns:cbc='b'>\n")
	doc = append(doc, bytes.Repeat(line, 100_000)...)
	doc = append(doc, "</Invoice>"...)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := xmlparse.Parse(doc, xmlparse.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// suite reads the documents of one of the shared suites.
func suite(tb testing.TB, name string) (docs [][]byte, size int) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "suites", name, "*.xml"))
	if err != nil || len(files) == 0 {
		tb.Skipf("the suite %s is not at ../shared/suites", name)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		docs = append(docs, data)
		size += len(data)
	}
	return docs, size
}
