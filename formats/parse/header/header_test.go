package header_test

import (
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/lines"
	"einvoice/formats/pdf/text"
)

// A value is beside its label or below it, and belongs to one label.
func TestValuesOfLabels(t *testing.T) {
	for name, c := range map[string]struct {
		rows  []string
		title string
		want  map[string]string
	}{
		"beside, and above": {
			[]string{"60|50 Rechnung", "90|50 Rechnungsnummer: R-17|300 Bestellnummer|400 Liefertermin", "104|50 Rechnungsdatum: 20.11.2026|300 PO-4|400 18.11.2026"},
			"380", map[string]string{"number": "R-17", "issueDate": "2026-11-20", "order": "PO-4"},
		},
		"the title of another document": {[]string{"60|50 Mahnung", "90|50 Rechnungsnummer: R-17"}, "", map[string]string{"number": "R-17"}},
		"below the title":               {[]string{"60|50 Gutschrift", "74|50 G-17", "120|50 20.11.2026"}, "381", map[string]string{"number": "G-17", "issueDate": "2026-11-20"}},
	} {
		p := candidate.Of([]text.Sheet{drawn.Sheet(c.rows...)})
		title := header.ReadTitle(p.Layout)
		if !title.Found || title.Code != c.title {
			t.Errorf("%s: the title is %+v, want %s", name, title, c.title)
		}
		head := header.Read(p, title, lines.Read(p, 10, false))
		for field, want := range c.want {
			if got := head.Claims[field].Value; got != want {
				t.Errorf("%s: %s is %q, want %q", name, field, got, want)
			}
		}
	}
}

// A tax number that is the VAT identifier is left out, and the head that was read stays.
func TestWithoutVatID(t *testing.T) {
	head := &header.Head{Claims: map[string]header.Claim{"taxNumber": {Value: "DE1"}, "number": {Value: "R-17"}}}
	if other := head.WithoutVatID("DE2"); len(other.Claims) != 2 {
		t.Errorf("another identifier leaves %v", other.Claims)
	}
	if without := head.WithoutVatID("DE1"); len(without.Claims) != 1 || len(head.Claims) != 2 {
		t.Errorf("the head is %v, and was %v", without.Claims, head.Claims)
	}
}
