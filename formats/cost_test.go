package formats_test

import (
	"strings"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/model"
)

// The time for unread elements and for payment means is proportional to their number:
// a document that is ten times as long takes about ten times as long, not a hundred
// times.
func TestConvertingLargeDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: takes seconds")
	}
	const head = `<i:Invoice xmlns:i="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`
	for name, piece := range map[string]string{
		"unread":        `<b:UUID>x</b:UUID>`,
		"payment means": `<a:PaymentMeans><b:PaymentMeansCode>30</b:PaymentMeansCode><b:PaymentID>x</b:PaymentID><a:PaymentMandate><b:ID>m</b:ID></a:PaymentMandate></a:PaymentMeans>`,
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) time.Duration {
				doc, err := formats.Read([]byte(head+strings.Repeat(piece, n)+`</i:Invoice>`), formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				if _, err := formats.Convert(doc, formats.Output{Syntax: model.CII}); err != nil {
					t.Fatal(err)
				}
				return time.Since(started)
			}
			took(1000) // compiles the tables before the time is measured
			if few, many := took(4000), took(40_000); many > 40*few+time.Second {
				t.Errorf("4,000 take %v, 40,000 take %v", few, many)
			}
		})
	}
}
