package parties

import "testing"

// Terms of payment and other sentences are no names; names may end with an abbreviation or a legal form.
func TestSentencesAreNoNames(t *testing.T) {
	for text, want := range map[string]bool{
		"Zahlbar innerhalb 14 Tagen ohne Abzug.": false, "Please pay within thirty days of receipt.": false,
		"Rossi e Figli S.p.A.": true, "Old Mill Bakery and Sons Limited.": true, "Gebrüder Huber und Söhne Nachf.": true, "Blumen Arndt.": true, "Van den Berg B.V.": true,
	} {
		if isName(text) != want {
			t.Errorf("isName(%q) is %t", text, !want)
		}
	}
}
