package embed_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"einvoice/rulesets"
	"einvoice/service/embed"
	"einvoice/service/extract"
	"einvoice/service/operation"
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
	pages, err := s.Pages.Document(context.Background(), doc, render.Options{Language: "de"}) // any PDF serves
	if err != nil {
		log.Fatal(err)
	}
	made, err := embed.Document(context.Background(), s.Service, pages.Data, data, embed.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.MediaType, made.Profile.Name)

	xml, err := extract.XML(context.Background(), s.Service, made.Data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(xml.Name, string(xml.Data) == string(data))
	// Output:
	// application/pdf Factur-X / ZUGFeRD EN 16931
	// factur-x.xml true
}
