package nearest_test

import (
	"strings"
	"testing"

	"einvoice/model/nearest"
)

func TestOf(t *testing.T) {
	names := []string{"issueDate", "paymentDueDate", "BR-CL-23", "xrechnung", ""}
	names = append(names, "documentName", "charges", "allowances", "precedingInvoices", "receivingAdviceReference", "number", "typeCode", "currencyCode", "vatAccountingCurrencyCode")
	for name, want := range map[string]string{
		"isueDate": "issueDate", "dueDate": "paymentDueDate", "duedate": "paymentDueDate", "issuedate": "issueDate", "issue": "issueDate", "BR-CL-32": "BR-CL-23", "xrechung": "xrechnung",
		"documentLevelCharges": "charges", "documentLevelAllowances": "allowances", "precedingInvoiceReferences": "precedingInvoices", "invoiceNumber": "number", "invoiceTypeCode": "typeCode",
		"documentCurrencyCode": "currencyCode", "accountingCurrency": "vatAccountingCurrencyCode", "vatCurrencyCode": "vatAccountingCurrencyCode", "charge": "charges", "s": "",
		"zzzzzz": "", "": "", strings.Repeat("x", 10_000): "",
	} {
		if got := nearest.Of(name, names); got != want {
			t.Errorf("%.20s: got %q, want %q", name, got, want)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	names := strings.Fields(strings.Repeat("issueDate paymentDueDate vatAccountingCurrencyCode purchaseOrderReference seller buyer notes lines totals supportingDocuments ", 15))
	for b.Loop() {
		nearest.Of("buyerReferenc", names)
	}
}
