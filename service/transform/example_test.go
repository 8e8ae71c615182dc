package transform_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
)

func ExampleDocument() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml") // an invoice that ships with the rules
	if err != nil {
		log.Fatal(err)
	}
	doc, err := s.Read(context.Background(), data, validate.Accept{})
	if err != nil {
		log.Fatal(err)
	}
	made, err := transform.Document(context.Background(), s.Pages, "xrechnung", doc, transform.Options{BuyerReference: "04011000-12345-03"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Profile.Name, made.Report.Valid)
	for _, m := range transform.Missing(made.Report, doc.Invoice) { // what its sender has to supply
		fmt.Println(m.Option, m.BTCode)
	}
	// Output:
	// XRechnung 3.0 true
}
