package model_test

import (
	"fmt"
	"testing"

	"einvoice/model"
)

// The path of a group is the same however many were looked for before.
func TestIndexPaths(t *testing.T) {
	invoice := &model.Invoice{Seller: &model.Seller{PostalAddress: &model.SellerAddress{}}, Lines: make([]model.Line, 40)}
	for i := range invoice.Lines {
		invoice.Lines[i].Period = &model.LinePeriod{}
	}
	index := model.NewIndex(&model.Document{Invoice: invoice})
	for range 3 {
		for i := range invoice.Lines {
			line := model.ObjectOf(&invoice.Lines[i])
			if got, want := index.Path(line), fmt.Sprintf("lines[%d]", i); got != want {
				t.Fatalf("path %q, want %q", got, want)
			}
			period, _ := line.Type.Field("period")
			if got, want := index.Path(line.Group(period)), fmt.Sprintf("lines[%d].period", i); got != want {
				t.Fatalf("path %q, want %q", got, want)
			}
		}
		if got := index.Path(model.ObjectOf(invoice.Seller.PostalAddress)); got != "seller.postalAddress" {
			t.Fatalf("path %q", got)
		}
		if got := index.Path(model.ObjectOf(invoice)) + index.Path(model.ObjectOf(&model.Line{})); got != "" {
			t.Fatalf("path %q of the invoice, or of a line that is not in it", got)
		}
	}
}
