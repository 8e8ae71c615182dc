package pdf_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
)

// For any bytes, the result is a container or an *Error, within the time limit.
func FuzzOpen(f *testing.F) {
	f.Add(pdftest.Hybrid(file("factur-x.xml", cii)))
	f.Add(pdftest.Hybrid(file("a.xml", ubl), file("b", "b")))
	for _, name := range []string{"a page tree without end", "arrays within arrays"} {
		f.Add(hostile[name].make()[:4096])
	}
	for _, attach := range attachingForms {
		var w pdftest.Writer
		catalog, page, _ := attach(&w, pdftest.Ref(w.Attach(file("factur-x.xml", cii))))
		root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(w.Pages(1, page)) + " " + catalog + " >>")
		f.Add(w.Close("/Root " + pdftest.Ref(root)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		started := time.Now()
		if err := everything(t, data, pdf.Limits{Decoded: 8 << 20, Objects: 10_000, Time: time.Second}); err != nil {
			typed(t, err)
		}
		if took := time.Since(started); took > time.Minute { // beside a limit of a second: a machine may be busy
			t.Errorf("took %s", took)
		}
	})
}

// BenchmarkExtract opens a PDF and extracts the invoice.
func BenchmarkExtract(b *testing.B) {
	samples := map[string][]byte{"own": pdftest.Hybrid(file("factur-x.xml", cii)), "10,000-pages": hostile["10,000 pages"].make()}
	if files, err := filepath.Glob(corpus + "/pdf/*.pdf"); err == nil {
		for _, name := range files {
			if info, err := os.Stat(name); err == nil && info.Size() > int64(len(samples["largest-of-corpus"])) {
				samples["largest-of-corpus"] = readFile(b, name)
			}
		}
	}
	for name, data := range samples {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				extract(b, data)
			}
		})
	}
	b.Run("corpus", func(b *testing.B) {
		var all [][]byte
		for _, name := range corpusFiles(b) {
			all = append(all, readFile(b, filepath.Join(corpus, "pdf", name+".pdf")))
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, data := range all {
				extract(b, data)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "µs/document")
	})
}

func extract(b *testing.B, data []byte) {
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	invoice, err := c.Invoice()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := invoice.Data(); err != nil {
		b.Fatal(err)
	}
}
