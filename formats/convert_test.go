package formats_test

import (
	"fmt"
	"os"

	"einvoice/formats"
	"einvoice/model"
)

func ExampleConvert() {
	data, err := os.ReadFile("ubl/testdata/full-invoice.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := formats.Convert(doc, formats.Output{Syntax: model.CII})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Root, formats.Lost(c.Losses), "values lost, the first:")
	fmt.Println(c.Losses[0].Line, c.Losses[0].Path, c.Losses[0].BTCode)
	// Output:
	// rsm:CrossIndustryInvoice 8 values lost, the first:
	// 236 /ubl:Invoice/cac:PrepaidPayment/cbc:ID BT-DEX-001
}
