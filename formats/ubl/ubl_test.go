package ubl_test

import (
	"fmt"
	"testing"

	"einvoice/formats/internal/readtest"
)

func TestInvoice(t *testing.T) {
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{"nothing", ``, `{}`},
		{"empty is present", `<cbc:ID/>`, `{"number":""}`},
		{"first of two wins", `<cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>`, `{"number":"1"}`},
		{
			"the order of elements does not matter",
			`<cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:ID>1</cbc:ID>`,
			`{"number":"1","issueDate":"2026-11-20"}`,
		},
		{"unknown elements are ignored", `<cbc:UUID>x</cbc:UUID><other/><cbc:ID>1</cbc:ID>`, `{"number":"1"}`},
		{"a due date is the invoice's own", `<cac:PaymentMeans><cbc:PaymentDueDate>2026-11-20</cbc:PaymentDueDate></cac:PaymentMeans>`, `{"paymentInstructions":{"means":[{}]}}`},
		{"a date that is none is kept as written", `<cbc:DueDate>soon</cbc:DueDate>`, `{"paymentDueDate":"soon"}`},
		{
			"a period with nothing but BT-8 is still a period",
			`<cac:InvoicePeriod><cbc:DescriptionCode>432</cbc:DescriptionCode></cac:InvoicePeriod>`,
			`{"vatPointDateCode":"432","invoicingPeriod":{}}`,
		},
	})
}

func TestNotes(t *testing.T) {
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{"plain", `<cbc:Note>thanks</cbc:Note>`, `{"notes":[{"text":"thanks"}]}`},
		{"with a subject code", `<cbc:Note>#AAI#thanks</cbc:Note>`, `{"notes":[{"subjectCode":"AAI","text":"thanks"}]}`},
		{"code off every list", `<cbc:Note>#1ä2#thanks</cbc:Note>`, `{"notes":[{"subjectCode":"1ä2","text":"thanks"}]}`},
		{"nothing after the code", `<cbc:Note>#AAI#</cbc:Note>`, `{"notes":[{"subjectCode":"AAI","text":""}]}`},
		{"code too long", `<cbc:Note>#AAIX#thanks</cbc:Note>`, `{"notes":[{"text":"#AAIX#thanks"}]}`},
		{"code not at the start", `<cbc:Note>see #AAI#thanks</cbc:Note>`, `{"notes":[{"text":"see #AAI#thanks"}]}`},
		{"one mark only", `<cbc:Note>#AAI</cbc:Note>`, `{"notes":[{"text":"#AAI"}]}`},
		{"several", `<cbc:Note>#AAI#a</cbc:Note><cbc:Note>b</cbc:Note>`, `{"notes":[{"subjectCode":"AAI","text":"a"},{"text":"b"}]}`},
	})
}

func TestDocumentReferences(t *testing.T) {
	const typed = `<cac:AdditionalDocumentReference><cbc:ID schemeID="ABZ">1</cbc:ID><cbc:DocumentTypeCode>%s</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>`
	const untyped = `<cac:AdditionalDocumentReference><cbc:ID>2</cbc:ID></cac:AdditionalDocumentReference>`
	project := `<cac:ProjectReference><cbc:ID>P</cbc:ID></cac:ProjectReference>`
	tender := `<cac:OriginatorDocumentReference><cbc:ID>T</cbc:ID></cac:OriginatorDocumentReference>`
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{"type 130 is the invoiced object", fmt.Sprintf(typed, "130"), `{"invoicedObject":{"identifier":"1","schemeId":"ABZ"}}`},
		{"a second invoiced object has no place", fmt.Sprintf(typed, "130") + fmt.Sprintf(typed, "130"), `{"invoicedObject":{"identifier":"1","schemeId":"ABZ"}}`},
		{"any other type supports the invoice", fmt.Sprintf(typed, "50") + untyped, `{"supportingDocuments":[{"reference":"1"},{"reference":"2"}]}`},
		{"BT-11 and BT-17", tender + project, `{"projectReference":"P","tenderOrLotReference":"T"}`},
		{
			"type 130 on a line",
			`<cac:InvoiceLine>` +
				`<cac:DocumentReference><cbc:ID>0</cbc:ID><cbc:DocumentTypeCode>131</cbc:DocumentTypeCode></cac:DocumentReference>` +
				`<cac:DocumentReference><cbc:ID schemeID="ABZ">1</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode></cac:DocumentReference></cac:InvoiceLine>`,
			`{"lines":[{"object":{"identifier":"1","schemeId":"ABZ"}}]}`,
		},
	})
	readtest.Run(t, format, "cn:CreditNote", []readtest.Case{
		{"type 50 is the project", fmt.Sprintf(typed, "50"), `{"projectReference":"1"}`},
		{"BT-17", tender, `{"tenderOrLotReference":"T"}`},
		{"no project element", project, `{}`},
	})
}

func TestCreditNote(t *testing.T) {
	readtest.Run(t, format, "cn:CreditNote", []readtest.Case{
		{"type code", `<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>`, `{"typeCode":"381"}`},
		{"an invoice's type code is none", `<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>`, `{}`},
		{
			"the due date is in the payment means",
			`<cac:PaymentMeans><cbc:PaymentDueDate>2026-11-20</cbc:PaymentDueDate></cac:PaymentMeans>`,
			`{"paymentDueDate":"2026-11-20","paymentInstructions":{"means":[{}]}}`,
		},
		{
			"lines",
			`<cac:CreditNoteLine><cbc:ID>1</cbc:ID><cbc:CreditedQuantity unitCode="XPP">3</cbc:CreditedQuantity></cac:CreditNoteLine>`,
			`{"lines":[{"identifier":"1","invoicedQuantity":3,"invoicedQuantityUnitCode":"XPP"}]}`,
		},
		{"an invoice's lines are none", `<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>`, `{}`},
	})
}

func TestAllowancesAndCharges(t *testing.T) {
	const each = `<cac:AllowanceCharge><cbc:ChargeIndicator>%s</cbc:ChargeIndicator><cbc:Amount>1</cbc:Amount></cac:AllowanceCharge>`
	var cases []readtest.Case
	for indicator, want := range map[string]string{
		"false": `{"allowances":[{"amount":1}]}`, "0": `{"allowances":[{"amount":1}]}`, " false ": `{"allowances":[{"amount":1}]}`,
		"true": `{"charges":[{"amount":1}]}`, "1": `{"charges":[{"amount":1}]}`,
		"False": `{}`, "no": `{}`, "": `{}`,
	} {
		cases = append(cases, readtest.Case{fmt.Sprintf("%q", indicator), fmt.Sprintf(each, indicator), want})
	}
	cases = append(cases,
		readtest.Case{"no indicator", `<cac:AllowanceCharge><cbc:Amount>1</cbc:Amount></cac:AllowanceCharge>`, `{}`},
		readtest.Case{
			"price allowance",
			`<cac:InvoiceLine><cac:Price>` + fmt.Sprintf(each, "true") +
				`<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>2</cbc:Amount><cbc:BaseAmount>9</cbc:BaseAmount></cac:AllowanceCharge></cac:Price></cac:InvoiceLine>`,
			`{"lines":[{"price":{"discount":2,"grossPrice":9}}]}`,
		},
		readtest.Case{
			"price before a charge",
			`<cac:InvoiceLine><cac:Price><cac:AllowanceCharge><cbc:Amount>1</cbc:Amount><cbc:BaseAmount>9</cbc:BaseAmount></cac:AllowanceCharge></cac:Price></cac:InvoiceLine>`,
			`{"lines":[{"price":{"grossPrice":9}}]}`,
		},
		readtest.Case{
			"a tax that is not VAT is not a VAT category",
			`<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator>` +
				`<cac:TaxCategory><cbc:ID>X</cbc:ID><cac:TaxScheme><cbc:ID>GST</cbc:ID></cac:TaxScheme></cac:TaxCategory>` +
				`<cac:TaxCategory><cbc:ID>S</cbc:ID><cac:TaxScheme><cbc:ID> vat </cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:AllowanceCharge>`,
			`{"charges":[{"vat":{"categoryCode":"S"}}]}`,
		},
	)
	readtest.Run(t, format, "ubl:Invoice", cases)
}

func TestTaxTotals(t *testing.T) {
	const (
		currency    = `<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>`
		accounting  = `<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>`
		eur         = `<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">1</cbc:TaxAmount>%s</cac:TaxTotal>`
		sek         = `<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">10</cbc:TaxAmount></cac:TaxTotal>`
		usd         = `<cac:TaxTotal><cbc:TaxAmount currencyID="USD">2</cbc:TaxAmount>%s</cac:TaxTotal>`
		bare        = `<cac:TaxTotal><cbc:TaxAmount>3</cbc:TaxAmount></cac:TaxTotal>`
		sub         = `<cac:TaxSubtotal><cbc:TaxAmount>5</cbc:TaxAmount></cac:TaxSubtotal>`
		currencies  = `"currencyCode":"EUR","vatAccountingCurrencyCode":"SEK",`
		wholeTotals = `"totals":{"taxTotalAmount":1,"taxTotalAmountInAccountingCurrency":10}`
		breakdown   = `,"vatBreakdowns":[{"taxAmount":5}]`
	)
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{"one", currency + fmt.Sprintf(eur, sub), `{"currencyCode":"EUR","totals":{"taxTotalAmount":1}` + breakdown + `}`},
		{"two currencies", currency + accounting + fmt.Sprintf(eur, sub) + sek, `{` + currencies + wholeTotals + breakdown + `}`},
		{"accounting currency first", currency + accounting + sek + fmt.Sprintf(eur, sub), `{` + currencies + wholeTotals + breakdown + `}`},
		{"accounting currency only", currency + accounting + sek, `{` + currencies + `"totals":{"taxTotalAmountInAccountingCurrency":10}}`},
		{"no currency", bare, `{"totals":{"taxTotalAmount":3}}`},
		{"no currency before the right one", currency + bare + fmt.Sprintf(eur, ""), `{"currencyCode":"EUR","totals":{"taxTotalAmount":1}}`},
		{"another currency", currency + fmt.Sprintf(usd, sub), `{"currencyCode":"EUR","totals":{"taxTotalAmount":2}` + breakdown + `}`},
		{"of two unknown, that with the breakdown", bare + fmt.Sprintf(usd, sub), `{"totals":{"taxTotalAmount":2}` + breakdown + `}`},
		{"of two unknown without breakdown, the first", bare + fmt.Sprintf(usd, ""), `{"totals":{"taxTotalAmount":3}}`},
		{
			"a breakdown that is not VAT has no category",
			currency + fmt.Sprintf(eur, `<cac:TaxSubtotal><cac:TaxCategory><cbc:ID>S</cbc:ID><cac:TaxScheme><cbc:ID>GST</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`),
			`{"currencyCode":"EUR","totals":{"taxTotalAmount":1},"vatBreakdowns":[{}]}`,
		},
	})
}

func TestParties(t *testing.T) {
	party := func(of, content string) string {
		return "<cac:" + of + "><cac:Party>" + content + "</cac:Party></cac:" + of + ">"
	}
	const (
		scheme = `<cac:PartyTaxScheme><cbc:CompanyID>%s</cbc:CompanyID><cac:TaxScheme><cbc:ID>%s</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`
		sepa   = `<cac:PartyIdentification><cbc:ID schemeID="SEPA">C</cbc:ID></cac:PartyIdentification>`
		gln    = `<cac:PartyIdentification><cbc:ID schemeID="0088">G</cbc:ID></cac:PartyIdentification>`
		local  = `<cac:PartyIdentification><cbc:ID>L</cbc:ID></cac:PartyIdentification>`
	)
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{"a seller without party", `<cac:AccountingSupplierParty/>`, `{"seller":{}}`},
		{
			"BT-31 and BT-32",
			party("AccountingSupplierParty", fmt.Sprintf(scheme, "T", "TAX")+fmt.Sprintf(scheme, "V", " Vat ")),
			`{"seller":{"vatIdentifier":"V","taxRegistrationIdentifier":"T"}}`,
		},
		{"a buyer has no BT-32", party("AccountingCustomerParty", fmt.Sprintf(scheme, "T", "FC")), `{"buyer":{}}`},
		{
			"identifiers of the seller",
			party("AccountingSupplierParty", gln+sepa+local),
			`{"seller":{"identifiers":[{"identifier":"G","schemeId":"0088"},{"identifier":"L"}]},"paymentInstructions":{"directDebit":{"creditorIdentifier":"C"}}}`,
		},
		{"SEPA at the payee", `<cac:PayeeParty>` + sepa + gln + `</cac:PayeeParty>`, `{"payee":{"identifier":{"identifier":"G","schemeId":"0088"}},"paymentInstructions":{"directDebit":{"creditorIdentifier":"C"}}}`},
		{"SEPA at the buyer is an identifier", party("AccountingCustomerParty", sepa), `{"buyer":{"identifier":{"identifier":"C","schemeId":"SEPA"}}}`},
		{"of two identifiers the first, whole", party("AccountingCustomerParty", local+gln), `{"buyer":{"identifier":{"identifier":"L"}}}`},
	})
}

func TestPayment(t *testing.T) {
	const mandate = `<cac:PaymentMandate><cbc:ID>M</cbc:ID></cac:PaymentMandate>`
	const sepa = `<cac:AccountingSupplierParty><cac:Party><cac:PartyIdentification><cbc:ID schemeID="SEPA">C</cbc:ID></cac:PartyIdentification></cac:Party></cac:AccountingSupplierParty>`
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
		{
			"several means",
			`<cac:PaymentMeans><cbc:PaymentMeansCode name="x">58</cbc:PaymentMeansCode><cbc:PaymentID>R</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>A</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>` +
				`<cac:PaymentMeans><cbc:PaymentMeansCode>48</cbc:PaymentMeansCode><cac:CardAccount><cbc:PrimaryAccountNumberID>1</cbc:PrimaryAccountNumberID></cac:CardAccount></cac:PaymentMeans>`,
			`{"paymentInstructions":{"remittanceInformation":"R","means":[` +
				`{"typeCode":"58","text":"x","creditTransfers":[{"accountIdentifier":"A"}]},{"typeCode":"48","paymentCard":{"primaryAccountNumber":"1"}}]}}`,
		},
		{
			"the creditor is an identifier of the seller, the mandate is elsewhere",
			sepa + `<cac:PaymentMeans>` + mandate + `</cac:PaymentMeans>`,
			`{"seller":{},"paymentInstructions":{"means":[{}],"directDebit":{"mandateReference":"M","creditorIdentifier":"C"}}}`,
		},
		{
			"a second mandate has no place",
			`<cac:PaymentMeans>` + mandate + `</cac:PaymentMeans><cac:PaymentMeans><cac:PaymentMandate><cac:PayerFinancialAccount><cbc:ID>P</cbc:ID></cac:PayerFinancialAccount></cac:PaymentMandate></cac:PaymentMeans>`,
			`{"paymentInstructions":{"means":[{},{}],"directDebit":{"mandateReference":"M"}}}`,
		},
	})
}

func TestSubLines(t *testing.T) {
	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{{
		"lines in lines, and what comes after them",
		`<cac:InvoiceLine><cbc:ID>1</cbc:ID><cac:SubInvoiceLine><cbc:ID>1.1</cbc:ID><cac:SubInvoiceLine><cbc:ID>1.1.1</cbc:ID></cac:SubInvoiceLine><cbc:Note>a</cbc:Note></cac:SubInvoiceLine>` +
			`<cac:SubInvoiceLine><cbc:ID>1.2</cbc:ID></cac:SubInvoiceLine><cbc:Note>b</cbc:Note></cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID></cac:InvoiceLine>`,
		`{"lines":[{"identifier":"1","note":"b","subLines":[{"identifier":"1.1","note":"a","subLines":[{"identifier":"1.1.1"}]},{"identifier":"1.2"}]},{"identifier":"2"}]}`,
	}})
}

// A group can be made before the element that it is bound to is reached. Its place is
// that element nevertheless.
func TestPlacesOfGroups(t *testing.T) {
	invoice := readtest.Read(t, format, "ubl:Invoice", `<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>`+
		`<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">1</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal/>`)
	if got := int(invoice.Totals.Ref); got != 5 {
		t.Errorf("totals are at element %d, want 5, the cac:LegalMonetaryTotal", got)
	}
	invoice = readtest.Read(t, format, "ubl:Invoice", `<cac:TaxTotal><cbc:TaxAmount>1</cbc:TaxAmount></cac:TaxTotal>`)
	if got := int(invoice.Totals.Ref); got != 3 {
		t.Errorf("without a cac:LegalMonetaryTotal, totals are at element %d, want 3, the cbc:TaxAmount", got)
	}
}
