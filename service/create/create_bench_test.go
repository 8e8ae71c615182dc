package create_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/embed"
	"einvoice/service/internal/kittest"
)

// BenchmarkCreate is a request on its whole way: JSON, amounts, document, schema
// and all rules.
func BenchmarkCreate(b *testing.B) {
	data, err := os.ReadFile("testdata/smallest.json")
	if err != nil {
		b.Fatal(err)
	}
	c := kittest.Kit(b)
	b.ReportAllocs()
	for b.Loop() {
		r, err := create.ReadRequest(b.Context(), data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := create.Document(context.Background(), c.Pages, "xrechnung", r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "documents/s")
}

// BenchmarkHybrid is a request that becomes a PDF with its XML, validated against the
// rules of both, and BenchmarkEmbed the same invoice attached to those pages again.
func BenchmarkHybrid(b *testing.B) {
	data, err := os.ReadFile("testdata/smallest.json")
	if err != nil {
		b.Fatal(err)
	}
	c := kittest.Kit(b)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		made, err := create.Document(context.Background(), c.Pages, "zugferd", hybridRequest(b, data))
		if err != nil {
			b.Fatal(err)
		}
		size = len(made.Data)
	}
	b.ReportMetric(float64(size), "bytes/PDF")
}

func BenchmarkEmbed(b *testing.B) {
	data, err := os.ReadFile("testdata/smallest.json")
	if err != nil {
		b.Fatal(err)
	}
	c := kittest.Kit(b)
	made, err := create.Document(context.Background(), c.Pages, "zugferd", hybridRequest(b, data))
	if err != nil {
		b.Fatal(err)
	}
	xml, _, err := formats.EmbeddedXML(made.Data, formats.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := embed.Document(context.Background(), c.Service, made.Data, xml, embed.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func hybridRequest(b *testing.B, data []byte) *create.Request {
	b.Helper()
	r, err := create.ReadRequest(b.Context(), data)
	if err != nil {
		b.Fatal(err)
	}
	r.Invoice.TypeCode = model.NewText("380")
	return r
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
	c := kittest.Kit(b)
	b.Run("read-convert", func(b *testing.B) {
		each(b, func(i int) error {
			doc, err := formats.Read(documents[i], formats.Options{})
			if err != nil {
				return err
			}
			_, err = convert.Document(context.Background(), c.Service, doc, other(doc))
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
			_, err := to.Write(b.Context(), read[i].Invoice, to.Roots[0], false)
			return err
		})
	})
}
