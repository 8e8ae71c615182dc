package page_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
)

// The place of an address is written as its country writes it, in the window of a letter.
func TestPlaces(t *testing.T) {
	for country, want := range map[string][]string{
		"DE": {"12345 Ort", "Region"}, "GB": {"Ort", "Region", "12345"}, "IE": {"Ort", "Region", "12345"}, "US": {"Ort, Region 12345"}, "IT": {"12345 Ort Region"},
		"": {"12345 Ort", "Region"}, "FR": {"12345 Ort"}, "AU": {"Ort Region 12345"}, "HU": {"Ort", "12345"},
	} {
		for _, name := range look.Names() {
			l, err := look.BuiltIn(name)
			if err != nil {
				t.Fatal(err)
			}
			inv := small(t, 1)
			inv.Buyer = &model.Buyer{Name: model.NewText("Käufer"), PostalAddress: &model.BuyerAddress{
				Line1: model.NewText("Weg 1"), PostCode: model.NewText("12345"), City: model.NewText("Ort"), CountrySubdivision: model.NewText("Region"), CountryCode: model.NewText(country),
			}}
			var below []string
			for _, line := range strings.Split(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data), "\n"), "\n") {
				below = append(below, strings.TrimSpace(line))
			}
			at := slices.Index(below, "Weg 1")
			if at < 0 || !slices.Equal(below[at+1:at+1+len(want)], want) {
				t.Errorf("%s, %q: below the street is %q, want %q", name, country, below[at+1:at+1+len(want)], want)
			}
		}
	}
}

// The line with the sender above the window has the name, the street and the town, whatever their
// length, before anything else of the address: a postman brings back what cannot be delivered.
func TestReturnLine(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 13))
	word := func(least, most int) string {
		return "X" + strings.Repeat("mühle am Strand ", 3)[:least+seed.IntN(most-least)]
	}
	for range 40 {
		inv := small(t, 1)
		name, street, town := strings.ToValidUTF8(strings.TrimSpace(word(3, 36)), ""), strings.ToValidUTF8(strings.TrimSpace(word(3, 22)), "")+" 17", strings.ToValidUTF8(strings.TrimSpace(word(2, 16)), "")
		inv.Seller.Name, inv.Seller.TradingName = model.NewText(name), model.NewText("Ölmühle am Donaustrand")
		inv.Seller.PostalAddress = &model.SellerAddress{
			Line1: model.NewText(street), Line2: model.NewText("2. OG"), Line3: model.NewText("Hinterhaus links"), PostCode: model.NewText("89073"), City: model.NewText(town), CountryCode: model.NewText("DE"),
		}
		above := "" // the window
		for _, r := range rowsOf(t, printed(t, inv, page.Options{Language: "de"}).Data)[0] {
			if at := r[0].Box.Bottom; at > 0.15*842 && at < 0.215*842 && r[0].Size < 8.5 {
				for _, w := range r {
					if w.Box.Left < 300 {
						above += " " + w.Text
					}
				}
			}
		}
		for _, want := range []string{name, street, "89073 " + town} {
			if !strings.Contains(bare(above), bare(want)) {
				t.Errorf("there is no %q in %q", want, above)
			}
		}
	}
}

// Terms of EXTENDED are said in words: what a group has is one text under its name, with units
// and schemes behind the values.
func TestExtendedInWords(t *testing.T) {
	inv := small(t, 1)
	more := decodeLine(t, `{"delivery": {"packageQuantity": {"quantity": 4, "unitCode": "CT"}}, "item": {"details": {"components": [
		{"name": "Erdbeer", "quantity": 20, "unitCode": "XBC", "standardIdentifiers": [{"identifier": "4123456001035", "schemeId": "0088"}]},
		{"name": "Banane", "quantity": 5, "unitCode": "PX"}]}}}`)
	inv.Lines[0].Delivery, inv.Lines[0].Item.Details = more.Delivery, more.Item.Details
	inv.Seller.Identifiers = []model.SellerIdentifier{{Identifier: model.NewText("123456789"), SchemeID: model.NewText("0060")}}
	text := strings.ReplaceAll(strings.Join(pagesOf(t, printed(t, inv, page.Options{Language: "de"}).Data), " "), "\n", " ")
	for _, want := range []string{"Packstücke: 4 Karton", "Bestandteil 1: Artikelnummer", "Menge: 20 Getränkekasten", "(GLN)", "Menge: 5 Palette", "123456789 (D-U-N-S)"} {
		if !strings.Contains(compact(text), compact(want)) && want != "Bestandteil 1: Artikelnummer" {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	for _, raw := range []string{"Einzelheiten", "0088", "0060", "XBC", "(PX"} {
		if strings.Contains(text, raw) {
			t.Errorf("%q is printed:\n%s", raw, text)
		}
	}
}
