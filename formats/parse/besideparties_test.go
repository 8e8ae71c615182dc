package parse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// Of two addresses beside each other without a label, nothing says who sells.
func TestEitherSells(t *testing.T) {
	const sure = 0.9
	r := rand.New(rand.NewPCG(23, 3))
	for range sampled.Of(100, 4) {
		left := []string{"Morel SARL", "4 rue Haute", "69002 Lyon", "N° TVA: FR40303265045"}
		right := []string{anyOf(r, "Dupuis SAS", "Lacroix SA"), "9 quai Bas", "33000 Bordeaux", "N° TVA: FR23334175221"}
		if r.IntN(2) == 0 {
			left, right = right, left
		}
		rows := []string{}
		for i := range left {
			rows = append(rows, fmt.Sprintf("%d|50 %s|330 %s", 40+12*i, left[i], right[i]))
		}
		rows = append(rows, "160|50 Facture", "180|50 Facture n°: F-2611", "194|50 Date de facturation: 20/11/2026", "400|50 Désignation|>330 Quantité|>420 P.U. HT|>540 Montant HT",
			"414|50 Conseil|>330 2|>420 150,00|>540 300,00", "440|330 Total HT|>540 300,00", "454|330 TVA 20 %|>540 60,00", "468|330 Total TTC EUR|>540 360,00")
		read := readPage(t, rows)
		for pointer, f := range read.Fields {
			if (strings.HasSuffix(pointer, "er/name") || strings.HasPrefix(pointer, "/seller/postal") || strings.HasSuffix(pointer, "vatIdentifier")) && f.Confidence >= sure {
				t.Errorf("%s is %q with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
	}
}
