package ocr

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"
)

// read is a word of a reading, 10 pixels high at a place.
func read(s string, left, right, top, confidence float64) inkWord {
	return inkWord{text: s, left: left, right: right, top: top, bottom: top + 10, confidence: confidence, line: "l", row: "l"}
}

func texts(ink []inkWord) string {
	var all []string
	for _, w := range ink {
		all = append(all, w.text)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// What one of two readings has is added, and where they differ, the surer one counts.
func TestCombine(t *testing.T) {
	first := []inkWord{read("Menge", 0, 40, 0, 0.9), read("5,50", 100, 130, 20, 0.9), read("17,00", 200, 240, 20, 0.5), read("Käufer", 0, 40, 40, 0.8)}
	second := []inkWord{read("Menge", 0, 40, 0, 0.96), read("2", 60, 64, 20, 0.9), read("5,60", 100, 130, 20, 0.8), read("11,00", 200, 240, 20, 0.9), read("Kaufer", 0, 40, 40, 0.95), read("x", 300, 302, 60, 0.1)}
	got := combine(slices.Clone(first), second, true)
	if want := "11,00 2 5,50 Käufer Menge"; texts(got) != want {
		t.Errorf("got %q, want %q", texts(got), want)
	}
	for _, w := range got {
		if other := map[string]string{"5,50": "5,60", "11,00": "17,00", "Käufer": "Kaufer"}[w.text]; w.other != other {
			t.Errorf("%s was also read as %q, want %q", w.text, w.other, other)
		}
		if w.text == "Menge" && w.confidence != 0.96 {
			t.Error("what both read is as sure as the surer one")
		}
	}
	// In the language of the page, a surer name counts.
	if got := combine(slices.Clone(first), second, false); !strings.Contains(texts(got), "Kaufer") {
		t.Errorf("got %q", texts(got))
	}
}

// Marks before numbers are a minus or dirt, and halves of an amount that overlap are one.
func TestNumbers(t *testing.T) {
	got := clean([]inkWord{read("=2,82", 0, 30, 0, 0.9), read(`"233,47`, 50, 90, 0, 0.9), read("=2", 100, 110, 0, 0.9), read("-233,4", 200, 240, 0, 0.9), read(",47", 228, 250, 0, 0.9), read("*A-17", 300, 330, 0, 0.9)})
	if want := "*A-17 -2 -2,82 -233,47 233,47"; texts(got) != want {
		t.Errorf("got %q, want %q", texts(got), want)
	}
	for _, w := range got {
		if w.text != "*A-17" && w.confidence > exchanged {
			t.Errorf("%s is as sure as before", w.text)
		}
	}
}

// The cells of a table are lines of their own, which are too short to tell how far a page
// is askew; where their base lines meet does.
func TestStraightenCells(t *testing.T) {
	var ink []inkWord
	for i := range 9 {
		for n := range 4 {
			x, y := 300+500*float64(n), 400+170*float64(i)
			base := y + 0.02*(x-1240)
			ink = append(ink, inkWord{text: "19,00", left: x - 50, right: x + 50, top: base - 36, bottom: base + 6, confidence: 0.9, line: string(rune('a' + 4*i + n))})
		}
	}
	words := wordsOf(ink, image.Rect(0, 0, 2480, 3508), 300)
	for i := range words {
		if first := words[i/4*4].Box.Bottom; math.Abs(first-words[i].Box.Bottom) > 0.6 {
			t.Errorf("word %d is at %.1f, the first of its row at %.1f", i, words[i].Box.Bottom, first)
		}
	}
}

// A word with a speck in its box is on the base line of its row anyway, in letters of
// its own line's size.
func TestPlaced(t *testing.T) {
	word := func(s, line string, left, top, bottom float64) inkWord {
		return inkWord{text: s, left: left, right: left + 60, top: top, bottom: bottom, confidence: 0.9, line: line, row: "r"}
	}
	words := placed([]inkWord{
		word("Net", "a", 0, 100, 136), word("total", "a", 70, 100, 136), word("of", "a", 140, 100, 136), word("all", "a", 210, 100, 136),
		word("120.00", "b", 400, 100, 136), word("EUR", "b", 470, 80, 146),
	})
	for _, w := range words {
		if math.Abs(w.base-136) > 4 || w.size < 45 || w.size > 60 {
			t.Errorf("%s has the base line %.0f and the size %.0f", w.text, w.base, w.size)
		}
	}
}

// The language of a page is that of its frequent words, if they tell.
func TestLanguage(t *testing.T) {
	if len(frequent()) < 100 {
		t.Errorf("%d frequent words", len(frequent()))
	}
	languages := []string{"eng", "deu", "fra"}
	for page, want := range map[string]string{
		"Rechnung Nr. 17 vom 1. Mai, zahlbar bis zum 15. Mai. Menge Betrag Netto Wir danken für die Bestellung": "deu",
		"Facture n° 17, TVA 20 %, Total HT, Total TTC, Montant, conditions de paiement":                         "fra",
		"Invoice for the work by our team. Please pay the amount due with the invoice number.":                  "eng",
		"17 18 19": "eng+deu+fra",
		"Rechnung / Invoice Betrag / amount Menge / quantity": "eng+deu+fra",
	} {
		var ink []inkWord
		for _, w := range strings.Fields(page) {
			ink = append(ink, read(w, 0, 10, 0, 0.9))
		}
		if got := languageOf(ink, languages); got != want {
			t.Errorf("%q is in %s, want %s", page, got, want)
		}
	}
}
