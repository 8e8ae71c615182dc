package parse_test

import (
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// A column beside the body has rows of its own; the columns of a table have not.
func TestSidebar(t *testing.T) {
	sheet := drawn.Sheet(
		"40|200 Factura", "60|20 Papelera Sur SL", "72|20 Calle Mayor 3", "76|200 Cliente:", "84|20 28001 Madrid", "88|200 Bar Central", "100|200 Rambla 5", "103|20 Factura Nº", "112|200 08001 Barcelona", "115|20 F-2026/17", "130|20 Fecha",
		"142|20 20/11/2026", "160|20 Vencimiento", "172|20 20/12/2026", "190|20 NIF", "202|20 ESB12345678",
		"151|200 Concepto|>350 Cantidad|>450 Precio|>560 Importe", "166|200 Papel|>350 10|>450 20,00|>560 200,00", "184|>450 Base imponible|>560 200,00", "209|>450 IVA 21 %|>560 42,00", "224|>450 Total|>560 242,00")
	r, err := parse.Sheets(t.Context(), []text.Sheet{sheet}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/number": "F-2026/17", "/issueDate": "2026-11-20", "/paymentDueDate": "2026-12-20", "/seller/name": "Papelera Sur SL", "/buyer/name": "Bar Central",
		"/lines/0/item/name": "Papel", "/lines/0/invoicedQuantity": "10", "/lines/0/price/netPrice": "20.00", "/lines/0/netAmount": "200.00",
	} {
		if f := r.Fields[pointer]; f == nil || f.Value != want {
			t.Errorf("%s is %+v, want %s", pointer, f, want)
		}
	}
	if len(r.Invoice.Lines) != 1 {
		t.Errorf("there are %d lines", len(r.Invoice.Lines))
	}
}
