package create_test

import (
	"bytes"
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/internal/kittest"
	"einvoice/service/report"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/verdict"
	"einvoice/service/write"
)

const (
	peppol        = "peppol-bis-billing-3"
	peppolID      = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
	peppolProcess = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
)

// inPeppol changes the smallest invoice into one that the Peppol network takes: both
// parties have addresses there.
func inPeppol(changes map[string]any) map[string]any {
	all := map[string]any{
		"options.profile": peppol, "invoice.typeCode": "380",
		"invoice.seller.electronicAddress": map[string]any{"identifier": "DE123456789", "schemeId": "9930"},
		"invoice.buyer.electronicAddress":  map[string]any{"identifier": "04011000-12345-03", "schemeId": "0204"},
	}
	for path, value := range changes {
		all[path] = value
	}
	return all
}

// A document of the Peppol profile says so, and is valid for whoever receives it.
func TestCreatePeppol(t *testing.T) {
	for _, format := range []string{"ubl", "cii"} {
		made, err := makeOne(t, format, inPeppol(nil))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		result, err := kittest.Kit(t).Validate(context.Background(), made.Data, validate.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		inv, r := result.Document.Invoice, result.Report
		if inv.SpecificationID.Raw != peppolID || inv.BusinessProcessType.Raw != peppolProcess {
			t.Errorf("%s: BT-24 %q, BT-23 %q", format, inv.SpecificationID.Raw, inv.BusinessProcessType.Raw)
		}
		if !r.Valid || r.Profile != "Peppol BIS Billing 3" || r.Standard != "peppol" || !ran(r, "peppol") || len(r.Findings) > 0 {
			t.Errorf("%s: %s (%s), valid %v: %v", format, r.Profile, r.Standard, r.Valid, r.Findings)
		}
	}
}

func ran(r *engine.Report, ruleset string) bool {
	return slices.ContainsFunc(r.Rulesets, func(s engine.RulesetInfo) bool { return s.Name == ruleset })
}

// What violates Peppol's rules is not delivered, though EN 16931 accepts it.
func TestCreateRefusesWhatPeppolRefuses(t *testing.T) {
	for _, c := range []struct {
		rule    string
		syntax  string // "" for both
		changes map[string]any
		field   string
	}{
		{"PEPPOL-EN16931-R003", "", map[string]any{"invoice.buyerReference": nil}, "buyerReference"},
		{"PEPPOL-EN16931-R007", "", map[string]any{"invoice.businessProcessType": "urn:x"}, "businessProcessType"},
		{"PEPPOL-EN16931-R010", "", map[string]any{"invoice.buyer.electronicAddress": nil}, "buyer.electronicAddress"},
		{"PEPPOL-EN16931-CL008", "", map[string]any{"invoice.seller.electronicAddress": map[string]any{"identifier": "a@example.com", "schemeId": "EM"}}, "seller.electronicAddress.schemeId"},
		{"PEPPOL-COMMON-R040", "", map[string]any{"invoice.seller.identifiers": []any{map[string]any{"identifier": "4000001000006", "schemeId": "0088"}}}, "seller.identifiers[0].identifier"},
		{"PEPPOL-EN16931-R120", "", map[string]any{"invoice.lines": []any{map[string]any{
			"invoicedQuantity": 3, "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": "95.00"}, "netAmount": "300.00",
			"vat": map[string]any{"categoryCode": "S", "rate": 19}, "item": map[string]any{"name": "Beratung"},
		}}}, "lines[0].netAmount"},
		{"DE-R-005", "ubl", map[string]any{"invoice.seller.contact.name": nil}, "seller.contact"},
		{"NL-R-003", "", map[string]any{
			"invoice.seller.postalAddress.countryCode": "NL", "invoice.seller.postalAddress.line1": "Kade 1",
			"invoice.seller.legalRegistration": map[string]any{"identifier": "12345678"},
		}, "seller.legalRegistration"},
	} {
		for _, format := range []string{"ubl", "cii"} {
			if c.syntax != "" && c.syntax != format {
				continue
			}
			_, err := makeOne(t, format, inPeppol(c.changes))
			f := finding(t, err, c.rule)
			if f.Level != engine.Fatal || len(f.Fields) == 0 || !strings.HasPrefix(f.Fields[0], c.field) {
				t.Errorf("%s in %s: %s at %v, want fatal at %s", c.rule, format, f.Level, f.Fields, c.field)
			}
		}
	}
}

// A document of another profile becomes one of Peppol, if it follows Peppol's rules.
func TestTransformToPeppol(t *testing.T) {
	made, err := makeOne(t, "cii", map[string]any{"invoice.typeCode": "380"})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(made.Data, hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	ask := transform.Options{Options: write.Options{Profile: model.NewText(peppol)}}
	out, err := transform.Document(context.Background(), kittest.Kit(t).Pages, "ubl", doc, ask)
	if err != nil {
		t.Fatal(err)
	}
	if out.Report.Valid || !slices.ContainsFunc(out.Report.Findings, func(f engine.Finding) bool { return f.Rule == "PEPPOL-EN16931-CL008" }) {
		t.Errorf("an e-mail address is not an address in the network: %v", out.Report.Findings)
	}
	if text := string(out.Data); !strings.Contains(text, ">"+peppolID+"<") || !strings.Contains(text, ">"+peppolProcess+"<") {
		t.Error("BT-24 or BT-23 is not stamped")
	}
}

// declaring is the UBL base invoice with another specification identifier.
func declaring(t *testing.T, id string) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(data, []byte(">urn:cen.eu:en16931:2017<"), []byte(">"+id+"<"), 1)
}

// A profile whose rules are not in the program is recognised, and every report says that
// they were not checked, in a finding and in the verdict.
func TestRulesOfTheProfileAreMissing(t *testing.T) {
	s := kittest.Kit(t)
	for id, want := range map[string]struct{ profile, as string }{
		"urn:peppol:pint:billing-1@jp-1":                                                       {"Peppol PINT", "EN 16931"},
		"urn:cen.eu:en16931:2017#compliant#urn:efactura.mfinante.ro:CIUS-RO:1.0.1":             {"RO_CIUS", ""},
		"urn:cen.eu:en16931:2017#compliant#urn:fatturapa.gov.it:CIUS-IT:2.0.0":                 {"CIUS-IT", "EN 16931"},
		peppolID + "#conformant#urn:www.agid.gov.it:trns:fattura:3":                            {"an extension of Peppol BIS Billing 3", "Peppol BIS Billing 3"},
		"urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0":       {"Peppol BIS Self-Billing 3", ""},
		"urn:cen.eu:en16931:2017#compliant#urn:mfin.gov.rs:srbdt:2022#conformant#urn:mfin.gov": {"SRBDT", "EN 16931"},
	} {
		result, err := s.Validate(context.Background(), declaring(t, id), validate.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		r := result.Report
		if r.Profile != want.profile || r.ValidatedAs != want.as {
			t.Errorf("%s is %q, validated as %q; want %q and %q", id, r.Profile, r.ValidatedAs, want.profile, want.as)
		}
		i := slices.IndexFunc(r.Findings, func(f engine.Finding) bool { return f.Rule == "PROFILE-RULES-MISSING" })
		if (i >= 0) != (want.as != "") {
			t.Errorf("%s: PROFILE-RULES-MISSING is finding %d", id, i)
		}
		if i >= 0 && (r.Findings[i].Level != engine.Warning || r.Findings[i].Line == nil || !strings.Contains(r.Findings[i].Message, want.profile)) {
			t.Errorf("%s: %+v", id, r.Findings[i])
		}
	}
}

// Reports do not say that an invoice is valid in a profile whose rules were not checked.
func TestReportsOfMissingRules(t *testing.T) {
	s := kittest.Kit(t)
	result, err := s.Validate(context.Background(), declaring(t, "urn:cen.eu:en16931:2017#compliant#urn:fatturapa.gov.it:CIUS-IT:2.0.0"), validate.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if !result.Report.Valid {
		t.Fatal("the invoice should follow EN 16931")
	}
	if got, want := verdict.Sentence(result.Report, nil), "The invoice is valid against EN 16931 in UBL, with 1 warning. The rules of CIUS-IT are not part of this program and were not checked."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for format, want := range map[string][]string{
		"text": {"✓ VALID against EN 16931  a.xml", "The rules of CIUS-IT are not part of this program"},
		"html": {"<h1>✓ The invoice is valid against EN 16931</h1>", "The rules of CIUS-IT are not part of this program"},
		"json": {`"profile": "CIUS-IT"`, `"validatedAs": "EN 16931"`},
	} {
		body, err := report.Named(format).Single(&report.Outcome{Name: "a.xml", Report: result.Report, Document: result.Document}, report.Options{Library: s.Library()})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(string(body), text) {
				t.Errorf("the report as %s does not say %q", format, text)
			}
		}
	}
}
