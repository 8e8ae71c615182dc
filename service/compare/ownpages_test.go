package compare_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/model/sampled"
	"einvoice/service/compare"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/render"
	"einvoice/service/validate"
)

// languagesOfPages are those that pages are made in.
var languagesOfPages = []string{"de", "en", "es", "fr", "it", "nl", "pl"}

// surely are the values that the pages of an invoice surely show, by their pointers; those of the invoice are these members
// of JSON besides what every invoice has.
func surely(t *testing.T, members, options string) map[string]string {
	t.Helper()
	return from(t, 0.95, members, options)
}

// from are the values that were read off such pages with some confidence, and more.
func from(t *testing.T, confidence float64, members, options string) map[string]string {
	t.Helper()
	if !strings.Contains(members, `"lines"`) {
		members += `, "lines": [{"invoicedQuantity": 3, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": "95.00"}, "vat": {"categoryCode": "S", "rate": 19}, "item": {"name": "Regal"}}]`
	}
	if !strings.Contains(members, `"seller"`) {
		members += `, "seller": {"name": "Lindner Werkzeug", "vatIdentifier": "DE123456789", "postalAddress": {"line1": "Saalstraße 1", "city": "Jena", "postCode": "07743", "countryCode": "DE"}},
			"buyer": {"name": "Voorbeeld Utrecht", "vatIdentifier": "NL123456789B01", "postalAddress": {"line1": "Dam 4", "city": "Utrecht", "postCode": "3511", "countryCode": "NL"}}`
	}
	request := fmt.Sprintf(`{"invoice": {%s, "number": "2026-0117", "issueDate": "2026-11-20", "paymentDueDate": "2026-12-20"}, "options": {%s}}`, members, options)
	kit := kittest.Kit(t)
	asked, err := create.ReadRequest(t.Context(), []byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	made, err := create.Document(t.Context(), kit.Pages, "facturx", asked)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	read, err := kit.Reader.Pages(t.Context(), made.Data)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	sure := map[string]string{}
	for pointer, f := range read.Fields {
		if f.Confidence >= confidence {
			sure[pointer] = f.Value
		}
	}
	return sure
}

// Pages that say in their language that the buyer issues them, as credit notes do too, are no pages of the other party.
func TestSelfBilledPages(t *testing.T) {
	for _, language := range languagesOfPages {
		for _, code := range []string{"261", "389"} {
			for _, look := range []string{"din5008", "french", "general"} {
				sure := surely(t, fmt.Sprintf(`"typeCode": %q, "currencyCode": "EUR"`, code), fmt.Sprintf(`"language": %q, "look": %q`, language, look))
				if sure["/seller/name"] == "Voorbeeld Utrecht" || sure["/buyer/name"] == "Lindner Werkzeug" {
					t.Errorf("%s, %s, %s: surely sold by %q to %q", code, language, look, sure["/seller/name"], sure["/buyer/name"])
				}
			}
		}
	}
}

// Pages are surely in no other currency than that of the invoice, whichever of the world it is and beside that of VAT.
func TestCurrenciesOfPages(t *testing.T) {
	data, err := os.ReadFile("../../rulesets/codelists/iso-4217.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, codes, _ := strings.Cut(string(data), "codes: |")
	all := strings.Fields(codes)
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	noMoney := strings.Fields("BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX STD")
	for _, code := range all[:min(len(all), sampled.Of(len(all), 6))] {
		if code == "EUR" || slices.Contains(noMoney, code) {
			continue
		}
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		sure := surely(t, fmt.Sprintf(`"currencyCode": %q, "vatAccountingCurrencyCode": "EUR"`, code), fmt.Sprintf(`"vatAccountingCurrencyRate": "0.25", "language": %q, "look": %q`, language, look))
		if got := sure["/currencyCode"]; got != "" && got != code {
			t.Errorf("%s, %s, %s: surely in %s", code, language, look, got)
		}
	}
}

// What pages say of a line below its name is no line, though numbers of it multiply: ten times the discount of a price is the
// price before, and 10 may be the line of the order.
func TestDetailsOfLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range sampled.Of(300, 10) {
		var lines, quantities []string
		for range 1 + r.IntN(4) {
			quantity, part := fmt.Sprintf("%d.%02d", 1+r.IntN(60), r.IntN(100)), []int{2, 4, 5, 8, 10, 20}[r.IntN(6)]
			discount := 1 + r.IntN(2000) // cents
			detail := []string{
				fmt.Sprintf(`"purchaseOrderLineReference": "%d"`, part),
				fmt.Sprintf(`"object": {"identifier": "%d"}`, part),
				fmt.Sprintf(`"allowances": [{"percentage": "10", "baseAmount": "%d.%02d", "reason": "r"}]`, 1+r.IntN(9), r.IntN(100)),
				fmt.Sprintf(`"allowances": [{"amount": "%d.50", "reason": "Rest"}, {"amount": "0.%d0", "reason": "Rest"}]`, part, 1+r.IntN(9)),
				`"buyerAccountingReference": "K-7"`,
			}
			r.Shuffle(len(detail), func(i, j int) { detail[i], detail[j] = detail[j], detail[i] })
			quantities = append(quantities, quantity)
			once := detail[:1+r.IntN(3)]
			if strings.Contains(strings.Join(once, ""), "Rest") { // a member stands once
				once = slices.DeleteFunc(once, func(s string) bool { return strings.Contains(s, "percentage") })
			}
			lines = append(lines, fmt.Sprintf(`{"invoicedQuantity": %q, "invoicedQuantityUnitCode": "KGM", "price": {"grossPrice": "%d.%02d", "discount": "%d.%02d"}, "vat": {"categoryCode": "S", "rate": 19}, "item": {"name": "Regal"}, %s}`,
				quantity, discount*part/100, discount*part%100, discount/100, discount%100, strings.Join(once, ", ")))
		}
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		made := `"currencyCode": "EUR", "lines": [` + strings.Join(lines, ", ") + "]"
		for pointer, value := range surely(t, made, fmt.Sprintf(`"language": %q, "look": %q`, language, look)) {
			at, member, isLine := strings.Cut(strings.TrimPrefix(pointer, "/lines/"), "/")
			i, err := strconv.Atoi(at)
			switch {
			case !isLine || err != nil || !strings.HasPrefix(pointer, "/lines/"):
			case i >= len(quantities), member == "invoicedQuantity" && strings.TrimRight(value, "0.") != strings.TrimRight(quantities[i], "0."), member == "vat/rate" && value != "19":
				t.Errorf("%s, %s, %s: surely %s is %s", language, look, made, pointer, value)
			}
		}
	}
}

// Amounts with a fraction in a currency without cents are found on the pages of their invoice, and contradict nothing.
func TestFractionsWithoutCents(t *testing.T) {
	kit := kittest.Kit(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range sampled.Of(400, 16) {
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		code, price := []string{"JPY", "KRW", "ISK", "CLP", "VND", "HUF", "KWD"}[r.IntN(7)], fmt.Sprintf("%d.%d", 1+r.IntN(3000), r.IntN(100))
		request := fmt.Sprintf(`{"invoice": {"number": "2026-0117", "issueDate": "2026-11-20", "currencyCode": %q, "paymentDueDate": "2026-12-20",
			"seller": {"name": "Lindner GmbH", "vatIdentifier": "DE123456789", "postalAddress": {"city": "Jena", "countryCode": "DE"}}, "buyer": {"name": "Kaji KK", "postalAddress": {"city": "Kobe", "countryCode": "JP"}},
			"lines": [{"invoicedQuantity": %d, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": %q}, "vat": {"categoryCode": "S", "rate": %d}, "item": {"name": "Regal"}}]}, "options": {"language": %q, "look": %q}}`,
			code, 1+r.IntN(9), price, []int{10, 20, 25, 5}[r.IntN(4)], language, look)
		asked, err := create.ReadRequest(t.Context(), []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		made, err := create.Document(t.Context(), kit.Pages, "facturx", asked)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		result, err := kit.Validate(t.Context(), made.Data, validate.Rules{})
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		for _, f := range result.Report.Findings {
			if f.Rule == "CONTAINER-PRINTED-TOTAL" {
				t.Errorf("%s: %s", request, f.Message)
			}
		}
		found, err := compare.Document(t.Context(), kit.Reader, made.Data)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		for _, c := range found {
			t.Errorf("%s: %s is %s, read as %s (%s)", request, c.Pointer, c.Attached, c.Value, c.Printed)
		}
	}
}

// Amounts without decimals, as of yen, and with three, as of dinars, are read as they are: no value of pages with whole
// prices is another one surely.
func TestDecimalsOfCurrencies(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	totals := 0
	n := sampled.Of(400, 20)
	for range n {
		var lines []string
		sum := 0
		for range 1 + r.IntN(5) {
			quantity, price := 1+r.IntN(30), []int{1 + r.IntN(900), 1000 + r.IntN(90000), 1000 * (1 + r.IntN(90))}[r.IntN(3)]
			sum += quantity * price
			lines = append(lines, fmt.Sprintf(`{"invoicedQuantity": %d, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": "%d"}, "vat": {"categoryCode": "Z", "rate": 0}, "item": {"name": "Regal"}}`, quantity, price))
		}
		code := []string{"JPY", "KRW", "VND", "CLP", "XOF", "KWD", "TND", "OMR", "EUR"}[r.IntN(9)]
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		members := fmt.Sprintf(`"currencyCode": %q, "lines": [%s]`, code, strings.Join(lines, ", "))
		for pointer, value := range from(t, 0.8, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look)) {
			at, member, isLine := strings.Cut(strings.TrimPrefix(pointer, "/lines/"), "/")
			i, err := strconv.Atoi(at)
			number := fmt.Sprintf(`"%s":`, map[string]string{"invoicedQuantity": "invoicedQuantity", "price/netPrice": "netPrice"}[member])
			plain := strings.TrimRight(strings.TrimRight(value+".", "0"), ".")
			if strings.Contains(value, ".") {
				plain = strings.TrimRight(strings.TrimRight(value, "0"), ".")
			}
			switch {
			case pointer == "/totals/totalAmountWithVat":
				totals++
				if plain != strconv.Itoa(sum) {
					t.Errorf("%s, %s, %s: the total is %s, not %d", members, language, look, value, sum)
				}
			case isLine && err == nil && number != `"":` && (i >= len(lines) || !strings.Contains(strings.ReplaceAll(lines[i], `"`+plain+`"`, plain), number+" "+plain)):
				t.Errorf("%s, %s, %s: %s is %s", members, language, look, pointer, value)
			}
		}
	}
	if totals < n*9/10 {
		t.Errorf("only %d of %d totals were read", totals, n)
	}
}

// The reference of an attached document is no order.
func TestReferencesOfAttachments(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, language := range languagesOfPages {
		for _, look := range []string{"din5008", "french", "general"} {
			for range sampled.Of(8, 4) {
				reference := fmt.Sprintf("%c%d", 'A'+rune(r.IntN(26)), 1+r.IntN(90000))
				documents := fmt.Sprintf(`{"reference": %q, "description": "Plan", "externalLocation": "https://a.example/b"}`, reference)
				if r.IntN(2) == 0 {
					documents += `, {"reference": "D-2", "attachment": "VGFnO1N0dW5kZW4KMTg7OAo=", "attachmentMimeCode": "text/csv", "attachmentFileName": "a.csv"}`
				}
				sure := surely(t, fmt.Sprintf(`"currencyCode": "EUR", "buyerReference": "04011000-12345-03", "supportingDocuments": [%s]`, documents), fmt.Sprintf(`"language": %q, "look": %q`, language, look))
				if got := sure["/purchaseOrderReference"]; got != "" {
					t.Errorf("%s, %s, %s: surely the order %s", language, look, documents, got)
				}
			}
		}
	}
}

// Of the references of an invoice, pages show each below its label or behind it, however narrow the column is, whichever
// other ones are beside it and wherever the row ends: none is the value of another one, and no part of a label is a value.
func TestReferencesOfPages(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range sampled.Of(900, 60) {
		all := []string{`"projectReference": "P-1"`, `"tenderOrLotReference": "LOT5"`, `"buyerAccountingReference": "BA-2"`, `"receivingAdviceReference": "RA-3"`, `"salesOrderReference": "SO-1"`,
			`"invoicedObject": {"identifier": "O-1", "schemeId": "ABT"}`, `"despatchAdviceReference": "LS 44"`, `"contractReference": "C-1"`, `"vatPointDate": "2026-11-30"`,
			fmt.Sprintf(`"buyerReference": %q`, []string{"04011000-12345-03", "Abt. 4", "Frau Söhne"}[r.IntN(3)])}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		members := strings.Join(all[:2+r.IntN(8)], ", ") + `, "currencyCode": "EUR"`
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		got := from(t, 0.9, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look))
		for _, name := range []string{"projectReference", "buyerReference", "contractReference", "purchaseOrderReference"} {
			if value := got["/"+name]; value != "" && !strings.Contains(members, fmt.Sprintf("%q: %q", name, value)) {
				t.Errorf("%s, %s, %s: %s is %q", members, language, look, name, value)
			}
		}
	}
}

// The first line of an address is no other row between name and city: the second or third line, the name of the trade, the
// rest of a long name, or a part of a long street.
func TestStreetsOfPages(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	words := func(n int) string {
		var of []string
		for range n {
			of = append(of, []string{"Lampe", "Łódź", "Montage", "Ερμού", "София", "Müller", "Rødgrød"}[r.IntN(7)])
		}
		return strings.Join(of, " ")
	}
	for range sampled.Of(700, 60) {
		streets := map[string]string{}
		party := func(role, country string) string {
			address := fmt.Sprintf(`"city": %q, "postCode": %q, "countryCode": %q`, []string{"Ort", "Sankt Georgen", "Łódź"}[r.IntN(3)], []string{"12345", "1234 AB", "00-950"}[r.IntN(3)], country)
			if r.IntN(5) > 0 {
				streets[role] = words(1+r.IntN(6)) + fmt.Sprintf(" %d", 1+r.IntN(200))
				address += fmt.Sprintf(`, "line1": %q`, streets[role])
				if r.IntN(4) == 0 {
					address += fmt.Sprintf(`, "line2": %q`, words(2))
				}
				if r.IntN(4) == 0 {
					address += `, "line3": "Gebäude 4"`
				}
			}
			trade := ""
			if r.IntN(4) == 0 {
				trade = fmt.Sprintf(`"tradingName": %q, `, words(2))
			}
			return fmt.Sprintf(`%q: {"name": %q, %s"postalAddress": {%s}, "vatIdentifier": %q}`, role, words(1+r.IntN(7))+[]string{" GmbH", " B.V.", ""}[r.IntN(3)], trade, address, country+"123456789")
		}
		members := party("seller", "DE") + ", " + party("buyer", "PT") + `, "currencyCode": "EUR"`
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		for pointer, value := range from(t, 0.9, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look)) {
			role, isStreet := strings.CutSuffix(strings.TrimPrefix(pointer, "/"), "/postalAddress/line1")
			if isStreet && value != streets[role] {
				t.Errorf("%s, %s, %s: %s is %q", members, language, look, pointer, value)
			}
		}
	}
}

// Pages of invoices with the title of an advance and without VAT, and of credit notes, show what is due.
func TestNothingPaidOfPages(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, language := range languagesOfPages {
		for _, code := range []string{"380", "381", "384", "386", "875", "877"} {
			for range sampled.Of(6, 2) {
				var lines []string
				for i := range 1 + r.IntN(4) {
					category, rate := "E", 0
					if i > 0 && r.IntN(2) == 0 {
						category, rate = "S", []int{19, 7}[r.IntN(2)]
					}
					lines = append(lines, fmt.Sprintf(`{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": "%d.%02d"}, "vat": {"categoryCode": %q, "rate": %d}, "item": {"name": "Regal"}}`,
						r.IntN(9), 1+r.IntN(99), category, rate))
				}
				look := []string{"din5008", "french", "general"}[r.IntN(3)]
				members := fmt.Sprintf(`"typeCode": %q, "currencyCode": "EUR", "lines": [%s], "charges": [{"amount": "%d.43", "reason": "Fracht", "vat": {"categoryCode": "E", "rate": 0}}], "vatBreakdowns": [{"categoryCode": "E", "exemptionReasonText": "frei"}]`,
					code, strings.Join(lines, ", "), 1+r.IntN(60))
				if got := from(t, 0.8, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look)); got["/totals/amountDueForPayment"] == "0.00" || got["/totals/paidAmount"] != "" {
					t.Errorf("%s, %s, %s: due %s, paid %s", members, language, look, got["/totals/amountDueForPayment"], got["/totals/paidAmount"])
				}
			}
		}
	}
}

// Rows that are no lines, and lines that were read wrong or one farther, do not contradict the invoice that the pages are of.
func TestLinesOfPages(t *testing.T) {
	kit := kittest.Kit(t)
	r := rand.New(rand.NewPCG(19, 20))
	for range sampled.Of(300, 40) {
		var lines []string
		for i := range 1 + r.IntN(12) {
			name := []string{"Regal", "Kabel 1.500", "Öl 10.000 h 10.000 h", "Lampe 100", "M8"}[r.IntN(5)]
			more := []string{"", "", `, "baseQuantity": "12"`, `, "baseQuantity": "1000"`}[r.IntN(4)]
			less := []string{"", "", `, "allowances": [{"amount": "0.16", "reasonCode": "95"}]`}[r.IntN(3)]
			lines = append(lines, fmt.Sprintf(`{"identifier": "%d", "invoicedQuantity": "%d.%d", "invoicedQuantityUnitCode": "KGM", "price": {"netPrice": "%d.%03d"%s}, "vat": {"categoryCode": "S", "rate": %d}, "item": {"name": %q}%s}`,
				(i+1)*[]int{1, 10}[r.IntN(2)], 1+r.IntN(50), r.IntN(1000), r.IntN(300), r.IntN(1000), more, []int{9, 21}[r.IntN(2)], name, less))
		}
		request := fmt.Sprintf(`{"invoice": {"number": "2026-0117", "issueDate": "2026-11-20", "currencyCode": "EUR", "paymentDueDate": "2026-12-20",
			"seller": {"name": "Lindner GmbH", "vatIdentifier": "DE123456789", "postalAddress": {"city": "Jena", "countryCode": "DE"}}, "buyer": {"name": "Kaji KK", "postalAddress": {"city": "Kobe", "countryCode": "JP"}},
			"lines": [%s]}, "options": {"language": %q, "look": %q}}`, strings.Join(lines, ", "), languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)])
		asked, err := create.ReadRequest(t.Context(), []byte(request))
		if err != nil {
			continue // two lines have one identifier
		}
		made, err := create.Document(t.Context(), kit.Pages, "facturx", asked)
		if err != nil {
			continue
		}
		found, err := compare.Document(t.Context(), kit.Reader, made.Data)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		for _, c := range found {
			t.Errorf("%s: %s is %s, read as %s (%s)", request, c.Pointer, c.Attached, c.Value, c.Printed)
		}
	}
}

// Groups of VAT of several categories without VAT are each with their own base, and none with that of all.
func TestGroupsWithoutVat(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range sampled.Of(300, 40) {
		bases := map[string]bool{}
		var lines []string
		for i, category := range []string{"E", "Z", "S", "S"}[:3+r.IntN(2)] {
			price := fmt.Sprintf("%d.%02d", 1+r.IntN(4000), r.IntN(100))
			bases[price] = true
			lines = append(lines, fmt.Sprintf(`{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": %q}, "vat": {"categoryCode": %q, "rate": %d}, "item": {"name": "Regal"}}`,
				price, category, []int{0, 0, 19, 7}[i]))
		}
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		members := `"currencyCode": "EUR", "vatBreakdowns": [{"categoryCode": "E", "exemptionReasonText": "frei"}], "lines": [` + strings.Join(lines, ", ") + "]"
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french", "general"}[r.IntN(3)]
		for pointer, value := range from(t, 0.9, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look)) {
			if strings.HasSuffix(pointer, "/taxableAmount") && !bases[value] {
				t.Errorf("%s, %s, %s: %s is %s", members, language, look, pointer, value)
			}
		}
	}
}

// What pages of a look of one's own show below the last line, without totals between, is no text of that line: the day of the
// invoice is below the parties then, and no other day of the pages is it.
func TestSectionsBelowTheLines(t *testing.T) {
	kit := kittest.Kit(t)
	r := rand.New(rand.NewPCG(23, 24))
	below := []string{"parties", "facts", "adjustments", "notes"}
	for range sampled.Of(200, 60) {
		r.Shuffle(len(below), func(i, j int) { below[i], below[j] = below[j], below[i] })
		file := filepath.Join(t.TempDir(), "own.yaml")
		text := fmt.Sprintf("name: own\nbased: general\npage: {top: 30, bottom: 40, left: 30, right: 30}\nsections: [payment, totals, lines, %s, documents, further, technical]\n", strings.Join(below, ", "))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		own, err := render.ReadLook(file)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for range 1 + r.IntN(40) {
			more := []string{"", `, "note": "Regal Lampe"`, `, "purchaseOrderLineReference": "10"`}[r.IntN(3)]
			lines = append(lines, fmt.Sprintf(`{"invoicedQuantity": %d, "invoicedQuantityUnitCode": "H87", "price": {"netPrice": "%d.50"}, "vat": {"categoryCode": "S", "rate": 19}, "item": {"name": "Regal%s", "sellerIdentifier": "AB 12"}%s}`, 1+r.IntN(9), 1+r.IntN(90), strings.Repeat(" Lampe", r.IntN(14)), more))
		}
		request := fmt.Sprintf(`{"invoice": {"number": "2026-0117", "issueDate": "2026-11-20", "currencyCode": "EUR", "paymentDueDate": "2027-01-15", %s "buyerReference": "K 77", "salesOrderReference": "SO-1", "contractReference": "C-1", "delivery": {"actualDeliveryDate": "2026-11-18"},
			"charges": [{"amount": "12.79", "reason": "Fracht", "vat": {"categoryCode": "S", "rate": 19}}],
			"seller": {"name": "Lindner GmbH", "electronicAddress": {"identifier": "a@b.example", "schemeId": "EM"}, "vatIdentifier": "DE123456789", "contact": {"name": "Ida Lindner", "phone": "+49 3641 1234", "email": "i@b.example"}, "identifiers": [{"identifier": "L1"}], "postalAddress": {"line1": "Weg 1", "city": "Jena", "countryCode": "DE"}}, "buyer": {"name": "Kaji KK", "postalAddress": {"line1": "Gasse 4", "city": "Kobe", "countryCode": "JP"}},
			"lines": [%s]}, "options": {"language": %q, "look": "own"}}`, []string{"", `"paymentTerms": "Net 30 days, until 2026-12-01",`}[r.IntN(2)], strings.Join(lines, ", "), languagesOfPages[r.IntN(7)])
		pages := *kit.Pages
		pages.Looks = render.OneLook("own", own)
		asked, err := create.ReadRequest(t.Context(), []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		made, err := create.Document(t.Context(), &pages, "facturx", asked)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		found, err := compare.Document(t.Context(), kit.Reader, made.Data)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		for _, c := range found {
			t.Errorf("%s, %s: %s is %s, read as %s (%s)", text, request, c.Pointer, c.Attached, c.Value, c.Printed)
		}
	}
}

// Beside a label in a column of labels is its value, also where the label goes on in the next row and an address beside both
// does: no row of the address is the reference of the buyer, nor is that the order.
func TestReferencesBesideAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range sampled.Of(500, 80) {
		reference := []string{"K 77", "Abt. 4", "04011000-12345-03", "Frau Söhne"}[r.IntN(4)]
		members := fmt.Sprintf(`"currencyCode": "EUR", "buyerReference": %q, "seller": {"name": "Lindner GmbH", "vatIdentifier": "DE123456789", "postalAddress": {"line1": "Weg 1", "city": "Jena", "countryCode": "DE"}},
			"buyer": {"name": %q, "postalAddress": {"line1": "Gasse 4", %s "city": %q, "postCode": "75001", "countryCode": %q}}`,
			reference, "Kaji"+strings.Repeat(" Montage", r.IntN(8)), []string{"", `"line2": "Hof B",`, `"line2": "Hof B", "line3": "Tor C",`}[r.IntN(3)], []string{"Kobe", "Sankt Georgen"}[r.IntN(2)], []string{"CH", "BE", "DK", "DE"}[r.IntN(4)])
		for _, more := range []string{`"delivery": {"actualDeliveryDate": "2026-11-18"}`, `"invoicingPeriod": {"startDate": "2026-11-01", "endDate": "2026-11-30"}`} {
			if r.IntN(2) == 0 {
				members += ", " + more
			}
		}
		language, look := languagesOfPages[r.IntN(7)], []string{"din5008", "french"}[r.IntN(2)]
		got := from(t, 0.9, members, fmt.Sprintf(`"language": %q, "look": %q`, language, look))
		if value := got["/buyerReference"]; value != "" && value != reference || got["/purchaseOrderReference"] != "" {
			t.Errorf("%s, %s, %s: the reference is %q, the order %q", members, language, look, value, got["/purchaseOrderReference"])
		}
	}
}
