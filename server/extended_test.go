package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
)

// extendedRequest asks for an invoice of Factur-X EXTENDED with sub lines, a charge for
// freight, two discounts on a price, and an invoicee.
func extendedRequest(t *testing.T) string {
	t.Helper()
	return smallest(t,
		`{"invoice"`, `{"options": {"profile": "extended"}, "invoice"`,
		`"number"`, `"typeCode": "380", "testIndicator": true, "invoicee": {"name": "Third party", "postalAddress": {"countryCode": "FR"}},
			"logisticsServiceCharges": [{"description": "Freight", "amount": 15, "vat": {"categoryCode": "S", "rate": 19}}], "number"`,
		`"lines": [`, `"lines": [{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "item": {"name": "Set"}, "vat": {"categoryCode": "S", "rate": 19},
			"price": {"grossPrice": 100, "discount": 10, "details": {"furtherAdjustments": [{"chargeIndicator": false, "amount": 5, "reason": "Loyalty"}]}},
			"subLines": [{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "item": {"name": "Part"}, "vat": {"categoryCode": "S", "rate": 19}, "price": {"netPrice": 85}}]}, `)
}

// What is asked for in EXTENDED is in the PDF, and comes out of it again.
func TestCreateExtended(t *testing.T) {
	s := shared()
	a := s.create(t, "facturx", extendedRequest(t))
	a.wants(t, http.StatusOK, "")
	if a.Header.Get("Invoice-Losses") != "0" || a.Header.Get("Invoice-Profile") != "facturx-extended" {
		t.Errorf("%s losses, profile %s", a.Header.Get("Invoice-Losses"), a.Header.Get("Invoice-Profile"))
	}
	x := s.send(t, extractJSON, pdfType, string(a.body))
	x.wants(t, http.StatusOK, "")
	if x.Header.Get("Invoice-Losses") != "0" {
		t.Errorf("extracted with %s losses", x.Header.Get("Invoice-Losses"))
	}
	var inv model.Invoice
	x.decode(t, &inv)
	part := slices.IndexFunc(inv.Lines, func(l model.Line) bool { return l.Item.Name.Raw == "Part" })
	if part < 1 || inv.Lines[part].ParentLineIdentifier.Raw != inv.Lines[part-1].Identifier.Raw || inv.Lines[part].StatusReasonCode.Raw != model.LineInformation {
		t.Fatalf("the sub line is not below its line: %s", x.body)
	}
	if set := inv.Lines[part-1]; set.Price.NetPrice.Raw != "85" || len(set.Price.Details.FurtherAdjustments) != 1 {
		t.Errorf("the price is %+v", set.Price)
	}
	if len(inv.LogisticsServiceCharges) != 1 || inv.Totals.SumOfCharges.Raw != "15.00" || inv.Invoicee == nil || inv.TestIndicator.Raw != "true" {
		t.Errorf("got %s", x.body)
	}
	s.send(t, "/v1/transform/to/facturx?profile=extended&strict=true", pdfType, string(a.body)).wants(t, http.StatusOK, "")
}

// A profile without the extension leaves its terms out and says so, or refuses.
func TestCreateStrict(t *testing.T) {
	s := shared()
	request := smallest(t, `{"invoice"`, `{"options": {"profile": "basic", "strict": false}, "invoice"`, `"number"`, `"typeCode": "380", "payer": {"name": "P"}, "number"`)
	a := s.create(t, "facturx", request)
	a.wants(t, http.StatusOK, "")
	if a.Header.Get("Invoice-Losses") == "0" {
		t.Error("nobody tells of the payer")
	}
	for name, refused := range map[string]*answer{
		"option": s.create(t, "facturx", strings.Replace(request, `"strict": false`, `"strict": true`, 1)),
		"query":  s.send(t, "/v1/create/facturx?strict=true", "application/json", request),
	} {
		p := refused.wants(t, http.StatusUnprocessableEntity, "CONVERSION-LOSSY")
		if p.LossReport == nil || !slices.ContainsFunc(p.Losses, func(l formats.Loss) bool { return l.Field == "payer.name" && l.Value == "P" }) {
			t.Errorf("%s: got %.300s", name, refused.body)
		}
	}
	s.send(t, "/v1/create/facturx?strict=perhaps", "application/json", request).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	s.create(t, "facturx", strings.Replace(request, `"strict": false`, `"strict": "perhaps"`, 1)).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	// In plain EN 16931 it is a mistake, as it is in UBL.
	for _, path := range []string{"/v1/create/cii", "/v1/create/ubl"} {
		plain := smallest(t, `"number"`, `"typeCode": "380", "payer": {"name": "P"}, "number"`)
		p := s.send(t, path, "application/json", plain).wants(t, http.StatusBadRequest, "VALIDATION-FAILED")
		if len(p.Findings) != 1 || p.Findings[0].Rule != "NO-PLACE" || p.Findings[0].Fields[0] != "payer.name" {
			t.Errorf("%s: got %+v", path, p.Findings)
		}
	}
}

// What a document has and its JSON and pages have not is told.
func TestExtractAndRenderTellLosses(t *testing.T) {
	s := shared()
	document := strings.Replace(string(sample(t, "cii-valid.xml")), "<ram:CityName>", `<ram:CityName xml:lang="de">`, 1)
	if a := s.send(t, extractJSON, "application/xml", document); a.Header.Get("Invoice-Losses") != "1" {
		t.Errorf("extract: %s losses: %.200s", a.Header.Get("Invoice-Losses"), a.body)
	}
	if a := s.send(t, extractXML, "application/xml", document); a.Header.Get("Invoice-Losses") != "" {
		t.Error("the XML itself loses nothing")
	}
	const render = "/v1/render/cii/to/pdf"
	if a := s.send(t, render, "application/xml", document); a.Header.Get("Invoice-Losses") != "1" {
		t.Errorf("render: %s losses", a.Header.Get("Invoice-Losses"))
	}
	m := s.send(t, render, "application/xml", document, "Accept", "application/json").made(t)
	if m.Lost != 1 || len(m.Losses) != 1 || m.Losses[0].Value != "de" {
		t.Errorf("got %+v", m.Losses)
	}
	in := strings.Replace(string(sample(t, "cii-valid.xml")), "<ram:GrandTotalAmount>", `<ram:GrandTotalAmount currencyID="USD">`, 1)
	if a := s.send(t, extractJSON, "application/xml", in); a.Header.Get("Invoice-Losses") != "1" {
		t.Errorf("a currency of its own: %s losses", a.Header.Get("Invoice-Losses"))
	}
}
