package formats_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
)

// traps are what other converters are known to get wrong: an invoice, and what the
// two documents must contain, without indentation. Reading either document must give
// the same invoice.
var traps = []struct{ name, invoice, ubl, cii string }{
	{
		"the due date of a credit note is in its payment means",
		`{"typeCode": "381", "currencyCode": "EUR", "paymentDueDate": "2026-12-20", "paymentInstructions": {"means": [{"typeCode": "58"}, {"typeCode": "30"}]}}`,
		`<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-12-20</cbc:PaymentDueDate></cac:PaymentMeans><cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>`,
		`<ram:DueDateDateTime><udt:DateTimeString format="102">20261220</udt:DateTimeString></ram:DueDateDateTime>`,
	},
	{
		"the due date of an invoice is a child of the root",
		`{"typeCode": "380", "currencyCode": "EUR", "paymentDueDate": "2026-12-20"}`,
		`<cbc:DueDate>2026-12-20</cbc:DueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>`,
		`<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261220</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>`,
	},
	{
		"an IBAN for another means of payment than 58",
		`{"currencyCode": "EUR", "paymentInstructions": {"means": [{"typeCode": "70", "creditTransfers": [{"accountIdentifier": "DE02120300000000202051"}]}]}}`,
		`<cbc:PaymentMeansCode>70</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>DE02120300000000202051</cbc:ID></cac:PayeeFinancialAccount>`,
		`<ram:TypeCode>70</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>`,
	},
	{
		"an account that is not an IBAN",
		`{"currencyCode": "EUR", "paymentInstructions": {"means": [{"typeCode": "30", "creditTransfers": [{"accountIdentifier": "5678-1234", "accountName": "A", "serviceProviderIdentifier": "BYLADEM1001"}]}]}}`,
		`<cac:PayeeFinancialAccount><cbc:ID>5678-1234</cbc:ID><cbc:Name>A</cbc:Name><cac:FinancialInstitutionBranch><cbc:ID>BYLADEM1001</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount>`,
		`<ram:PayeePartyCreditorFinancialAccount><ram:AccountName>A</ram:AccountName><ram:ProprietaryID>5678-1234</ram:ProprietaryID></ram:PayeePartyCreditorFinancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>BYLADEM1001</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution>`,
	},
	{
		"several payment means, the mandate at the direct debit",
		`{"currencyCode": "EUR", "paymentInstructions": {"remittanceInformation": "R", "means": [{"typeCode": "30", "creditTransfers": [{"accountIdentifier": "1"}]}, {"typeCode": "59"}], "directDebit": {"mandateReference": "M", "creditorIdentifier": "C", "debitedAccountIdentifier": "D"}}}`,
		`<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>R</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>1</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans><cac:PaymentMeans><cbc:PaymentMeansCode>59</cbc:PaymentMeansCode><cac:PaymentMandate><cbc:ID>M</cbc:ID><cac:PayerFinancialAccount><cbc:ID>D</cbc:ID></cac:PayerFinancialAccount></cac:PaymentMandate></cac:PaymentMeans>`,
		`<ram:TypeCode>59</ram:TypeCode><ram:PayerPartyDebtorFinancialAccount><ram:IBANID>D</ram:IBANID></ram:PayerPartyDebtorFinancialAccount>`,
	},
	{
		"a creditor identifier is not an identifier of the seller",
		`{"currencyCode": "EUR", "seller": {"identifiers": [{"identifier": "S", "schemeId": "0088"}]}, "paymentInstructions": {"directDebit": {"creditorIdentifier": "DE98ZZZ09999999999"}}}`,
		`<cac:PartyIdentification><cbc:ID schemeID="SEPA">DE98ZZZ09999999999</cbc:ID></cac:PartyIdentification><cac:PartyIdentification><cbc:ID schemeID="0088">S</cbc:ID></cac:PartyIdentification>`,
		`<ram:CreditorReferenceID>DE98ZZZ09999999999</ram:CreditorReferenceID>`,
	},
	{
		"identifiers with and without a scheme",
		`{"currencyCode": "EUR", "seller": {"identifiers": [{"identifier": "plain"}, {"identifier": "4000001000005", "schemeId": "0088"}], "legalRegistration": {"identifier": "HRB 1", "schemeId": "0002"}}, "delivery": {"locationIdentifier": {"identifier": "L"}}}`,
		`<cac:PartyIdentification><cbc:ID>plain</cbc:ID></cac:PartyIdentification><cac:PartyIdentification><cbc:ID schemeID="0088">4000001000005</cbc:ID></cac:PartyIdentification>`,
		`<ram:SellerTradeParty><ram:ID>plain</ram:ID><ram:GlobalID schemeID="0088">4000001000005</ram:GlobalID><ram:SpecifiedLegalOrganization><ram:ID schemeID="0002">HRB 1</ram:ID></ram:SpecifiedLegalOrganization></ram:SellerTradeParty>`,
	},
	{
		"the quantity that a price is for",
		`{"currencyCode": "EUR", "lines": [{"price": {"netPrice": "1.2345", "baseQuantity": 100, "baseQuantityUnitCode": "C62"}}]}`,
		`<cac:Price><cbc:PriceAmount currencyID="EUR">1.2345</cbc:PriceAmount><cbc:BaseQuantity unitCode="C62">100</cbc:BaseQuantity></cac:Price>`,
		`<ram:NetPriceProductTradePrice><ram:ChargeAmount>1.2345</ram:ChargeAmount><ram:BasisQuantity unitCode="C62">100</ram:BasisQuantity></ram:NetPriceProductTradePrice>`,
	},
	{
		"a price before and after its discount",
		`{"currencyCode": "EUR", "lines": [{"price": {"netPrice": 9, "discount": 1, "grossPrice": 10}}]}`,
		`<cac:Price><cbc:PriceAmount currencyID="EUR">9</cbc:PriceAmount><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="EUR">1</cbc:Amount><cbc:BaseAmount currencyID="EUR">10</cbc:BaseAmount></cac:AllowanceCharge></cac:Price>`,
		`<ram:GrossPriceProductTradePrice><ram:ChargeAmount>10</ram:ChargeAmount><ram:AppliedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>1</ram:ActualAmount></ram:AppliedTradeAllowanceCharge></ram:GrossPriceProductTradePrice><ram:NetPriceProductTradePrice><ram:ChargeAmount>9</ram:ChargeAmount></ram:NetPriceProductTradePrice>`,
	},
	{
		"several classifications with their schemes and versions",
		`{"currencyCode": "EUR", "lines": [{"item": {"classifications": [{"identifier": "1", "schemeId": "STI", "schemeVersionId": "v1"}, {"identifier": "2", "schemeId": "SRV"}]}}]}`,
		`<cac:CommodityClassification><cbc:ItemClassificationCode listID="STI" listVersionID="v1">1</cbc:ItemClassificationCode></cac:CommodityClassification><cac:CommodityClassification><cbc:ItemClassificationCode listID="SRV">2</cbc:ItemClassificationCode></cac:CommodityClassification>`,
		`<ram:DesignatedProductClassification><ram:ClassCode listID="STI" listVersionID="v1">1</ram:ClassCode></ram:DesignatedProductClassification><ram:DesignatedProductClassification><ram:ClassCode listID="SRV">2</ram:ClassCode></ram:DesignatedProductClassification>`,
	},
	{
		"despatch and receiving advice",
		`{"currencyCode": "EUR", "despatchAdviceReference": "DESADV-1", "receivingAdviceReference": "RECADV-1"}`,
		`<cac:DespatchDocumentReference><cbc:ID>DESADV-1</cbc:ID></cac:DespatchDocumentReference><cac:ReceiptDocumentReference><cbc:ID>RECADV-1</cbc:ID></cac:ReceiptDocumentReference>`,
		`<ram:DespatchAdviceReferencedDocument><ram:IssuerAssignedID>DESADV-1</ram:IssuerAssignedID></ram:DespatchAdviceReferencedDocument><ram:ReceivingAdviceReferencedDocument><ram:IssuerAssignedID>RECADV-1</ram:IssuerAssignedID></ram:ReceivingAdviceReferencedDocument>`,
	},
	{
		"several notes with subject codes",
		`{"currencyCode": "EUR", "notes": [{"subjectCode": "AAI", "text": "one"}, {"text": "two"}, {"subjectCode": "REG", "text": "three"}]}`,
		`<cbc:Note>#AAI#one</cbc:Note><cbc:Note>two</cbc:Note><cbc:Note>#REG#three</cbc:Note>`,
		`<ram:IncludedNote><ram:Content>one</ram:Content><ram:SubjectCode>AAI</ram:SubjectCode></ram:IncludedNote><ram:IncludedNote><ram:Content>two</ram:Content></ram:IncludedNote><ram:IncludedNote><ram:Content>three</ram:Content><ram:SubjectCode>REG</ram:SubjectCode></ram:IncludedNote>`,
	},
	{
		"VAT totals in both currencies",
		`{"currencyCode": "EUR", "vatAccountingCurrencyCode": "SEK", "totals": {"taxTotalAmount": "19.00", "taxTotalAmountInAccountingCurrency": "214.51"}, "vatBreakdowns": [{"taxAmount": "19.00", "categoryCode": "S"}]}`,
		`<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">19.00</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxAmount currencyID="EUR">19.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal><cac:TaxTotal><cbc:TaxAmount currencyID="SEK">214.51</cbc:TaxAmount></cac:TaxTotal>`,
		`<ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="SEK">214.51</ram:TaxTotalAmount>`,
	},
	{
		"VAT point date codes are those of the syntax, and are written once",
		`{"currencyCode": "EUR", "vatPointDateCode": "432", "invoicingPeriod": {"startDate": "2026-11-01"}, "totals": {"taxTotalAmount": 0}, "vatBreakdowns": [{"categoryCode": "S"}, {"categoryCode": "Z"}]}`,
		`<cac:InvoicePeriod><cbc:StartDate>2026-11-01</cbc:StartDate><cbc:DescriptionCode>432</cbc:DescriptionCode></cac:InvoicePeriod>`,
		`<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:DueDateTypeCode>72</ram:DueDateTypeCode></ram:ApplicableTradeTax><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>Z</ram:CategoryCode></ram:ApplicableTradeTax>`,
	},
	{
		"the project of a credit note, the invoiced object, a supporting document",
		`{"typeCode": "381", "currencyCode": "EUR", "projectReference": "P", "invoicedObject": {"identifier": "O", "schemeId": "ABT"}, "supportingDocuments": [{"reference": "D", "externalLocation": "https://example.com/d"}]}`,
		`<cac:AdditionalDocumentReference><cbc:ID schemeID="ABT">O</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode></cac:AdditionalDocumentReference><cac:AdditionalDocumentReference><cbc:ID>P</cbc:ID><cbc:DocumentTypeCode>50</cbc:DocumentTypeCode></cac:AdditionalDocumentReference><cac:AdditionalDocumentReference><cbc:ID>D</cbc:ID>`,
		`<ram:SpecifiedProcuringProject><ram:ID>P</ram:ID><ram:Name>Project reference</ram:Name></ram:SpecifiedProcuringProject>`,
	},
}

func TestTrapsOfConverters(t *testing.T) {
	for _, c := range traps {
		t.Run(c.name, func(t *testing.T) {
			invoice, err := jsoninvoice.Decode(t.Context(), []byte(c.invoice))
			if err != nil {
				t.Fatal(err)
			}
			for syntax, want := range map[model.Syntax]string{model.UBL: c.ubl, model.CII: c.cii} {
				w, err := formats.Convert(t.Context(), &model.Document{Invoice: invoice}, formats.Output{Syntax: syntax, CreditNote: creditNotes})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(withoutIndentation(w.Data), want) {
					t.Errorf("%s lacks %s\n%s", syntax, want, w.Data)
				}
				if w.Losses != nil {
					t.Errorf("%s loses %+v", syntax, w.Losses)
				}
				read, err := formats.Read(w.Data, formats.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got := differences(exactTerms(invoice), exactTerms(read.Invoice)); got != nil {
					t.Errorf("%s is read with other %q", syntax, got)
				}
			}
		})
	}
}

func withoutIndentation(data []byte) string {
	var b strings.Builder
	for line := range strings.SplitSeq(string(data), "\n") {
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

// Payment means with two accounts become two entries, because neither syntax allows
// two accounts in one.
func TestSeveralAccounts(t *testing.T) {
	invoice, err := jsoninvoice.Decode(t.Context(), []byte(`{"currencyCode": "EUR", "paymentInstructions": {"remittanceInformation": "R", "means": [{"typeCode": "30", "text": "T",
		"creditTransfers": [{"accountIdentifier": "1", "serviceProviderIdentifier": "A"}, {"accountIdentifier": "2", "serviceProviderIdentifier": "B"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	const means = `{"currencyCode":"EUR","paymentInstructions":{"remittanceInformation":"R","means":[` +
		`{"typeCode":"30","text":"T","creditTransfers":[{"accountIdentifier":"1","serviceProviderIdentifier":"A"}]},` +
		`{"typeCode":"30","text":"T","creditTransfers":[{"accountIdentifier":"2","serviceProviderIdentifier":"B"}]}]}}`
	want, err := jsoninvoice.Decode(t.Context(), []byte(means))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats.All {
		w, err := formats.Convert(t.Context(), &model.Document{Invoice: invoice}, formats.Output{Syntax: f.Syntax})
		if err != nil {
			t.Fatal(err)
		}
		read, err := formats.Read(w.Data, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := differences(exactTerms(want), exactTerms(read.Invoice))
		if f.Syntax == model.UBL { // which has the text of all means of payment once (UBL-SR-46)
			got = slices.DeleteFunc(got, func(path string) bool { return path == "paymentInstructions.means.text" })
		}
		if len(got) > 0 {
			t.Errorf("%s: differs in %q\n%s", f.Syntax, got, w.Data)
		}
		if len(w.Losses) != 1 || w.Losses[0].Kind != "changed" || w.Losses[0].Field != "paymentInstructions.means[0]" {
			t.Errorf("%s reports %+v", f.Syntax, w.Losses)
		}
	}
}
