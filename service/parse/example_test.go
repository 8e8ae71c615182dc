package parse_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/parse"
	"einvoice/service/render"
	"einvoice/service/validate"
)

func ExampleReader_Document() {
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
	made, err := s.Pages.Document(context.Background(), doc, render.Options{})
	if err != nil {
		log.Fatal(err)
	}
	reader := parse.Reader{Service: s.Service}
	read, err := reader.Document(context.Background(), made.Data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Kind.Name, read.Invoice.Number.Raw, read.Fields["/number"].Page)
	// Output:
	// invoice INV-2026-001 1
}
