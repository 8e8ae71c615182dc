// Package tongue names the languages that pages can be made in, without their words, so that
// a program which makes no pages need not have these, and says which language stands for one
// that is not there.
package tongue

import (
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"

	bcp47 "golang.org/x/text/language"
)

// Default is used if no language is given.
const Default = "en"

// CodeUnknown is the code of the *problem.Error for a language that pages have no words in.
const CodeUnknown = "LANGUAGE-UNKNOWN"

// all are the files of package language; a test of it compares them.
var all = []string{"de", "en", "es", "fr", "it", "nl", "pl"}

// Tags are the languages that pages can be made in, sorted.
func Tags() []string { return slices.Clone(all) }

// Match is the language of a tag among those that pages can be made in: de of de-AT,
// English of none. The error is a *problem.Error.
func Match(tag string) (string, error) {
	if tag == "" {
		tag = Default
	}
	for _, name := range Wider(tag) {
		if slices.Contains(all, name) {
			return name, nil
		}
	}
	return "", &problem.Error{
		Code: CodeUnknown, Message: "there is no language " + quote.Value(tag), Remedy: "use one of " + strings.Join(all, ", "),
	}
}

// Wider are the tags of the languages in which somebody may be told what is asked for in the one
// of tag, that one first, as BCP 47 writes them: de-AT and de for "de-at". There are none for a
// text that is not a tag.
func Wider(tag string) (tags []string) {
	parsed, err := bcp47.Parse(tag)
	if err != nil {
		return nil
	}
	for rest := parsed.String(); ; {
		tags = append(tags, rest)
		cut := strings.LastIndexByte(rest, '-')
		if cut < 0 {
			return tags
		}
		rest = rest[:cut]
	}
}

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
		if slices.Contains(all, base.String()) {
			return base.String()
		}
	}
	return Default
}
