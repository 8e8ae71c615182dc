package parse_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/parse"
)

// What is read off pages can be handed to create, and its findings have the fields of
// what is missing.
func TestParse(t *testing.T) {
	s := kittest.Kit(t)
	letter, err := os.ReadFile("../../formats/parse/testdata/letter.pdf")
	if err != nil {
		t.Fatal(err)
	}
	file, err := s.Reader.File(context.Background(), letter)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := file.JSON(false)
	if err != nil {
		t.Fatal(err)
	}
	request, err := create.ReadRequestOrInvoice(t.Context(), plain)
	if err != nil || request.Invoice.Number.Raw != "R7807-26" {
		t.Fatalf("create cannot read %s: %v", plain, err)
	}
	details, err := file.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Invoice json.RawMessage }
	if err := json.Unmarshal(details, &all); err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(all.Invoice, &a) != nil || json.Unmarshal(plain, &b) != nil {
		t.Fatalf("got %s", details)
	}
	if x, y := mustJSON(t, a), mustJSON(t, b); x != y {
		t.Errorf("the invoice is %s with details, and %s without", x, y)
	}
	// The page has no category of VAT, and lines of a document that nobody has are not told.
	isCategory := func(f engine.Finding) bool {
		return f.Line == nil && slices.Contains(f.Fields, "lines[0].vat.categoryCode")
	}
	if !slices.ContainsFunc(file[0].Findings, isCategory) {
		t.Errorf("the findings are %+v", file[0].Findings)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Findings about pages name their fields as all findings do.
func TestDotted(t *testing.T) {
	for pointer, want := range map[string]string{
		"/number":               "number",
		"/seller/vatIdentifier": "seller.vatIdentifier",
		"/lines/12/netAmount":   "lines[12].netAmount",
		"/paymentInstructions/means/0/creditTransfers/0/accountIdentifier": "paymentInstructions.means[0].creditTransfers[0].accountIdentifier",
	} {
		if got := parse.Dotted(pointer); got != want {
			t.Errorf("%s: %s, want %s", pointer, got, want)
		}
	}
}
