package formats_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

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
	c, err := formats.Convert(context.Background(), doc, formats.Output{Syntax: model.CII})
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

// A further entry that is read as the first one is reported; several preceding invoices
// are written where the schema allows them.
func TestConvertReportsWhatIsReadOtherwise(t *testing.T) {
	reference := func(id string) model.PrecedingInvoice { return model.PrecedingInvoice{Reference: model.NewText(id)} }
	invoice := &model.Invoice{
		PrecedingInvoices: []model.PrecedingInvoice{reference("1"), reference("2")},
		Lines:             []model.Line{{FurtherNotes: []model.LineNote{{Text: model.NewText("only")}}}},
	}
	for unlimited, want := range map[bool][]string{
		false: {"lost precedingInvoices[1].reference", "changed lines[0].furtherNotes[0].text", "changed lines[0].note"},
		true:  {"changed lines[0].furtherNotes[0].text", "changed lines[0].note"},
	} {
		c, err := formats.Convert(t.Context(), &model.Document{Invoice: invoice}, formats.Output{Syntax: model.CII, Unlimited: unlimited})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range c.Losses {
			got = append(got, string(l.Kind)+" "+l.Field)
		}
		if !slices.Equal(got, want) {
			t.Errorf("unlimited %v: got %q, want %q", unlimited, got, want)
		}
	}
}
