package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// BenchmarkConvertMany converts documents that have an element very often: the time for each
// must not grow with their number.
func BenchmarkConvertMany(b *testing.B) {
	const head = `<i:Invoice xmlns:i="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`
	for name, piece := range map[string]string{
		"unread":        `<b:UUID>x</b:UUID>`,
		"payment-means": `<a:PaymentMeans><b:PaymentMeansCode>30</b:PaymentMeansCode><b:PaymentID>x</b:PaymentID><a:PaymentMandate><b:ID>m</b:ID></a:PaymentMandate></a:PaymentMeans>`,
	} {
		for _, n := range []int{4000, 40_000} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) {
				doc, err := formats.Read([]byte(head+strings.Repeat(piece, n)+`</i:Invoice>`), formats.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := formats.Convert(b.Context(), doc, formats.Output{Syntax: model.CII}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
			})
		}
	}
}
