package create_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/write"
)

func ExampleDocument() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	request, err := create.ReadRequest(context.Background(), create.Example)
	if err != nil {
		log.Fatal(err)
	}
	made, err := create.Document(context.Background(), s.Pages, "xrechnung", request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Root, made.Profile.Name, made.FileName)

	// A document that violates a rule is not delivered.
	request, err = create.ReadRequest(context.Background(), []byte(strings.Replace(string(create.Example), `"Stadt Musterhausen"`, `""`, 1)))
	if err != nil {
		log.Fatal(err)
	}
	_, err = create.Document(context.Background(), s.Pages, "xrechnung", request)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		fmt.Println(refused.Report.Findings[0].Rule, refused.Report.Findings[0].Fields)
	}
	// Output:
	// ubl:Invoice XRechnung 3.0 2026-0117.xml
	// BR-07 [buyer.name]
}
