package parse_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// hyphens are those inside of words.
var hyphens = regexp.MustCompile(`(\pL|\d)-(\pL|\d)`)

// inColumn are the rows of a text in a column that holds so many characters: as browsers break it, at spaces and hyphens.
func inColumn(text string, most int) (rows []string) {
	row := ""
	for _, word := range strings.Fields(hyphens.ReplaceAllString(text, "$1- $2")) {
		sign := " "
		if row == "" || strings.HasSuffix(row, "-") && !strings.HasSuffix(row, " -") {
			sign = ""
		}
		if row != "" && len([]rune(row+sign+word)) > most {
			rows, row, sign = append(rows, row), "", ""
		}
		row += sign + word
	}
	return append(rows, row)
}

// A value that a narrow column breaks is read whole, or is not sure.
func TestNarrowColumn(t *testing.T) {
	const sure = 0.9
	r := rand.New(rand.NewPCG(23, 1))
	for range sampled.Of(300, 4) {
		street := anyOf(r, "Straße des 17. Juni 135", "128 avenue du Général Leclerc", "14 bis, rue des Tanneurs", "Piazza San Babila 4/A", "Korte Prinsengracht 14-II", "Rua das Flores, 21 - 3.º Esq.",
			"os. Piastów 7 m. 12", "Zone artisanale des Prés Hauts", "Nørregade 7, 2. tv.", "Polígono Industrial Norte, nave 7", "An der Kleinen Wiese 3", "Calle Mayor, 15, 2º B")
		code, city, _ := strings.Cut(anyOf(r,
			"79098|Freiburg im Breisgau", "06108|Halle (Saale)", "5611 AB|Eindhoven", "2563 AV|Den Haag", "13100|Aix-en-Provence", "76600|Le Havre", "D02 XE80|Dublin 2"), "|")
		name := anyOf(r, "Kessler GmbH", "Morel SARL", "Reed Ltd")
		most := 10 + r.IntN(14)
		rows := []string{"40|50 Almada Obras, Lda.", "52|50 Rua do Carmo 41", "64|50 1250-096 Lisboa", "90|50 Bill to:", "102|50 " + name}
		y := 114
		for _, row := range slices.Concat(inColumn(street, most), inColumn(code+" "+city, most)) {
			rows, y = append(rows, rowAt(y, row)), y+12
		}
		rows = append(rows, "300|50 Invoice", "314|50 Invoice number: INV-2611", "328|50 Invoice date: 20/11/2026", "342|50 Due date: 20/12/2026",
			"400|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "414|50 Advice|>330 2|>420 150.00|>540 300.00", "440|330 Net total|>540 300.00", "454|330 VAT 20 %|>540 60.00", "468|330 Total EUR|>540 360.00")
		read := readPage(t, rows)
		for pointer, want := range map[string]string{"line1": street, "city": city, "postCode": code} {
			if f := read.Fields["/buyer/postalAddress/"+pointer]; f != nil && f.Confidence >= sure && f.Value != want {
				t.Errorf("%s is %q with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
	}
}

// rowAt is a row of a page at a height.
func rowAt(y int, text string) string { return strconv.Itoa(y) + "|50 " + text }

// Labels and values in narrow columns belong to each other, and no day is made of the parts of several.
func TestNarrowHeads(t *testing.T) {
	const sure = 0.9
	r := rand.New(rand.NewPCG(23, 2))
	for range sampled.Of(300, 4) {
		labels := map[string]string{"number": anyOf(r, "Facture n°", "N° de facture"), "issueDate": "Date de facturation", "paymentDueDate": anyOf(r, "Date d'échéance", "Date de paiement"), "delivery": "Date de livraison"}
		day := func() string { return fmt.Sprintf("%02d. %02d. 2026", 1+r.IntN(28), 1+r.IntN(12)) }
		values := map[string]string{"number": anyOf(r, "INV-06269-A", "RE06014/2026"), "issueDate": day(), "paymentDueDate": day(), "delivery": day()}
		order := []string{"number", "issueDate", "paymentDueDate", "delivery"}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		heads, below := make([]string, 4), make([]string, 4)
		for i, field := range order {
			x := 50 + 110*i
			for n, row := range inColumn(labels[field], 8+r.IntN(12)) {
				heads[min(n, 3)] += fmt.Sprintf("|%d %s", x, row)
			}
			for n, row := range inColumn(values[field], 7+r.IntN(8)) {
				below[min(n, 3)] += fmt.Sprintf("|%d %s", x, row)
			}
		}
		rows := []string{"40|50 Morel SARL", "52|50 4 rue Haute", "64|50 69002 Lyon", "90|50 Facturé à", "102|50 Oak Street Bakery Ltd", "114|50 7 High Street", "126|50 33000 Bordeaux", "160|50 Facture"}
		y := 200
		for _, row := range slices.Concat(heads, below) {
			if row != "" {
				rows, y = append(rows, strconv.Itoa(y)+row), y+12
			}
		}
		rows = append(rows, "400|50 Désignation|>330 Quantité|>420 P.U. HT|>540 Montant HT", "414|50 Conseil|>330 2|>420 150,00|>540 300,00", "440|330 Total HT|>540 300,00", "454|330 TVA 20 %|>540 60,00", "468|330 Total TTC EUR|>540 360,00")
		read := readPage(t, rows)
		iso := func(s string) string { return s[8:] + "-" + s[4:6] + "-" + s[:2] }
		for pointer, want := range map[string]string{"/number": values["number"], "/issueDate": iso(values["issueDate"]), "/paymentDueDate": iso(values["paymentDueDate"])} {
			if f := read.Fields[pointer]; f != nil && f.Confidence >= sure && f.Value != want {
				t.Errorf("%s is %q and not %q with %.2f: %q", pointer, f.Value, want, f.Confidence, rows)
			}
		}
	}
}

// A party in one line behind its label is read whole where a narrow column breaks it, or is not sure.
func TestNarrowLine(t *testing.T) {
	const sure = 0.9
	r := rand.New(rand.NewPCG(23, 8))
	for range sampled.Of(200, 4) {
		name := anyOf(r, "Wattwerk Energietechnik GmbH", "Elektromontaż Bielsko Sp. z o.o.", "Rosenquist Metallbau GmbH & Co. KG", "Les Vergers du Puy SARL")
		street := anyOf(r, "Am Ring 3", "ul. 3 Maja 40", "An der Kleinen Wiese 3", "4 rue Haute")
		rows := []string{"40|50 Almada Obras, Lda.", "52|50 Rua do Carmo 41", "64|50 1250-096 Lisboa"}
		y := 90
		for _, row := range inColumn("Bill to: "+name+", "+street+", 79098 Freiburg", 18+r.IntN(30)) {
			rows, y = append(rows, rowAt(y, row)), y+12
		}
		rows = append(rows, "300|50 Invoice", "314|50 Invoice number: INV-2611", "328|50 Invoice date: 20/11/2026", "342|50 Due date: 20/12/2026",
			"400|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "414|50 Advice|>330 2|>420 150.00|>540 300.00", "440|330 Net total|>540 300.00", "454|330 VAT 20 %|>540 60.00", "468|330 Total EUR|>540 360.00")
		read := readPage(t, rows)
		for pointer, want := range map[string]string{"/buyer/name": name, "/buyer/postalAddress/line1": street, "/buyer/postalAddress/city": "Freiburg"} {
			if f := read.Fields[pointer]; f != nil && f.Confidence > sure && f.Value != want {
				t.Errorf("%s is %q with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
	}
}

// What stands before the street of a letterhead may be a part of the address: the street alone is not sure.
func TestBuildingBeforeStreet(t *testing.T) {
	const sure = 0.9
	r := rand.New(rand.NewPCG(23, 9))
	for range sampled.Of(100, 4) {
		p := plainPage(r)
		p.seller = anyOf(r, "Morel SARL", "Kessler GmbH", "Reed Ltd")
		building, street := anyOf(r, "Unit 4", "The Old Mill", "Haus Birke", "Bâtiment C"), anyOf(r, "Bridge Street", "Ballymount Road 7", "Gartenweg 3")
		sign := anyOf(r, ", ", " · ")
		rows := p.rows()
		rows[1], rows[2] = "52|50 "+building+sign+street+sign+"10115 Berlin", "64|50 VAT ID: DE136695976"
		read := readPage(t, rows)
		line1, line2 := read.Fields["/seller/postalAddress/line1"], valueOf(read, "/seller/postalAddress/line2")
		if line1 != nil && line1.Confidence >= sure && line2 == "" && line1.Value != building+sign+street {
			t.Errorf("%q: the street is %q with %.2f", rows[1], line1.Value, line1.Confidence)
		}
	}
}
