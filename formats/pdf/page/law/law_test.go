package law

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
)

// Every statement has a sentence in the language of its law, a clause and a place to read it.
func TestStatementsAreWhole(t *testing.T) {
	for _, want := range []string{"DE", "AT", "FR", "IT", "ES", "NL", "BE", "PL", "GB"} {
		c := Of(want)
		if c == nil || len(c.Statements) == 0 {
			t.Errorf("%s has no statement", want)
			continue
		}
		for _, s := range c.Statements {
			if s.Say[c.Language] == "" || s.Clause == "" || !strings.HasPrefix(s.Source, "https://") || (s.Category == "") == (len(s.Codes) == 0) {
				t.Errorf("%s: %+v is not whole", want, s)
			}
		}
		for _, r := range c.Required {
			if r.ID == "" || r.Say["en"] == "" || r.Say["de"] == "" || r.Say["fr"] == "" || r.Clause == "" || !strings.HasPrefix(r.Source, "https://") || len(r.Fields) == 0 && r.Text == "" {
				t.Errorf("%s: %+v is not whole", want, r)
			}
			for _, path := range r.Fields {
				if !known(model.InvoiceType(), strings.Split(path, ".")) {
					t.Errorf("%s, %s: there is no field %s", want, r.ID, path)
				}
			}
		}
	}
	if Of("XX").Lacks(&model.Invoice{}, "en", false) != nil {
		t.Error("a country without a file has a law")
	}
}

func known(in *model.Type, path []string) bool {
	f, found := in.Field(path[0])
	return found && (len(path) == 1 || f.Elem != nil && known(f.Elem, path[1:]))
}

// What is required is lacking until a field or a text gives it.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		country, invoice string
		credit           bool
		want             string
	}{
		{"DE", `{}`, false, "DE-DATE-OF-SUPPLY DE-TAX-NUMBER"},
		{"DE", `{}`, true, "DE-TAX-NUMBER"},
		{"DE", `{"seller": {"vatIdentifier": "DE1"}, "lines": [{"period": {"endDate": "2026-11-30"}}]}`, false, ""},
		{"DE", `{"seller": {"taxRegistrationIdentifier": "1"}, "notes": [{"text": "Leistungsdatum entspricht Rechnungsdatum."}]}`, false, ""},
		{"DE", `{"seller": {"vatIdentifier": "DE1"}, "vatPointDate": "2026-11-21", "vatBreakdowns": [{"categoryCode": "K"}]}`, false, "DE-BUYER-VAT-K"},
		{"FR", `{"seller": {"vatIdentifier": "FR1"}, "vatPointDate": "2026-11-21"}`, false, ""},
		{"FR", `{"seller": {"vatIdentifier": "FR1"}, "vatPointDate": "2026-11-21", "buyer": {"vatIdentifier": "FR2"}}`, false, "FR-DISCOUNT FR-DUE-DATE FR-PENALTIES FR-RECOVERY-COSTS"},
		{"FR", `{"seller": {"vatIdentifier": "FR1"}, "vatPointDate": "2026-11-21", "buyer": {"vatIdentifier": "FR2"}, "paymentDueDate": "2026-12-21",
			"paymentTerms": "Pas d'escompte. Pénalités de retard : 12 %. Indemnité forfaitaire pour frais de recouvrement : 40 €."}`, false, ""},
		{"GB", `{}`, true, "GB-VAT-NUMBER"},
	} {
		inv := &model.Invoice{}
		if err := json.Unmarshal([]byte(c.invoice), inv); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range Of(c.country).Lacks(inv, "it", c.credit) {
			got = append(got, l.ID)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.country, c.invoice, got, c.want)
		}
	}
}
