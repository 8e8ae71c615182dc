package create_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine/create"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
)

// BenchmarkCreate is a request on its whole way: JSON, amounts, document, schema
// and all rules.
func BenchmarkCreate(b *testing.B) {
	data, err := os.ReadFile("testdata/smallest.json")
	if err != nil {
		b.Fatal(err)
	}
	c := create.New(library(b), formats.Options{})
	b.ReportAllocs()
	for b.Loop() {
		r, err := create.ReadRequest(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Create(context.Background(), "xrechnung", r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "documents/s")
}

// BenchmarkConvert is a pass over the XRechnung test suite: reading, converting
// into the other syntax with the report of what differs, and writing alone.
func BenchmarkConvert(b *testing.B) {
	files, err := filepath.Glob(suites + "/xrechnung-testsuite/*.xml")
	if err != nil {
		b.Fatal(err)
	}
	if len(files) == 0 {
		b.Skip("skipped: " + suites + "/xrechnung-testsuite is not there")
	}
	var documents [][]byte
	var read []*model.Document
	size := int64(0)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			b.Fatal(err)
		}
		documents, read, size = append(documents, data), append(read, doc), size+int64(len(data))
	}
	other := func(doc *model.Document) model.Syntax {
		if doc.Syntax == model.UBL {
			return model.CII
		}
		return model.UBL
	}
	each := func(b *testing.B, do func(i int) error) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for i := range documents {
				if err := do(i); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.N*len(documents))/b.Elapsed().Seconds(), "documents/s")
	}
	c := create.New(library(b), formats.Options{})
	b.Run("read-convert", func(b *testing.B) {
		each(b, func(i int) error {
			doc, err := formats.Read(documents[i], formats.Options{})
			if err != nil {
				return err
			}
			_, err = c.Convert(doc, other(doc))
			return err
		})
	})
	b.Run("write", func(b *testing.B) {
		format := map[model.Syntax]*binding.Format{}
		for _, f := range formats.All {
			format[f.Syntax] = f
		}
		each(b, func(i int) error {
			to := format[other(read[i])]
			_, err := to.Write(read[i].Invoice, to.Roots[0])
			return err
		})
	})
}
