package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model/sampled"
)

// A page is an invoice of one line whose parts tests exchange.
type page struct{ seller, street, city, buyer, number, day, due, code string }

// plainPage is one in euros, which no part of it says where code is empty.
func plainPage(r *rand.Rand) page {
	return page{
		seller: anyOf(r, "Almada Obras, Lda.", "Morel SARL", "Kessler GmbH", "Ferrari S.p.A."), street: anyOf(r, "Rua do Carmo 41", "4 rue Haute", "Gartenweg 3"),
		city: anyOf(r, "41004 Sevilla", "69002 Lyon", "10115 Berlin"), buyer: "Oak Street Bakery Ltd", number: "INV-2611", day: "20/11/2026", due: "20/12/2026", code: "EUR",
	}
}

func (p page) rows(more ...string) []string {
	rows := []string{
		"40|50 " + p.seller, "52|50 " + p.street, "64|50 " + p.city, "90|50 Bill to:", "102|50 " + p.buyer, "114|50 7 High Street", "126|50 33000 Bordeaux",
		"150|50 Invoice", "170|50 Invoice number: " + p.number, "184|50 Invoice date: " + p.day, "198|50 Due date: " + p.due,
		"230|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "244|50 Advice|>330 2|>420 150.00|>540 300.00",
		"270|330 Net total|>540 300.00", "284|330 VAT 20 %|>540 60.00", "298|330 Total " + p.code + "|>540 360.00",
	}
	return append(rows, more...)
}

func tellsOf(r *parse.Result, pointer, part string) bool {
	return slices.ContainsFunc(r.Review, func(x parse.Review) bool {
		return slices.Contains(x.Fields, pointer) && strings.Contains(x.Message, part)
	})
}

// What the pages say of a party and of the days, and no field has, is told.
func TestUnreadIsTold(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	for range sampled.Of(40, 4) {
		p := plainPage(r)
		rows := p.rows()
		if r.IntN(2) == 0 { // the address is there or not
			rows = slices.DeleteFunc(rows, func(row string) bool { return strings.HasPrefix(row, "52|") || strings.HasPrefix(row, "64|") })
		}
		label := anyOf(r, "Due date:", "Payment due:", "Pay by:")
		term := anyOf(r, "30 days", "14 days net", "10 EOM")
		if r.IntN(2) == 0 {
			rows[slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, "198|") })] = "198|50 " + label + " " + term
		} else {
			term = ""
		}
		ids := []string{"DE136695976", "FR40303265045", "ATU13585627"}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for i, id := range ids[:1+r.IntN(3)] {
			rows = append(rows, fmt.Sprintf("%d|50 VAT ID: %s", 700+12*i, id))
		}
		read := readPage(t, rows)
		for _, role := range []string{"seller", "buyer"} {
			for _, part := range []string{"line1", "city"} {
				at := "/" + role + "/postalAddress/" + part
				if valueOf(read, at) == "" && !tellsOf(read, at, "was not found") {
					t.Errorf("%s is neither read nor told: %q", at, rows)
				}
			}
		}
		for _, id := range ids {
			isPrinted := slices.ContainsFunc(rows, func(row string) bool { return strings.HasSuffix(row, id) })
			isRead := valueOf(read, "/seller/vatIdentifier") == id || valueOf(read, "/buyer/vatIdentifier") == id
			if isPrinted && !isRead && !tellsOf(read, "/seller/vatIdentifier", id) {
				t.Errorf("%s is neither read nor told: %q", id, rows)
			}
		}
		if term != "" && valueOf(read, "/paymentDueDate") == "" && !tellsOf(read, "/paymentDueDate", term) {
			t.Errorf("%s is neither read nor told: %q", term, rows)
		}
	}
}
