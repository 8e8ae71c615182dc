package conformance_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A letter is an invoice that somebody wrote by hand who had not seen the reader of pages:
// letters/PART/NAME.html, with what is true of it in NAME.json. No two have one layout, so each
// is a program of its own to whoever trains with it. Confidences learn from those of the part
// calibrate; with those of the part corrected, rules alone were corrected.
type letter struct {
	Kind string // invoice or credit

	Number, IssueDate, DueDate, DeliveryDate, Currency string
	Seller, Buyer                                      names
	SellerVat, BuyerVat, IBAN                          string
	Net, Vat, Gross, Due                               string
	Lines                                              int

	// Accepted are other values that are right as well, by the names of the fields above.
	Accepted map[string][]string
}

// termsOfLetters are the JSON pointers of what Accepted may have.
var termsOfLetters = map[string]string{
	"number": "/number", "issueDate": "/issueDate", "dueDate": "/paymentDueDate", "deliveryDate": "/delivery/actualDeliveryDate",
	"sellerVat": "/seller/vatIdentifier", "buyerVat": "/buyer/vatIdentifier", "iban": "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier",
	"net": "/totals/totalAmountWithoutVat", "vat": "/totals/taxTotalAmount", "gross": "/totals/totalAmountWithVat", "due": "/totals/amountDueForPayment",
}

// names are those that a party goes by on a page, the first one before all.
type names []string

// UnmarshalJSON reads one name or a list of them.
func (n *names) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*n = names{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(n))
}

// accepted are the values of the fields that the truth tells of, by JSON pointer. None stands
// for a field that the page does not show.
func (l *letter) accepted() map[string][]string {
	all := map[string][]string{"/seller/name": l.Seller, "/buyer/name": l.Buyer}
	for pointer, value := range map[string]string{
		"/number": l.Number, "/issueDate": l.IssueDate, "/paymentDueDate": l.DueDate, "/delivery/actualDeliveryDate": l.DeliveryDate,
		"/seller/vatIdentifier": l.SellerVat, "/buyer/vatIdentifier": l.BuyerVat,
		"/paymentInstructions/means/0/creditTransfers/0/accountIdentifier": l.IBAN,
	} {
		all[pointer] = nil
		if value != "" {
			all[pointer] = []string{value}
		}
	}
	// A page without the net amount has the gross amount for one, and one that was paid nothing
	// before is due as a whole: these values follow from others, so they are judged where they stand.
	for pointer, value := range map[string]string{
		"/currencyCode": l.Currency, "/totals/totalAmountWithoutVat": l.Net, "/totals/taxTotalAmount": l.Vat,
		"/totals/totalAmountWithVat": l.Gross, "/totals/amountDueForPayment": l.Due,
	} {
		if value != "" {
			all[pointer] = []string{value}
		}
	}
	if due := all["/totals/amountDueForPayment"]; due != nil && l.Kind == "credit" {
		all["/totals/amountDueForPayment"] = append(due, l.Gross) // what was not paid is not paid back: both are told
	}
	for name, values := range l.Accepted {
		pointer := termsOfLetters[name]
		all[pointer] = append(all[pointer], values...)
	}
	return all
}

// printLetters prints the letters of all parts, each with a JSON file of what is true.
func printLetters(t *testing.T) {
	files, err := filepath.Glob("letters/*/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no letters: ", err)
	}
	b := startBrowser(t, *chromium)
	for _, file := range files {
		part, name := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".html")
		dir := filepath.Join(*layoutsInto, part)
		if err := os.MkdirAll(dir, 0o750); err != nil {
			t.Fatal(err)
		}
		values := letterOf(t, file).accepted()
		printed := map[string]bool{}
		for pointer, accepted := range values {
			if len(accepted) > 0 {
				printed[pointer] = true
			}
		}
		truth, err := json.Marshal(map[string]any{"program": "letters", "accepted": values, "printed": printed})
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		b.open("file://"+path, 1000, true)
		save(t, filepath.Join(dir, "letter-"+name+".pdf"), b.print())
		save(t, filepath.Join(dir, "letter-"+name+".json"), truth)
	}
}

// letterOf is the truth of a letter.
func letterOf(t *testing.T, page string) *letter {
	data, err := os.ReadFile(strings.TrimSuffix(page, ".html") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	l := &letter{}
	if err := json.Unmarshal(data, l); err != nil {
		t.Fatalf("%s: %v", page, err)
	}
	return l
}

// TestLetters holds the truths of the letters against themselves: what is due is part of the
// gross amount, and that is the sum of net amount and VAT.
func TestLetters(t *testing.T) {
	files, err := filepath.Glob("letters/*/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no letters: ", err)
	}
	for _, file := range files {
		l := letterOf(t, file)
		if l.Number == "" || l.IssueDate == "" || len(l.Seller) == 0 || len(l.Buyer) == 0 || cmp.Or(l.Gross, l.Net) == "" {
			t.Errorf("%s: the truth lacks the number, the day, a party or the total", file)
		}
		for name := range l.Accepted {
			if termsOfLetters[name] == "" {
				t.Errorf("%s: %s is accepted for nothing", file, name)
			}
		}
		var net, vat, gross float64
		if n, _ := fmt.Sscan(l.Net+" "+l.Vat+" "+l.Gross, &net, &vat, &gross); n == 3 && (net+vat-gross > 0.005 || gross-net-vat > 0.005) {
			t.Errorf("%s: %s and %s are not %s", file, l.Net, l.Vat, l.Gross)
		}
	}
}
