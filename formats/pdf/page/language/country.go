package language

import (
	"slices"

	"einvoice/model"

	bcp47 "golang.org/x/text/language"
)

// OfCountry is the tag of the language of the buyer's country, or else of the seller's; English where
// pages have words in neither.
func OfCountry(inv *model.Invoice) string {
	var countries []string
	if inv.Buyer != nil && inv.Buyer.PostalAddress != nil {
		countries = append(countries, inv.Buyer.PostalAddress.CountryCode.Raw)
	}
	if inv.Seller != nil && inv.Seller.PostalAddress != nil {
		countries = append(countries, inv.Seller.PostalAddress.CountryCode.Raw)
	}
	for _, country := range countries {
		region, err := bcp47.ParseRegion(country)
		if err != nil || len(country) != 2 {
			continue
		}
		likely, err := bcp47.Compose(region)
		if err != nil {
			continue
		}
		base, _ := likely.Base() // the language that most people there speak, as CLDR has it
		if slices.Contains(Tags(), base.String()) {
			return base.String()
		}
	}
	return Default
}
