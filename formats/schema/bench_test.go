package schema_test

import (
	"os"
	"strings"
	"testing"

	"einvoice/formats/schema"
	"einvoice/model/source"
)

// BenchmarkLoad reads the data of a schema, which happens with the first document of a
// syntax.
func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"ubl-2.1-invoice", "cii-d16b", "factur-x-1.09-extended"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := schema.NewLibrary(os.DirFS("../../rulesets"), "schemas").Schema(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheck checks every document of the XRechnung Schematron suite after it has
// been parsed.
func BenchmarkCheck(b *testing.B) {
	type document struct {
		schema *schema.Schema
		tree   *source.Tree
	}
	var docs []document
	size := 0
	for _, data := range documents(b, "xrechnung-schematron") {
		s := load(b, schemaFor(parse(b, data)))
		docs = append(docs, document{s, parse(b, data)})
		size += len(data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range docs {
			d.schema.Check(d.tree, 100)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(docs)), "ns/doc")
}

// BenchmarkParseAndCheck parses and checks them: everything that happens to a document
// before the rules run.
func BenchmarkParseAndCheck(b *testing.B) {
	type document struct {
		schema *schema.Schema
		data   []byte
	}
	var docs []document
	size := 0
	for _, data := range documents(b, "xrechnung-schematron") {
		docs = append(docs, document{load(b, schemaFor(parse(b, data))), data})
		size += len(data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range docs {
			d.schema.Check(parse(b, d.data), 100)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(docs)), "ns/doc")
}

// BenchmarkCheckLines checks invoices of a thousand and ten thousand lines.
func BenchmarkCheckLines(b *testing.B) {
	for name, lines := range map[string]int{"1000": 1_000, "10000": 10_000} {
		b.Run(name, func(b *testing.B) {
			tree := parse(b, []byte(invoice(lines)))
			s := load(b, "ubl-2.1-invoice")
			b.ReportAllocs()
			for b.Loop() {
				if faults := s.Check(tree, 10); len(faults) > 0 {
					b.Fatal(messages(tree, faults))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
		})
	}
}

// invoice is a valid invoice with few terms and the given number of lines.
func invoice(lines int) string {
	const head = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-31</cbc:IssueDate>
<cac:AccountingSupplierParty/><cac:AccountingCustomerParty/>
<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">1.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
`
	const line = `<cac:InvoiceLine>
  <cbc:ID>1</cbc:ID>
  <cbc:InvoicedQuantity unitCode="C62">10</cbc:InvoicedQuantity>
  <cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>
  <cac:Item>
    <cbc:Name>Thing</cbc:Name>
    <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>
  </cac:Item>
  <cac:Price><cbc:PriceAmount currencyID="EUR">10.00</cbc:PriceAmount></cac:Price>
</cac:InvoiceLine>
`
	return head + strings.Repeat(line, lines) + "</Invoice>"
}
