package validate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"einvoice/service/validate"
)

func ExampleDocument() {
	invoice := strings.NewReader(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`)
	result, err := validate.Document(context.Background(), invoice)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Report.Valid, result.Report.Findings[0].Rule)
	// Output:
	// false BR-01
}

// Nothing handed in is an error, and never a panic.
func ExampleService_ValidateDocument_nil() {
	s, err := validate.Open(validate.Config{})
	if err != nil {
		log.Fatal(err)
	}
	_, first := s.ValidateDocument(context.Background(), nil, validate.Rules{})
	_, second := s.ValidateReceived(context.Background(), nil, validate.Rules{})
	_, third := validate.Document(context.Background(), nil)
	fmt.Println(first)
	fmt.Println(second.Error() == first.Error(), third.Error() == first.Error())
	// Output:
	// there is no document to validate; send one that was read
	// true true
}
