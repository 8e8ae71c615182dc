package schema_test

import (
	"testing"

	"einvoice/formats/schema"
	"einvoice/rulesets"
)

func TestKnows(t *testing.T) {
	library := schema.NewLibrary(rulesets.FS, "schemas")
	const agreement = "rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/"
	for _, c := range []struct {
		schema, path string
		want         bool
	}{
		{"factur-x-1.09-minimum", "rsm:CrossIndustryInvoice", true},
		{"factur-x-1.09-minimum", agreement + "ram:SellerTradeParty/ram:PostalTradeAddress/ram:CountryID", true},
		{"factur-x-1.09-minimum", agreement + "ram:SellerTradeParty/ram:PostalTradeAddress/ram:CityName", false},
		{"factur-x-1.09-basicwl", agreement + "ram:SellerTradeParty/ram:PostalTradeAddress/ram:CityName", true},
		{"factur-x-1.09-minimum", agreement + "ram:SellerTradeParty/ram:SpecifiedLegalOrganization/ram:ID/@schemeID", true},
		{"factur-x-1.09-minimum", agreement + "ram:SellerTradeParty/ram:SpecifiedLegalOrganization/ram:ID/@schemeName", false},
		{"factur-x-1.09-minimum", agreement + "ram:BuyerReference/ram:Name", false},
		{"factur-x-1.09-minimum", "ubl:Invoice", false},
		{"factur-x-1.09-minimum", "foo:Bar", false},
		{"factur-x-1.09-minimum", "@schemeID", false},
		{"cii-d16b", "rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:Foo", false},
	} {
		s, err := library.Schema(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Knows(c.path); got != c.want {
			t.Errorf("%s: %s is %t", c.schema, c.path, got)
		}
	}
}
