package verdict_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"
	"einvoice/service/verdict"
)

func ExampleSentence() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml") // an invoice that ships with the rules
	if err != nil {
		log.Fatal(err)
	}
	result, err := s.Validate(context.Background(), data, validate.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Sentence(result.Report, nil))
	// Output:
	// The invoice is valid (EN 16931 in CII).
}
