package convert_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/convert"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

func ExampleDocument() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml") // an invoice that ships with the rules
	if err != nil {
		log.Fatal(err)
	}
	doc, err := s.Read(context.Background(), data, validate.Accept{})
	if err != nil {
		log.Fatal(err)
	}
	conversion, err := convert.Document(context.Background(), s.Service, doc, model.UBL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(conversion.Root)
	for _, l := range conversion.Losses {
		fmt.Printf("%s %q in line %d: %s\n", l.Kind, l.Value, l.Line, l.Reason)
	}
	// Output:
	// ubl:Invoice
	// lost "1" in line 45: UBL 2.1 has no place for it in ubl:Invoice
	// lost "HUR" in line 45: UBL 2.1 has no place for it in ubl:Invoice
}
