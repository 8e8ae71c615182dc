package parse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/model/sampled"
)

// A VAT identifier in a block below the lines with the label and the name of a party is that of the
// party, also where the name of the seller above is not read. Lines with a rate of 0 have the
// category of the only group of the breakdown with that rate.
func TestBlocksBelowLines(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11))
	for range sampled.Of(100, 6) {
		buyer := anyOf(r, "Wartung Nord GmbH", "Kabel & Set B.V.", "Lambert SA")
		words := [][3]string{{"Buyer", "VAT ID", "Reverse charge"}, {"Käufer", "USt-IdNr.", "Steuerschuldnerschaft des Leistungsempfängers"}, {"Acheteur", "N° TVA", "Autoliquidation"}}[r.IntN(3)]
		id, other := "NL123456789B01", "DE123456789"
		rows := []string{
			"60|50 " + anyOf(r, "Schrank Montage 24", "Lager Nord", "Morel SARL"), "74|50 00-950 's-Hertogenbosch", "88|50 Germany",
			"110|320 " + buyer, "124|320 1234 AB Sankt Georgen", "138|320 Netherlands",
			"160|50 Invoice RE/2026/77", "174|50 Invoice date: 4 Jul 2026",
			"300|50 Description|>330 Quantity|>420 Unit price|>480 VAT|>540 Net amount", "314|50 Lamp|>330 2|>420 150.00|>480 0%|>540 300.00",
			"340|330 Total without VAT|>540 300.00", "354|330 Total VAT|>540 0.00", "368|330 Total with VAT|>540 EUR 300.00",
			"390|50 " + words[2] + " (AE)|>300 0%|>400 300.00|>500 0.00",
			"430|50 " + words[0], "444|50 " + buyer, "458|50 " + words[1] + ": " + id,
			fmt.Sprintf("520|320 %s: %s", words[1], other),
		}
		read := readPage(t, rows)
		if f := read.Fields["/buyer/vatIdentifier"]; f == nil || f.Value != id {
			t.Fatalf("the VAT identifier of the buyer is %+v; %+v sells, %+v buys: %q", f, read.Fields["/seller/name"], read.Fields["/buyer/name"], rows)
		}
		if f := read.Fields["/seller/vatIdentifier"]; f != nil && f.Value != other {
			t.Errorf("the VAT identifier of the seller is %+v: %q", f, rows)
		}
		if f := read.Fields["/lines/0/vat/categoryCode"]; f == nil || f.Value != "AE" {
			t.Errorf("the category of the line is %+v: %q", f, rows)
		}
	}
}

// A buyer whose label is below the lines, without the address, has that above which the name stands alone; in a letter within a
// country, which names none, it is the seller's country.
func TestBuyerLabelledBelowLines(t *testing.T) {
	for _, label := range []string{"Käufer", "Kunde"} {
		read := readPage(t, []string{
			"60|50 Morel Technik GmbH", "120|50 Morel Technik GmbH · Weg 1 · 89073 Ulm", "140|50 Stadtwerke Ulm", "154|50 Markt 1", "168|50 89070 Ulm",
			"140|354 Rechnungsnummer|440 2026-17", "154|354 Rechnungsdatum|440 20.11.2026",
			"300|50 Bezeichnung|>330 Menge|>420 Einzelpreis|>540 Gesamt", "314|50 Wartung|>330 2|>420 150,00|>540 300,00",
			"340|330 Nettobetrag|>540 300,00", "354|330 USt. 19 %|>540 57,00", "368|330 Rechnungsbetrag EUR|>540 357,00",
			"430|50 " + label, "444|50 Stadtwerke Ulm", "458|50 Ansprechpartner: Frau Sommer",
			"760|50 Morel Technik GmbH", "774|50 Weg 1", "788|50 89073 Ulm", "760|310 USt-IdNr.: DE123456789",
		})
		for pointer, want := range map[string]string{"/buyer/name": "Stadtwerke Ulm", "/buyer/postalAddress/postCode": "89070", "/buyer/postalAddress/countryCode": "DE", "/seller/name": "Morel Technik GmbH"} {
			if got := valueOf(read, pointer); got != want {
				t.Errorf("%s: %s is %q, want %q", label, pointer, got, want)
			}
		}
	}
}
