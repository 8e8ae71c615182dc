package archive_test

import (
	"bytes"
	"fmt"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/liberation/liberationsansregular"
)

// pages is a PDF of that many pages full of text, with the font embedded or not.
func pages(tb testing.TB, n int, embedded bool) []byte {
	tb.Helper()
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCreationDate(day)
	font := "Helvetica"
	if embedded {
		font = "sans"
		f.AddUTF8FontFromBytes(font, "", liberationsansregular.TTF)
	}
	for range n {
		f.AddPage()
		f.SetFont(font, "", 10)
		for i := range 50 {
			f.CellFormat(0, 5, fmt.Sprintf("%d  An item of the invoice, at 12.50 EUR", i+1), "B", 1, "L", false, 0, "")
		}
	}
	var b bytes.Buffer
	if err := f.Output(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func BenchmarkConvert(b *testing.B) {
	for _, embedded := range []bool{true, false} {
		for _, n := range []int{1, 10, 100} {
			data := pages(b, n, embedded)
			b.Run(fmt.Sprintf("pages=%d,embedded=%t", n, embedded), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if _, err := archive.Convert(data, metadata, []archive.File{invoiceXML}, pdf.Limits{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
