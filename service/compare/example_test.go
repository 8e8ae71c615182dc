package compare_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/compare"
	"einvoice/service/embed"
	"einvoice/service/operation"
	"einvoice/service/parse"
	"einvoice/service/render"
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
	drawn, err := s.Pages.Document(context.Background(), doc, render.Options{})
	if err != nil {
		log.Fatal(err)
	}
	made, err := embed.Document(context.Background(), s.Service, drawn.Data, data, embed.Options{})
	if err != nil {
		log.Fatal(err)
	}
	contradictions, err := compare.Document(context.Background(), &parse.Reader{Service: s.Service}, made.Data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(contradictions))
	// Output:
	// 0
}
