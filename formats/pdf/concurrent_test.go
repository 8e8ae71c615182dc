package pdf_test

import (
	"sync"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
)

// Several goroutines open PDFs at a time, each its own. Under the race detector, this
// shows whether pdfcpu shares data between them.
func TestConcurrent(t *testing.T) {
	whole := pdftest.Hybrid(file("factur-x.xml", cii), file("b", "b"))
	damaged := whole[:len(whole)-200]
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				c, err := pdf.Open(whole, pdf.Limits{})
				if err != nil {
					t.Error(err)
					return
				}
				if invoice, err := c.Invoice(); err != nil || invoice.Name != "factur-x.xml" {
					t.Errorf("%+v, %v", invoice, err)
				}
				if c, err := pdf.Open(damaged, pdf.Limits{}); err == nil && len(c.Attachments) != 2 {
					t.Errorf("of the damaged file, %d attachments are found", len(c.Attachments))
				}
			}
		})
	}
	wait.Wait()
}
