package text

import "testing"

// Raised letters and digits stay as they are printed; the rest is composed.
func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		"2.º": "2.º", "1.ª": "1.ª", "m²": "m²", "m³": "m³", "ﬁn": "fin", "ﬁ2º": "fi2º", "ＡＢ": "AB", "e\u0301": "é", "№": "No", "": "",
	} {
		if got := normal(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
