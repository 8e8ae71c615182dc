package operation_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

func ExampleOpen() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data := []byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`)
	result, err := s.Validate(context.Background(), data, validate.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Report.Valid)
	for _, f := range result.Report.Findings[:2] {
		fmt.Println(f.Rule, *f.Line, f.BTCodes)
	}
	// Output:
	// false
	// BR-01 1 [BT-24]
	// BR-02 1 [BT-1]
}

// Rules are data: a folder of them replaces or extends those that ship.
func ExampleOpen_rules() {
	library, err := os.MkdirTemp("", "rules")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(library)
	rule := `ruleset: acme
version: "1"
layer: cius
rules:
  - id: ACME-1
    level: fatal
    context: /invoice
    assert: has(this.buyerReference)
    btCodes: [BT-10]
    fields: [buyerReference]
    message: Put our order's cost centre into the buyer reference (BT-10).
    text: The buyer reference (BT-10) is given.
    examples:
      - {passes: base}
      - {fires: {buyerReference: null}}
`
	if err := os.MkdirAll(library+"/acme/1", 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(library+"/acme/1/acme.yaml", []byte(rule), 0o600); err != nil {
		log.Fatal(err)
	}
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(os.DirFS(library), rulesets.FS)})
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		log.Fatal(err)
	}
	invoice := bytes.Replace(data, []byte("BuyerReference>"), []byte("Note>"), 2)
	result, err := s.Validate(context.Background(), invoice, validate.Rules{Rulesets: []string{"acme"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Report.Findings {
		fmt.Println(f.Rule, f.Message)
	}
	// Output:
	// ACME-1 Put our order's cost centre into the buyer reference (BT-10).
}
