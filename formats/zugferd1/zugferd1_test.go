package zugferd1_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/internal/readtest"
	"einvoice/model"
)

var format = formats.Legacy[0]

const root = "ferd:CrossIndustryDocument"

func inTransaction(content string) string {
	return "<ferd:SpecifiedSupplyChainTradeTransaction>" + content + "</ferd:SpecifiedSupplyChainTradeTransaction>"
}

func in(part, content string) string {
	return inTransaction("<ram12:" + part + ">" + content + "</ram12:" + part + ">")
}

func settlement(content string) string { return in("ApplicableSupplyChainTradeSettlement", content) }

func TestTable(t *testing.T) {
	if err := format.Check(); err != nil {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	readtest.Run(t, format, root, []readtest.Case{
		{"nothing", ``, `{}`},
		{
			"header",
			`<ferd:SpecifiedExchangedDocumentContext><ram12:GuidelineSpecifiedDocumentContextParameter><ram12:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:basic</ram12:ID></ram12:GuidelineSpecifiedDocumentContextParameter></ferd:SpecifiedExchangedDocumentContext>` +
				`<ferd:HeaderExchangedDocument><ram12:ID>R-1</ram12:ID><ram12:TypeCode>380</ram12:TypeCode><ram12:IssueDateTime><udt15:DateTimeString format="102">20140305</udt15:DateTimeString></ram12:IssueDateTime>` +
				`<ram12:IncludedNote><ram12:Content>a</ram12:Content><ram12:SubjectCode>REG</ram12:SubjectCode></ram12:IncludedNote></ferd:HeaderExchangedDocument>`,
			`{"number":"R-1","issueDate":"2014-03-05","typeCode":"380","notes":[{"subjectCode":"REG","text":"a"}],"specificationId":"urn:ferd:CrossIndustryDocument:invoice:1p0:basic"}`,
		},
		{
			"a party",
			in("ApplicableSupplyChainTradeAgreement", `<ram12:SellerTradeParty><ram12:Name>n</ram12:Name><ram12:SpecifiedTaxRegistration><ram12:ID schemeID="FC">f</ram12:ID></ram12:SpecifiedTaxRegistration><ram12:SpecifiedTaxRegistration><ram12:ID schemeID="VA">v</ram12:ID></ram12:SpecifiedTaxRegistration></ram12:SellerTradeParty>`),
			`{"seller":{"name":"n","vatIdentifier":"v","taxRegistrationIdentifier":"f"}}`,
		},
		{
			"carriage is a charge, after the others",
			settlement(`<ram12:SpecifiedTradeAllowanceCharge><ram12:ChargeIndicator><udt15:Indicator>true</udt15:Indicator></ram12:ChargeIndicator><ram12:ActualAmount currencyID="EUR">1.00</ram12:ActualAmount></ram12:SpecifiedTradeAllowanceCharge>` +
				`<ram12:SpecifiedLogisticsServiceCharge><ram12:Description>Carriage</ram12:Description><ram12:AppliedAmount currencyID="EUR">5.80</ram12:AppliedAmount><ram12:AppliedTradeTax><ram12:TypeCode>VAT</ram12:TypeCode><ram12:CategoryCode>S</ram12:CategoryCode><ram12:ApplicablePercent>7.00</ram12:ApplicablePercent></ram12:AppliedTradeTax></ram12:SpecifiedLogisticsServiceCharge>`),
			`{"charges":[{"amount":1.00},{"amount":5.80,"vat":{"categoryCode":"S","rate":7.00},"reason":"Carriage"}]}`,
		},
		{
			"totals",
			settlement(`<ram12:SpecifiedTradeSettlementMonetarySummation><ram12:TaxTotalAmount currencyID="EUR">2.10</ram12:TaxTotalAmount><ram12:DuePayableAmount currencyID="EUR">12.10</ram12:DuePayableAmount></ram12:SpecifiedTradeSettlementMonetarySummation>`),
			`{"totals":{"taxTotalAmount":2.10,"amountDueForPayment":12.10}}`,
		},
		{
			"a line",
			in("IncludedSupplyChainTradeLineItem", `<ram12:AssociatedDocumentLineDocument><ram12:LineID>1</ram12:LineID></ram12:AssociatedDocumentLineDocument>`+
				`<ram12:SpecifiedSupplyChainTradeAgreement><ram12:NetPriceProductTradePrice><ram12:ChargeAmount currencyID="EUR">9.90</ram12:ChargeAmount><ram12:BasisQuantity unitCode="C62">1</ram12:BasisQuantity></ram12:NetPriceProductTradePrice></ram12:SpecifiedSupplyChainTradeAgreement>`+
				`<ram12:SpecifiedSupplyChainTradeDelivery><ram12:BilledQuantity unitCode="C62">2</ram12:BilledQuantity></ram12:SpecifiedSupplyChainTradeDelivery>`+
				`<ram12:SpecifiedSupplyChainTradeSettlement><ram12:SpecifiedTradeSettlementMonetarySummation><ram12:LineTotalAmount currencyID="EUR">19.80</ram12:LineTotalAmount></ram12:SpecifiedTradeSettlementMonetarySummation></ram12:SpecifiedSupplyChainTradeSettlement>`+
				`<ram12:SpecifiedTradeProduct><ram12:Name>p</ram12:Name></ram12:SpecifiedTradeProduct>`),
			`{"lines":[{"identifier":"1","invoicedQuantity":2,"invoicedQuantityUnitCode":"C62","netAmount":19.80,"price":{"netPrice":9.90,"baseQuantity":1,"baseQuantityUnitCode":"C62"},"item":{"name":"p"}}]}`,
		},
	})
}

// The ZUGFeRD 1.0 documents of the corpus are read only with Options.Legacy.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../../shared/suites/zugferd-corpus/xml/ZUGFeRDv1*.xml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites/zugferd-corpus/xml is not there")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := formats.Read(data, formats.Options{}); err == nil {
			t.Errorf("%s is read without Options.Legacy", file)
		}
		doc, err := formats.Read(data, formats.Options{Legacy: true})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		inv := doc.Invoice
		if doc.Syntax != model.ZUGFeRD1 || formats.LegacyName(doc) != "ZUGFeRD 1.0" || inv.Number.Blank() || inv.Seller == nil || inv.Seller.Name.Blank() ||
			len(inv.Lines) == 0 || len(inv.VatBreakdowns) == 0 || inv.Totals == nil || !inv.Totals.TotalAmountWithVat.Valid {
			t.Errorf("%s: too little is read: %+v", file, inv)
		}
		if !strings.Contains(file, "--correct--") {
			continue // it has intentional mistakes
		}
		net := model.NewNumber("0").Value
		for _, line := range inv.Lines {
			if line.NetAmount.Valid {
				net = net.Add(line.NetAmount.Value)
			}
		}
		if net.Cmp(inv.Totals.SumOfLineNetAmounts.Value) != 0 {
			t.Errorf("%s: the lines make %s, the total is %s", file, net, inv.Totals.SumOfLineNetAmounts.Raw)
		}
	}
}

func FuzzRead(f *testing.F) { readtest.Fuzz(f, format) }
