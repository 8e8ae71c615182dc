package parse_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// A comma parts no number of a house or a floor from its street.
func TestStreetWithCommas(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 5))
	for range sampled.Of(60, 4) {
		street := anyOf(r, "Viale dei Tigli, 8", "Rua do Carmo, 41", "Avda. de la Paz, 33, 2.º B", "Polígono Sur, nave 4", "Strandvej 7, 2. tv.", "Calle Luna, n.º 12", "4 rue du Bac")
		sign := anyOf(r, " · ", ", ", " - ")
		seller := anyOf(r, "Bellini S.r.l.", "Almeida, Lda.", "Ortega S.L.")
		rows := []string{
			"120|50 " + seller + sign + street + sign + "41004 Verona", "134|50 Oak Street Bakery Ltd", "146|50 7 High Street", "158|50 33000 Bordeaux",
			"190|50 Invoice", "204|50 Invoice number: INV-2611", "218|50 Invoice date: 20/11/2026",
			"240|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "254|50 Advice|>330 2|>420 150.00|>540 300.00",
			"280|330 Net total|>540 300.00", "294|330 VAT 20 %|>540 60.00", "308|330 Total EUR|>540 360.00", "760|50 " + seller + "|330 IBAN: DE02120300000000202051",
		}
		if got := valueOf(readPage(t, rows), "/seller/postalAddress/line1"); got != street {
			t.Errorf("%s: the street is %q", rows[0], got)
		}
	}
}

// A legal form before & is a part of the name.
func TestFormBeforeAnd(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 7))
	for range sampled.Of(40, 4) {
		p := plainPage(r)
		p.seller = anyOf(r, "Handelsbolaget ", "Advokaterna ", "Reederei ") + anyOf(r, "Ek", "Ag", "Sa", "As", "Oy") + anyOf(r, " & ", " + ") + anyOf(r, "Alm", "Berg", "Lind")
		rows := append([]string{"28|330 " + p.seller}, p.rows("760|50 "+p.seller+" VAT DE136695976 IBAN: DE02120300000000202051")...)
		rows[1] = "40|50 " + p.seller + " · " + p.street + " · " + p.city
		rows = slices.Delete(rows, 2, 4)
		if got := valueOf(readPage(t, rows), "/seller/name"); got != p.seller {
			t.Errorf("%s: the seller is %q", p.seller, got)
		}
	}
}

// Beside a labelled seller, the only other party is the buyer, also where its label says that the goods go to it; who has
// the label of the seller is not the buyer.
func TestRecipientBuys(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 8))
	for range sampled.Of(40, 4) {
		seller := anyOf(r, "Usługi Transportowe Jan Nowak", "Budmax Sp. z o.o.", "Piekarnia Kowalczyk")
		buyer := anyOf(r, "Gmina Brzeg", "Kovo Sp. z o.o.", "Studio Alfa")
		label := anyOf(r, "Odbiorca", "Odbiorca:")
		rows := []string{
			"40|50 Faktura", "60|50 Sprzedawca|330 " + label, "72|50 " + seller + "|330 " + buyer, "84|50 ul. Lipowa 7|330 al. Wolności 12", "96|50 90-849 Gdynia|330 24-364 Brzeg",
			"120|50 Nr faktury FV 810/11/2026", "134|50 Data faktury 28.11.2026", "170|50 Nazwa|>330 Ilość|>420 Cena netto|>540 Wartość", "184|50 Doradztwo|>330 2|>420 150,00|>540 300,00",
			"210|330 Razem netto|>540 300,00", "224|330 VAT 23%|>540 69,00", "238|330 Razem brutto PLN|>540 369,00", "760|50 " + seller + "|330 NIP PL8943456815", "772|50 ul. Lipowa 7", "784|50 90-849 Gdynia",
		}
		read := readPage(t, rows)
		if got, also := valueOf(read, "/seller/name"), valueOf(read, "/buyer/name"); got != seller || also != buyer || valueOf(read, "/buyer/postalAddress/postCode") != "24-364" {
			t.Errorf("%s sells to %s: %q to %q in %s", seller, buyer, got, also, valueOf(read, "/buyer/postalAddress/postCode"))
		}
	}
}

// A value that ends with a hyphen goes on in another row, and is not sure.
func TestBrokenAtHyphen(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 10))
	for range sampled.Of(40, 4) {
		p := plainPage(r)
		p.number, p.city = anyOf(r, "2026-", "INV-", "R26-11-"), anyOf(r, "49-862 Bielsko-", "10115 Berlin-", "69002 Lyon-")
		read := readPage(t, slices.Insert(p.rows(), 3, "76|50 Biała"))
		for pointer, f := range read.Fields {
			if strings.HasSuffix(f.Value, "-") && f.Confidence >= 0.7 {
				t.Errorf("%s is %s with %.2f", pointer, f.Value, f.Confidence)
			}
		}
	}
}
