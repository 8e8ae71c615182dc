package report_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"strings"

	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

func ExampleFormat_Single() {
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
	outcome := report.Outcome{Name: "invoice.xml", Report: result.Report, Document: result.Document}
	text, err := report.Named("text").Single(&outcome, report.Options{Library: s.Library()})
	if err != nil {
		log.Fatal(err)
	}
	heading, _, _ := strings.Cut(string(text), "\n")
	fmt.Println(heading)
	// Output:
	// ✓ VALID  invoice.xml
}
