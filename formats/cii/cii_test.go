package cii_test

import (
	"fmt"
	"testing"

	"einvoice/formats/internal/readtest"
)

const root = "rsm:CrossIndustryInvoice"

func inTransaction(part, content string) string {
	return "<rsm:SupplyChainTradeTransaction><ram:" + part + ">" + content + "</ram:" + part + "></rsm:SupplyChainTradeTransaction>"
}

func agreement(content string) string {
	return inTransaction("ApplicableHeaderTradeAgreement", content)
}
func delivery(content string) string { return inTransaction("ApplicableHeaderTradeDelivery", content) }
func settlement(content string) string {
	return inTransaction("ApplicableHeaderTradeSettlement", content)
}
func line(content string) string { return inTransaction("IncludedSupplyChainTradeLineItem", content) }

func TestInvoice(t *testing.T) {
	readtest.Run(t, format, root, []readtest.Case{
		{"nothing", ``, `{}`},
		{"empty is present", `<rsm:ExchangedDocument><ram:ID/></rsm:ExchangedDocument>`, `{"number":""}`},
		{
			"notes",
			`<rsm:ExchangedDocument><ram:IncludedNote><ram:Content>a</ram:Content><ram:Content>b</ram:Content><ram:SubjectCode>AAI</ram:SubjectCode></ram:IncludedNote>` +
				`<ram:IncludedNote><ram:Content>#AAI#c</ram:Content></ram:IncludedNote></rsm:ExchangedDocument>`,
			`{"notes":[{"subjectCode":"AAI","text":"a"},{"text":"#AAI#c"}]}`,
		},
		{"elements that only contain groups are not groups", delivery(``) + settlement(``), `{}`},
	})
}

func TestDates(t *testing.T) {
	const issued = `<rsm:ExchangedDocument><ram:IssueDateTime><udt:DateTimeString%s>20261120</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>`
	readtest.Run(t, format, root, []readtest.Case{
		{"format 102", fmt.Sprintf(issued, ` format="102"`), `{"issueDate":"2026-11-20"}`},
		{"another format", fmt.Sprintf(issued, ` format="203"`), `{}`},
		{"no format", fmt.Sprintf(issued, ``), `{}`},
		{
			"no day",
			`<rsm:ExchangedDocument><ram:IssueDateTime><udt:DateTimeString format="102">2026-11-20</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>`,
			`{"issueDate":"2026-11-20"}`,
		},
		{
			"another format leaves its group absent",
			delivery(`<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime><udt:DateTimeString format="203">202611201200</udt:DateTimeString></ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>`),
			`{}`,
		},
	})
	// A date in another format than the attribute says is not valid.
	invoice := readtest.Read(t, format, root, `<rsm:ExchangedDocument><ram:IssueDateTime><udt:DateTimeString format="102">2026-11-20</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>`)
	if invoice.IssueDate.Valid {
		t.Error("2026-11-20 is accepted as a date in format 102")
	}
}

func TestVatPointDateCode(t *testing.T) {
	const tax = `<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>%s</ram:ApplicableTradeTax>`
	var cases []readtest.Case
	for document, want := range map[string]string{
		"5": "3", "29": "35", "72": "432", " 5 ": "3",
		"99": "99", "": "",
		// These codes are right in UBL, and must not become right by being read from CII.
		"35": "cii:35", "3": "cii:3", "432": "cii:432",
	} {
		cases = append(cases, readtest.Case{
			Name:    fmt.Sprintf("%q", document),
			Content: settlement(fmt.Sprintf(tax, `<ram:DueDateTypeCode>`+document+`</ram:DueDateTypeCode>`)),
			Want:    `{"vatPointDateCode":"` + want + `","vatBreakdowns":[{}]}`,
		})
	}
	cases = append(cases, readtest.Case{
		Name:    "in any breakdown",
		Content: settlement(fmt.Sprintf(tax, ``) + fmt.Sprintf(tax, `<ram:DueDateTypeCode>5</ram:DueDateTypeCode>`) + fmt.Sprintf(tax, `<ram:DueDateTypeCode>72</ram:DueDateTypeCode>`)),
		Want:    `{"vatPointDateCode":"3","vatBreakdowns":[{},{},{}]}`,
	}, readtest.Case{
		Name:    "BT-7",
		Content: settlement(fmt.Sprintf(tax, `<ram:TaxPointDate><udt:DateString format="102">20261120</udt:DateString></ram:TaxPointDate>`)),
		Want:    `{"vatPointDate":"2026-11-20","vatBreakdowns":[{}]}`,
	})
	readtest.Run(t, format, root, cases)
}

func TestVatBreakdowns(t *testing.T) {
	const tax = `<ram:ApplicableTradeTax><ram:CalculatedAmount>1</ram:CalculatedAmount><ram:TypeCode>%s</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode></ram:ApplicableTradeTax>`
	readtest.Run(t, format, root, []readtest.Case{
		{"VAT", settlement(fmt.Sprintf(tax, "vat")), `{"vatBreakdowns":[{"taxAmount":1,"categoryCode":"S"}]}`},
		{"another tax has no category", settlement(fmt.Sprintf(tax, "GST")), `{"vatBreakdowns":[{"taxAmount":1}]}`},
		{
			"of a line",
			line(`<ram:SpecifiedLineTradeSettlement>` + fmt.Sprintf(tax, "GST") + fmt.Sprintf(tax, "VAT") + `</ram:SpecifiedLineTradeSettlement>`),
			`{"lines":[{"vat":{"categoryCode":"S","details":{"taxAmount":1}}}]}`,
		},
	})
}

func TestDocumentReferences(t *testing.T) {
	const document = `<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>%[1]s</ram:IssuerAssignedID><ram:TypeCode>%[1]s</ram:TypeCode><ram:ReferenceTypeCode>ABZ</ram:ReferenceTypeCode></ram:AdditionalReferencedDocument>`
	readtest.Run(t, format, root, []readtest.Case{
		{
			"by type", agreement(fmt.Sprintf(document, "130") + fmt.Sprintf(document, "916") + fmt.Sprintf(document, "50") + fmt.Sprintf(document, "916")),
			`{"tenderOrLotReference":"50","invoicedObject":{"identifier":"130","schemeId":"ABZ"},"supportingDocuments":[{"reference":"916","referenceTypeCode":"ABZ"},{"reference":"916","referenceTypeCode":"ABZ"}],"references":{"tenderOrLot":{"referenceTypeCode":"ABZ"}}}`,
		},
		{"of another type", agreement(fmt.Sprintf(document, "380")), `{"references":{"additional":[{"identifier":"380","typeCode":"380","referenceTypeCode":"ABZ"}]}}`},
		{
			"of a line",
			line(`<ram:SpecifiedLineTradeSettlement>` + fmt.Sprintf(document, "131") + fmt.Sprintf(document, "130") + `</ram:SpecifiedLineTradeSettlement>`),
			`{"lines":[{"object":{"identifier":"130","schemeId":"ABZ"},"references":{"objects":[{"identifier":"131","typeCode":"131","referenceTypeCode":"ABZ"}]}}]}`,
		},
		{
			"preceding invoices",
			settlement(`<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>1</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>` +
				`<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>2</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>`),
			`{"precedingInvoices":[{"reference":"1"},{"reference":"2"}]}`,
		},
	})
}

func TestParties(t *testing.T) {
	const identifiers = `<ram:ID>L</ram:ID><ram:GlobalID schemeID="0088">G</ram:GlobalID>`
	const first = `{"identifier":{"identifier":"L"},"furtherIdentifiers":[{"identifier":"G","schemeId":"0088"}]}`
	registration := func(scheme string) string {
		return `<ram:SpecifiedTaxRegistration><ram:ID schemeID="` + scheme + `">` + scheme + `</ram:ID></ram:SpecifiedTaxRegistration>`
	}
	party := func(name, content string) string { return "<ram:" + name + ">" + content + "</ram:" + name + ">" }
	readtest.Run(t, format, root, []readtest.Case{
		{"seller", agreement(party("SellerTradeParty", identifiers)), `{"seller":{"identifiers":[{"identifier":"L"},{"identifier":"G","schemeId":"0088"}]}}`},
		{"buyer: the first, whole, and the others", agreement(party("BuyerTradeParty", identifiers)), `{"buyer":` + first + `}`},
		{"payee", settlement(party("PayeeTradeParty", identifiers)), `{"payee":` + first + `}`},
		{"deliver to location", delivery(party("ShipToTradeParty", identifiers)), `{"delivery":{"locationIdentifier":{"identifier":"L"},"furtherIdentifiers":[{"identifier":"G","schemeId":"0088"}]}}`},
		{
			"tax registrations",
			agreement(party("SellerTradeParty", registration("XX")+registration("FC")+registration("VA"))),
			`{"seller":{"vatIdentifier":"VA","taxRegistrationIdentifier":"FC"}}`,
		},
		{"a buyer's tax number is EXTENDED", agreement(party("BuyerTradeParty", registration("FC"))), `{"buyer":{"taxRegistrationIdentifier":"FC"}}`},
		{
			"an electronic address is there without its parts",
			agreement(party("SellerTradeParty", `<ram:URIUniversalCommunication/>`) + party("BuyerTradeParty", `<ram:URIUniversalCommunication/>`)),
			`{"seller":{"electronicAddress":{}},"buyer":{"electronicAddress":{}}}`,
		},
		{
			"contact by person or department",
			agreement(party("SellerTradeParty", `<ram:DefinedTradeContact><ram:PersonName>P</ram:PersonName><ram:DepartmentName>D</ram:DepartmentName></ram:DefinedTradeContact>`) +
				party("BuyerTradeParty", `<ram:DefinedTradeContact><ram:DepartmentName>D</ram:DepartmentName></ram:DefinedTradeContact>`)),
			`{"seller":{"contact":{"name":"P","department":"D"}},"buyer":{"contact":{"name":"D"}}}`,
		},
	})
}

func TestTaxTotals(t *testing.T) {
	totals := func(currencies, amounts string) string {
		return settlement(currencies + `<ram:SpecifiedTradeSettlementHeaderMonetarySummation>` + amounts + `</ram:SpecifiedTradeSettlementHeaderMonetarySummation>`)
	}
	const (
		both = `<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>`
		eur  = `<ram:TaxTotalAmount currencyID="EUR">1</ram:TaxTotalAmount>`
		sek  = `<ram:TaxTotalAmount currencyID="SEK">10</ram:TaxTotalAmount>`
		bare = `<ram:TaxTotalAmount>3</ram:TaxTotalAmount>`
		read = `{"currencyCode":"EUR","vatAccountingCurrencyCode":"SEK","totals":`
	)
	readtest.Run(t, format, root, []readtest.Case{
		{"both", totals(both, sek+eur), read + `{"taxTotalAmount":1,"taxTotalAmountInAccountingCurrency":10}}`},
		{"accounting currency only", totals(both, sek), read + `{"taxTotalAmountInAccountingCurrency":10}}`},
		{"no currency", totals(both, bare+sek), read + `{"taxTotalAmount":3,"taxTotalAmountInAccountingCurrency":10}}`},
		{"no currency before the right one", totals(both, bare+eur), read + `{"taxTotalAmount":1}}`},
		{"an empty summation is there", totals(``, ``), `{"totals":{}}`},
	})
}

func TestAllowancesAndCharges(t *testing.T) {
	each := func(indicator string) string {
		return settlement(`<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>` + indicator + `</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>1</ram:ActualAmount></ram:SpecifiedTradeAllowanceCharge>`)
	}
	readtest.Run(t, format, root, []readtest.Case{
		{"false", each("false"), `{"allowances":[{"amount":1}]}`},
		{"0", each("0"), `{"allowances":[{"amount":1}]}`},
		{"true", each("true"), `{"charges":[{"amount":1}]}`},
		{"1", each("1"), `{"charges":[{"amount":1}]}`},
		{"no", each("no"), `{}`},
	})
}

func TestPrice(t *testing.T) {
	price := func(content string) string {
		return line(`<ram:SpecifiedLineTradeAgreement>` + content + `</ram:SpecifiedLineTradeAgreement>`)
	}
	const (
		gross   = `<ram:GrossPriceProductTradePrice><ram:ChargeAmount>9</ram:ChargeAmount><ram:BasisQuantity unitCode="G">2</ram:BasisQuantity>%s</ram:GrossPriceProductTradePrice>`
		charge  = `<ram:AppliedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>true</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>3</ram:ActualAmount></ram:AppliedTradeAllowanceCharge>`
		net     = `<ram:NetPriceProductTradePrice><ram:ChargeAmount>8</ram:ChargeAmount></ram:NetPriceProductTradePrice>`
		netUnit = `<ram:NetPriceProductTradePrice><ram:BasisQuantity>5</ram:BasisQuantity></ram:NetPriceProductTradePrice>`
	)
	readtest.Run(t, format, root, []readtest.Case{
		{"an agreement without price", price(`<ram:BuyerOrderReferencedDocument><ram:LineID>1</ram:LineID></ram:BuyerOrderReferencedDocument>`), `{"lines":[{"purchaseOrderLineReference":"1"}]}`},
		{"base quantity of the gross price", price(fmt.Sprintf(gross, ``) + net), `{"lines":[{"price":{"netPrice":8,"grossPrice":9,"baseQuantity":2,"baseQuantityUnitCode":"G"}}]}`},
		{"base quantity of both", price(fmt.Sprintf(gross, ``) + netUnit), `{"lines":[{"price":{"grossPrice":9,"baseQuantity":5,"grossPriceBaseQuantity":{"quantity":2,"unitCode":"G"}}}]}`},
		{"a charge is not a discount", price(fmt.Sprintf(gross, charge)), `{"lines":[{"price":{"grossPrice":9,"baseQuantity":2,"baseQuantityUnitCode":"G","details":{"furtherAdjustments":[{"chargeIndicator":"true","amount":3}]}}}]}`},
	})
	// The lines do not affect each other.
	agreements := `<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedLineTradeAgreement>` + fmt.Sprintf(gross, ``) + netUnit + `</ram:SpecifiedLineTradeAgreement></ram:IncludedSupplyChainTradeLineItem>` +
		`<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedLineTradeAgreement>` + fmt.Sprintf(gross, ``) + `</ram:SpecifiedLineTradeAgreement></ram:IncludedSupplyChainTradeLineItem>`
	readtest.Run(t, format, root, []readtest.Case{{
		"two lines", `<rsm:SupplyChainTradeTransaction>` + agreements + `</rsm:SupplyChainTradeTransaction>`,
		`{"lines":[{"price":{"grossPrice":9,"baseQuantity":5,"grossPriceBaseQuantity":{"quantity":2,"unitCode":"G"}}},{"price":{"grossPrice":9,"baseQuantity":2,"baseQuantityUnitCode":"G"}}]}`,
	}})
}

func TestPayment(t *testing.T) {
	means := func(content string) string {
		return `<ram:SpecifiedTradeSettlementPaymentMeans>` + content + `</ram:SpecifiedTradeSettlementPaymentMeans>`
	}
	account := func(content string) string {
		return `<ram:PayeePartyCreditorFinancialAccount>` + content + `</ram:PayeePartyCreditorFinancialAccount>`
	}
	const bic = `<ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>B</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution>`
	readtest.Run(t, format, root, []readtest.Case{
		{
			"several means",
			settlement(means(`<ram:TypeCode>58</ram:TypeCode>`+account(`<ram:IBANID>I</ram:IBANID>`)+bic) + means(`<ram:TypeCode>30</ram:TypeCode>`+account(`<ram:ProprietaryID schemeID="X">P</ram:ProprietaryID>`))),
			`{"paymentInstructions":{"means":[{"typeCode":"58","creditTransfers":[{"accountIdentifier":"I","serviceProviderIdentifier":"B"}]},` +
				`{"typeCode":"30","creditTransfers":[{"accountIdentifier":"P","accountSchemeId":"X"}]}]}}`,
		},
		{"an empty account is a credit transfer", settlement(means(account(``))), `{"paymentInstructions":{"means":[{"creditTransfers":[{}]}]}}`},
		{"a bank without account", settlement(means(bic)), `{"paymentInstructions":{"means":[{"creditTransfers":[{"serviceProviderIdentifier":"B"}]}]}}`},
		{
			"direct debit in three places",
			settlement(`<ram:CreditorReferenceID>C</ram:CreditorReferenceID><ram:PaymentReference>R</ram:PaymentReference>` +
				means(`<ram:PayerPartyDebtorFinancialAccount><ram:IBANID>D</ram:IBANID></ram:PayerPartyDebtorFinancialAccount>`) +
				`<ram:SpecifiedTradePaymentTerms><ram:Description>T</ram:Description><ram:DueDateDateTime><udt:DateTimeString format="102">20261120</udt:DateTimeString></ram:DueDateDateTime><ram:DirectDebitMandateID>M</ram:DirectDebitMandateID></ram:SpecifiedTradePaymentTerms>`),
			`{"paymentDueDate":"2026-11-20","paymentTerms":"T","paymentInstructions":{"remittanceInformation":"R","means":[{}],` +
				`"directDebit":{"mandateReference":"M","creditorIdentifier":"C","debitedAccountIdentifier":"D"}}}`,
		},
	})
}

// XRechnung has no sub invoice lines in CII, so all lines are invoice lines.
func TestParentLines(t *testing.T) {
	document := func(id, parent string) string {
		return `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>` + id + `</ram:LineID>` + parent + `</ram:AssociatedDocumentLineDocument></ram:IncludedSupplyChainTradeLineItem>`
	}
	readtest.Run(t, format, root, []readtest.Case{{
		"with ParentLineID",
		`<rsm:SupplyChainTradeTransaction>` + document("1", "") + document("1.1", `<ram:ParentLineID>1</ram:ParentLineID>`) + `</rsm:SupplyChainTradeTransaction>`,
		`{"lines":[{"identifier":"1"},{"identifier":"1.1","parentLineIdentifier":"1"}]}`,
	}})
}
