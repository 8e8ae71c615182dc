package render_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/validate"
)

func ExamplePages_Document() {
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
	pages, err := s.Pages.Document(context.Background(), doc, render.Options{Language: "fr"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.5s\n", pages.FileName, pages.Data)
	// Output:
	// INV-2026-001.pdf %PDF-
}
