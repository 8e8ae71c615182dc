package problem

import "testing"

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"the document has no number":  "The document has no number.",
		"what is this?":               "What is this?",
		"cii has no place for it":     "cii has no place for it.",
		"zugferd writes a PDF.":       "zugferd writes a PDF.",
		"btCodes is no list":          "btCodes is no list.",
		"lines[2].number is empty":    "lines[2].number is empty.",
		"invoice.xml is not there":    "invoice.xml is not there.",
		"übrig bleibt nichts":         "Übrig bleibt nichts.",
		"pre-tax amounts are missing": "Pre-tax amounts are missing.",
		"no, that is wrong":           "No, that is wrong.",
		"XML is missing":              "XML is missing.",
		"l’adresse manque":            "L’adresse manque.",
		"":                            "",
	} {
		if got := Sentence(text); got != want {
			t.Errorf("Sentence(%q) is %q, not %q", text, got, want)
		}
	}
}
