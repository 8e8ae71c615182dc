package parties_test

import (
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/lines"
	"einvoice/formats/parse/parties"
	"einvoice/formats/parse/ranker"
	"einvoice/formats/pdf/text"
)

// Parties are found by labels, by forms, and by the sender's line above an address.
func TestParties(t *testing.T) {
	for name, rows := range map[string][]string{
		"labels": {"60|50 Verkäufer:|300 Käufer:", "74|50 Hafen GmbH|300 Eiche AG", "88|50 Kai 4|300 Markt 7", "102|50 20095 Hamburg|300 10115 Berlin", "130|300 USt-IdNr.: DE123456788"},
		"a form": {"60|50 Verkäufer", "74|50 Name:|120 Hafen GmbH", "88|50 Anschrift:|120 Kai 4", "102|120 20095 Hamburg", "140|50 Käufer", "154|50 Name:|120 Eiche AG", "168|50 Anschrift:|120 Markt 7", "182|120 10115 Berlin"},
		"forms side by side, whose rows are not on one line": {
			"60|50 Käufer|300 Verkäufer", "74|50 Nummer:|120 4711|300 Name:|370 Hafen GmbH", "88|50 Name:|120 Eiche AG|300 Anschrift:|370 Kai 4",
			"98|370 20095 Hamburg", "102|50 Anschrift:|120 Markt 7", "112|300 Telefon:|370 040 4711", "116|120 10115 Berlin",
		},
		"a form whose names go on in the next row": {
			"60|50 Verkäufer", "74|50 Name:|120 Hafen", "88|120 GmbH", "102|50 Anschrift:|120 Kai 4", "116|120 20095 Hamburg",
			"150|50 Käufer", "164|50 Name:|120 Eiche", "178|120 AG", "192|50 Anschrift:|120 Markt 7", "206|120 10115 Berlin",
		},
		"a letter": {"120|50 Hafen GmbH · Kai 4 · 20095 Hamburg", "150|50 Eiche AG", "164|50 Markt 7", "178|50 10115 Berlin"},
	} {
		p := candidate.Of([]text.Sheet{drawn.Sheet(rows...)})
		table := lines.Read(p, 10, false)
		found := parties.Read(p, header.Read(p, header.ReadTitle(p.Layout), table), table.IsLine, ranker.Trained().Rank(p), false)
		for role, want := range map[string][2]string{"seller": {"Hafen GmbH", "Hamburg"}, "buyer": {"Eiche AG", "Berlin"}} {
			got := found.ByRole[role]
			if got == nil || got.Name.Value != want[0] || got.Address.City.Value != want[1] {
				t.Errorf("%s: the %s is %+v, want %v", name, role, got, want)
			}
		}
	}
}
