package compare_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
	"einvoice/model/sampled"
	"einvoice/service/compare"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// Pages that the program makes of an invoice, whatever is in it, do not contradict it. Where names and notes have no words of
// an invoice, no line is lost, and no value but those of the lines of addresses is surely another one: a second name with a
// number may be a street.
func TestRandomInvoicesAreRead(t *testing.T) {
	kit := kittest.Kit(t)
	service, err := validate.Usual(kit.Reader.Service)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	n := sampled.Of(600, 30)
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 23))
		isPlain := seed%2 == 0
		request := randomRequest(t, r, isPlain)
		asked, err := create.ReadRequest(t.Context(), request)
		if err != nil {
			t.Fatalf("%d: %s: %v", seed, request, err)
		}
		document, err := create.Document(t.Context(), kit.Pages, "facturx", asked)
		if err != nil {
			t.Logf("%d: %v", seed, err)
			continue // the rules refuse it
		}
		made++
		found, err := compare.Document(t.Context(), kit.Reader, document.Data)
		if err != nil {
			t.Errorf("%d: %s: %v", seed, request, err)
			continue
		}
		for _, c := range found {
			t.Errorf("%d: %s\n%s is %s, read as %s (%s)", seed, request, c.Pointer, c.Attached, c.Value, c.Printed)
		}
		if !isPlain {
			continue
		}
		received, err := service.Receive(t.Context(), document.Data, validate.Accept{PDF: true})
		if err != nil {
			t.Fatal(err)
		}
		read, err := kit.Reader.Pages(t.Context(), document.Data)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(read.Invoice.Lines), len(received.Document.Invoice.Lines); got != want {
			t.Errorf("%d: %s\n%d lines, read as %d", seed, request, want, got)
		}
		for pointer, value := range surelyOther(t, read, received.Document.Invoice) {
			t.Errorf("%d: %s\n%s is %s", seed, request, pointer, value)
		}
	}
	if made < n*3/4 {
		t.Errorf("only %d of %d invoices were made", made, n)
	}
}

// surelyOther are the values that were surely read otherwise than they are, by their pointers.
func surelyOther(t *testing.T, read *parse.Result, attached *model.Invoice) map[string]string {
	t.Helper()
	other := map[string]string{}
	written, err := parse.ValuesOf(attached)
	if err != nil {
		t.Fatal(err)
	}
	for pointer, f := range read.Fields {
		const sure = 0.9
		if f.Confidence < sure || strings.HasSuffix(pointer, "/item/name") || strings.Contains(pointer, "/postalAddress/line") {
			continue
		}
		if want := written[pointer]; !isSame(f.Value, want) {
			other[pointer] = fmt.Sprintf("%q, read as %q (%.2f)", want, f.Value, f.Confidence)
		}
	}
	return other
}

// isSame reports whether two values are one but for blanks, or the same number but for the sign, as of credit notes.
func isSame(a, b string) bool {
	x, err := model.ParseDecimal(strings.TrimPrefix(a, "-"))
	y, err2 := model.ParseDecimal(strings.TrimPrefix(b, "-"))
	return slices.Equal(strings.Fields(a), strings.Fields(b)) || err == nil && err2 == nil && x.Equal(y)
}

// A tax is a category and a rate of VAT that lines may have together.
type tax struct {
	category string
	rate     int
}

// randomRequest is a request of any terms that pages show, in plain words or in those that invoices have for other things.
func randomRequest(t *testing.T, r *rand.Rand, isPlain bool) []byte {
	t.Helper()
	type object = map[string]any
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	maybe := func(o object, name string, value func() any) {
		if r.IntN(3) == 0 {
			o[name] = value()
		}
	}
	begin, more, allowance := []string{"Lager", "Müller", "Łódź", "Total", "Order", "Rechnung", "Netto", "Mai", "TVA", "Nr."}, []string{"B.V.", "EUR", "Nr. 12"}, "0.02"
	if isPlain {
		begin, more, allowance = []string{"Lager", "Müller", "Łódź", "Kabel", "Lampe", "Wartung", "Schrank", "Set"}, []string{"weiß", "rot"}, "0.50"
	}
	more = append(more, "Regal", "3 Stk", "19 %", "Montage", "120,00", "2026", "4711", "Südwest", "(1.500 kg)", "a")
	text := func(words int) string {
		s := one(begin...)
		for range r.IntN(words) {
			s += " " + one(more...)
		}
		return s
	}
	day := func() string { return fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)) }
	amount := func(most int) string {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprint(1 + r.IntN(most))
		case 1:
			return fmt.Sprintf("%d.%d", r.IntN(most), 1+r.IntN(9))
		}
		return fmt.Sprintf("%d.%02d", r.IntN(most), 1+r.IntN(99))
	}
	taxes := [][]tax{{{"S", 19}}, {{"S", 19}, {"S", 7}}, {{"S", 20}, {"S", 10}, {"S", 5}}, {{"AE", 0}}, {{"K", 0}}, {{"E", 0}, {"S", 21}}, {{"Z", 0}}, {{"G", 0}}}[r.IntN(8)]
	vat := func() object {
		of := taxes[r.IntN(len(taxes))]
		return object{"categoryCode": of.category, "rate": of.rate}
	}
	reason := func(code string, o object) object {
		if r.IntN(2) == 0 {
			o["reasonCode"] = code
		}
		o["reason"] = text(2)
		return o
	}
	name := func(words int) string { // of a party: without the signs of amounts and weights in plain words
		of := text(words)
		for isPlain && strings.ContainsAny(of, "%,(") {
			of = text(words)
		}
		return of
	}
	party := func(country, number string) object {
		address := object{"city": one("Jena", "Sankt Georgen", "Łódź", "'s-Hertogenbosch"), "postCode": one("12345", "1234 AB", "00-950"), "countryCode": country}
		maybe(address, "line1", func() any { return name(2) + fmt.Sprint(" ", 1+r.IntN(200)) })
		maybe(address, "line2", func() any { return name(2) })
		maybe(address, "countrySubdivision", func() any { return one("Thüringen", "Noord-Brabant") })
		p := object{"name": name(5) + one(" GmbH", " B.V.", "", " S.A."), "vatIdentifier": country + number, "postalAddress": address}
		maybe(p, "tradingName", func() any { return name(2) })
		maybe(p, "contact", func() any {
			return object{"name": name(2), "phone": "+49 30 123456", "email": "a@b.example"}
		})
		return p
	}
	var lines []object
	for i := range 1 + r.IntN(1+r.IntN(15)) {
		price := object{"netPrice": amount(900)}
		if r.IntN(4) == 0 {
			price = object{"grossPrice": amount(900) + "1", "discount": "0.3"}
		}
		maybe(price, "baseQuantity", func() any { return one("1", "10", "100") })
		item := object{"name": text(6)}
		maybe(item, "description", func() any { return text(20) })
		maybe(item, "sellerIdentifier", func() any { return fmt.Sprint(r.IntN(100000)) })
		line := object{"identifier": fmt.Sprint(i + 1), "invoicedQuantity": amount(60), "invoicedQuantityUnitCode": one("H87", "KGM", "HUR", "MTR", "DAY"), "price": price, "vat": vat(), "item": item}
		maybe(line, "note", func() any { return text(8) })
		maybe(line, "period", func() any { return object{"startDate": "2026-10-01", "endDate": "2026-10-31"} })
		if r.IntN(6) == 0 {
			line["allowances"] = []object{reason("95", object{"amount": "0.01"})}
		}
		if r.IntN(6) == 0 {
			line["charges"] = []object{reason("FC", object{"amount": amount(9)})}
		}
		lines = append(lines, line)
	}
	invoice := object{
		"number": one("2026-0117", "R 1", "4711", "RE/2026/77"), "issueDate": day(), "typeCode": one("380", "380", "380", "381", "384", "326", "389"),
		"currencyCode": one("EUR", "EUR", "EUR", "USD", "CHF", "PLN", "HUF", "GBP", "SEK", "KWD"),
		"seller":       party("DE", "123456789"), "buyer": party("NL", "123456789B01"), "lines": lines,
	}
	options := object{"language": languagesOfPages[r.IntN(7)], "look": one("din5008", "french", "general")}
	if invoice["currencyCode"] != "EUR" && r.IntN(2) == 0 {
		invoice["vatAccountingCurrencyCode"], options["vatAccountingCurrencyRate"] = "EUR", "0.25"
	}
	if r.IntN(3) > 0 {
		invoice["paymentDueDate"] = day()
	} else {
		invoice["paymentTerms"] = text(8)
	}
	if r.IntN(4) == 0 {
		invoice["charges"] = []object{reason("FC", object{"amount": amount(60), "vat": vat()})}
	}
	if r.IntN(4) == 0 {
		invoice["allowances"] = []object{reason("95", object{"amount": allowance, "vat": vat()})}
	}
	if r.IntN(4) == 0 {
		invoice["totals"] = object{"paidAmount": one("1.00", "0.50", "-2.00", "100000", "3")}
	}
	var breakdowns []object
	for _, of := range taxes {
		if of.category != "S" && of.category != "Z" {
			breakdowns = append(breakdowns, object{"categoryCode": of.category, "exemptionReasonText": text(6)})
		}
	}
	if breakdowns != nil {
		invoice["vatBreakdowns"] = breakdowns
	}
	if r.IntN(2) == 0 {
		invoice["paymentInstructions"] = object{"means": []object{{"typeCode": "58", "creditTransfers": []object{{"accountIdentifier": one("DE75512108001245126199", "NL91ABNA0417164300"), "accountName": text(2)}}}}}
	}
	invoice["delivery"] = object{"actualDeliveryDate": day(), "address": object{"city": "Utrecht", "countryCode": "NL"}}
	maybe(invoice, "notes", func() any { return []object{{"text": text(30)}} })
	maybe(invoice, "payee", func() any { return object{"name": text(3) + " Factoring"} })
	maybe(invoice, "purchaseOrderReference", func() any { return one("PO-1", "4500001", "B 7") })
	maybe(invoice, "contractReference", func() any { return one("C-1", "V 2026/3") })
	maybe(invoice, "buyerReference", func() any { return one("04011000-12345-03", "Abt. 4") })
	maybe(invoice, "precedingInvoices", func() any { return []object{{"reference": "2025-9", "issueDate": "2025-12-01"}} })
	maybe(invoice, "invoicingPeriod", func() any { return object{"startDate": "2026-10-01", "endDate": "2026-10-31"} })
	data, err := json.Marshal(object{"invoice": invoice, "options": options})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
