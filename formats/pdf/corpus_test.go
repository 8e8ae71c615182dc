package pdf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf"
)

const corpus = "../../../shared/suites/zugferd-corpus"

// corpusFiles are the names, without ending, of the PDFs of the corpus.
func corpusFiles(tb testing.TB) (names []string) {
	tb.Helper()
	files, err := filepath.Glob(corpus + "/pdf/*.pdf")
	if err != nil {
		tb.Fatal(err)
	}
	if len(files) == 0 {
		tb.Skipf("skipped: %s/pdf is not there", corpus)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".pdf"))
	}
	return names
}

func readFile(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// The invoice of each PDF of the corpus is, byte by byte, what another tool extracted,
// which is recorded as NAME--ATTACHMENT.xml.
func TestCorpus(t *testing.T) {
	for _, name := range corpusFiles(t) {
		t.Run(name, func(t *testing.T) {
			c, err := pdf.Open(readFile(t, filepath.Join(corpus, "pdf", name+".pdf")), pdf.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			invoice, err := c.Invoice()
			if err != nil {
				t.Fatal(err)
			}
			got, err := invoice.Data()
			if err != nil {
				t.Fatal(err)
			}
			if want := readFile(t, filepath.Join(corpus, "xml", name+"--"+invoice.Name)); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %s differ from the %d that are recorded", len(got), invoice.Name, len(want))
			}
			legacy := strings.HasPrefix(name, "ZUGFeRDv1")
			if kind := invoice.Kind(); (kind == pdf.KindZUGFeRD1) != legacy || kind == pdf.KindOther {
				t.Errorf("%s is of kind %q", invoice.Name, kind)
			}
		})
	}
}
