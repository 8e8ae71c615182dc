package parse_test

import (
	"math/rand/v2"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/sampled"
)

// What the cells of a table call the day or the number of an invoice is no title, and an account is none either.
func TestLabelIsNoTitle(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 5))
	for range sampled.Of(60, 4) {
		title := anyOf(r, "Díjbekérő", "Folyószámla-egyenleg", "Egyenlegközlő", "Szállítólevél", "Összesítő", "Kimutatás")
		read, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet("40|50 Duna Asztalos Kft.|330 Tiszai Malom Zrt.", "52|50 Fő utca 14.|330 Petőfi út 88.", "64|50 1054 Budapest|330 6720 Szeged", "120|50 "+title,
			"150|50 Számlaszám|160 Számla kelte|270 Fizetési határidő", "164|50 INV-2611|160 2026. 02. 08.|270 2026. 02. 18.",
			"200|50 Megnevezés|>330 Mennyiség|>420 Egységár|>540 Nettó érték", "214|50 Tölgyfa asztal|>330 2|>420 15 000,00|>540 30 000,00",
			"260|330 Nettó összesen|>540 30 000,00", "274|330 ÁFA 27 %|>540 8 100,00", "288|330 Bruttó összesen HUF|>540 38 100,00")}, parse.Limits{})
		if err == nil && read.Kind.Confidence > 0.74 {
			t.Errorf("%s is an invoice with %.2f by %q", title, read.Kind.Confidence, read.Kind.Says)
		}
	}
}
