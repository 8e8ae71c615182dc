package extract_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/extract"
	"einvoice/service/operation"
)

func ExampleJSON() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml") // an invoice that ships with the rules
	if err != nil {
		log.Fatal(err)
	}
	invoice, err := extract.JSON(context.Background(), s.Service, data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.24s, %d values lost\n", invoice.MediaType, invoice.Data, len(invoice.Losses))
	// Output:
	// application/json {"number":"INV-2026-001", 0 values lost
}
