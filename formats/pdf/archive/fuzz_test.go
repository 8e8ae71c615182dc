package archive_test

import (
	"errors"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/model/problem"
)

// For any bytes, the result is a PDF that opens and has the invoice attached, or one of
// the two errors.
func FuzzConvert(f *testing.F) {
	for _, c := range repairs {
		f.Add(c.build())
	}
	for _, c := range refusals {
		if data := c.build(); len(data) < 10_000 {
			f.Add(data)
		}
	}
	limits := pdf.Limits{Bytes: 1 << 20, Decoded: 8 << 20, Objects: 5000, Time: 5 * time.Second}
	f.Fuzz(func(t *testing.T, data []byte) {
		result, err := archive.Convert(data, metadata, []archive.File{invoiceXML}, limits)
		if err != nil {
			_, refused := errors.AsType[*archive.Refused](err)
			_, unreadable := errors.AsType[*problem.Error](err)
			if !refused && !unreadable {
				t.Fatalf("got %v", err)
			}
			return
		}
		c, err := pdf.Open(result.Data, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if invoice, err := c.Invoice(); err != nil || invoice.Name != invoiceXML.Name {
			t.Fatalf("the invoice is %v, %v", invoice, err)
		}
		if result.Pages == 0 {
			t.Fatal("there is no page")
		}
	})
}
