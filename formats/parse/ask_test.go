package parse_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
)

// A fakeModel answers with the words of texts.
type fakeModel struct {
	fields    map[string]string
	vat       []map[string]string
	lines     []map[string]string
	questions []parse.Question
}

var numberedWord = regexp.MustCompile(`(\d+):(\S+)`)

func (f *fakeModel) Ask(_ context.Context, q *parse.Question) (*parse.Answer, error) {
	f.questions = append(f.questions, *q)
	ids := map[string]int{}
	for _, m := range numberedWord.FindAllStringSubmatch(q.Text, -1) {
		if _, seen := ids[m[2]]; !seen {
			ids[m[2]], _ = strconv.Atoi(m[1])
		}
	}
	a := &parse.Answer{Fields: map[string][]int{}}
	for name, text := range f.fields {
		a.Fields[name] = []int{ids[text]}
	}
	rows := func(texts []map[string]string) (rows []map[string][]int) {
		for _, r := range texts {
			row := map[string][]int{}
			for name, text := range r {
				row[name] = []int{ids[text]}
			}
			rows = append(rows, row)
		}
		return rows
	}
	a.Vat, a.Lines = rows(f.vat), rows(f.lines)
	return a, nil
}

// foreign is an invoice in a language that the lexicon does not have.
const foreign = `Invoice
Invoice number: INV-17
Ostja Kauppa
Kaup	Kogus	Hind	Maksumus
Pultti	4	11.20	44.80
Liima	3	18.40	55.20

	Maksuta	100.00
	Maks	20.00
	Maksuga	120.00`

// Totals and lines of a model are taken where those that were read do not close, and the
// VAT breakdown follows from them.
func TestModelCloses(t *testing.T) {
	data := printed(nil, foreign)
	own, err := parse.File(t.Context(), data, parse.Limits{}, parse.Aids{})
	if err != nil {
		t.Fatal(err)
	}
	if f := own.Fields["/totals/totalAmountWithoutVat"]; f != nil {
		t.Fatalf("the program reads a net total itself: %+v", f)
	}
	f := &fakeModel{
		fields: map[string]string{"net": "100.00", "vat": "20.00", "gross": "120.00", "buyerName": "Kauppa"},
		lines: []map[string]string{
			{"netAmount": "44.80", "quantity": "4", "price": "11.20", "name": "Pultti"}, {"netAmount": "55.20", "quantity": "3", "price": "18.40", "name": "Liima"},
		},
	}
	r, err := parse.File(t.Context(), data, parse.Limits{}, parse.Aids{Model: f})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/totals/totalAmountWithoutVat": "100.00", "/totals/taxTotalAmount": "20.00", "/totals/totalAmountWithVat": "120.00",
		"/lines/0/item/name": "Pultti", "/lines/1/netAmount": "55.20", "/lines/1/price/netPrice": "18.40", "/buyer/name": "Kauppa",
	} {
		if got := r.Fields[pointer]; got == nil || got.Value != want || got.Source != parse.SourceModel || got.Box == nil || got.Confidence >= 0.95 {
			t.Errorf("%s is %+v, want %s", pointer, got, want)
		}
	}
	if got := r.Fields["/totals/amountDueForPayment"]; got == nil || got.Value != "120.00" || got.Source != parse.SourceComputed {
		t.Errorf("what is due is %+v", got)
	}
	if len(f.questions) != 1 {
		t.Errorf("asked %d times", len(f.questions))
	}
}

// The totals that were read and do not close stay as alternatives of those of a model.
func TestModelReplacesTotals(t *testing.T) {
	data := printed(nil, `Invoice
Invoice number: INV-17
Buyer: Kauppa
Item	Quantity	Price	Amount
Bolt	4	11.20	44.80
Glue	3	18.40	55.20

	Net total	100.00
	VAT	20.00
	Total with VAT	130.00
	Maksuga	120.00`)
	const gross = "/totals/totalAmountWithVat"
	own, err := parse.File(t.Context(), data, parse.Limits{}, parse.Aids{})
	if err != nil {
		t.Fatal(err)
	}
	if f := own.Fields[gross]; f == nil || f.Value != "130.00" {
		t.Fatalf("the program reads %+v itself", f)
	}
	f := &fakeModel{fields: map[string]string{"net": "100.00", "vat": "20.00", "gross": "120.00"}}
	r, err := parse.File(t.Context(), data, parse.Limits{}, parse.Aids{Model: f})
	if err != nil {
		t.Fatal(err)
	}
	got := r.Fields[gross]
	if got == nil || got.Value != "120.00" || got.Source != parse.SourceModel {
		t.Fatalf("the total is %+v", got)
	}
	if len(got.Alternatives) != 1 || got.Alternatives[0].Value != "130.00" {
		t.Errorf("what was read before is not an alternative: %+v", got.Alternatives)
	}
}

// Lines that do not add up, or that use an amount twice, are not taken.
func TestModelLinesDoNotClose(t *testing.T) {
	for name, lines := range map[string][]map[string]string{
		"one is missing": {{"netAmount": "44.80"}},
		"one is twice":   {{"netAmount": "44.80"}, {"netAmount": "44.80"}},
		"without amount": {{"netAmount": "44.80"}, {"name": "Liima"}},
		"not printed":    {{"netAmount": "44.80"}, {"netAmount": "55.2"}},
	} {
		f := &fakeModel{fields: map[string]string{"net": "100.00", "vat": "20.00", "gross": "120.00"}, lines: lines}
		r, err := parse.File(t.Context(), printed(nil, foreign), parse.Limits{}, parse.Aids{Model: f})
		if err != nil {
			t.Fatal(err)
		}
		for pointer, field := range r.Fields {
			if pointer == "/lines/0/netAmount" && field.Source == parse.SourceModel {
				t.Errorf("%s: the lines are taken", name)
			}
		}
		if len(f.questions) != 2 || len(f.questions[1].Objections) == 0 {
			t.Errorf("%s: asked %d times", name, len(f.questions))
		}
	}
}

// The model hears of what the rules find, if it can change that.
func TestModelHearsOfRules(t *testing.T) {
	f := &fakeModel{}
	check := func(_ context.Context, invoice *model.Invoice) ([]parse.Mistake, error) {
		return []parse.Mistake{
			{Fields: []string{"/seller/name"}, Message: "A-1: the seller has no name"},
			{Fields: []string{"/buyer/postalAddress/countryCode"}, Message: "A-2: the buyer has no country"},
		}, nil
	}
	if _, err := parse.File(t.Context(), printed(nil, fmt.Sprintf(bill, "INV-17", "58.31")), parse.Limits{}, parse.Aids{Model: f, Check: check}); err != nil {
		t.Fatal(err)
	}
	if len(f.questions) != 2 || !slices.Equal(f.questions[1].Objections, []string{"A-1: the seller has no name"}) {
		t.Errorf("asked %d times: %v", len(f.questions), f.questions[len(f.questions)-1].Objections)
	}
}

// A VAT breakdown of a model is taken where none was read, its rows agree, and they add up
// to the totals; else the model hears why it is not.
func TestModelVat(t *testing.T) {
	const two = `Invoice
Invoice number: INV-18
Net total	260.00
VAT total	47.00
Total amount	307.00

Alvut
24%	Alv	10%	Alv
150.00	Peruste	110.00	Peruste
36.00	Veron	11.00	Veron`
	first, second := map[string]string{"rate": "24%", "base": "150.00", "tax": "36.00"}, map[string]string{"rate": "10%", "base": "110.00", "tax": "11.00"}
	own, err := parse.File(t.Context(), printed(nil, two), parse.Limits{}, parse.Aids{})
	if err != nil {
		t.Fatal(err)
	}
	if len(own.Invoice.VatBreakdowns) != 0 {
		t.Fatalf("the program reads %d rows itself", len(own.Invoice.VatBreakdowns))
	}
	for name, c := range map[string]struct {
		rows      []map[string]string
		objection string
	}{
		"both":          {[]map[string]string{first, second}, ""},
		"one":           {[]map[string]string{first}, "add up to 150.00 and 36.00 VAT"},
		"one twice":     {[]map[string]string{first, first}, "add up to"},
		"exchanged":     {[]map[string]string{{"rate": "24%", "base": "110.00", "tax": "11.00"}, {"rate": "10%", "base": "150.00", "tax": "36.00"}}, "24 % of 110.00 is not 11.00"},
		"no tax":        {[]map[string]string{first, {"rate": "10%", "base": "110.00"}}, "vat[1].tax is missing"},
		"not of a type": {[]map[string]string{{"rate": "Alv", "base": "150.00", "tax": "36.00"}, second}, "are not of type percentage"},
	} {
		f := &fakeModel{vat: c.rows}
		r, err := parse.File(t.Context(), printed(nil, two), parse.Limits{}, parse.Aids{Model: f})
		if err != nil {
			t.Fatal(err)
		}
		if c.objection != "" {
			if len(r.Invoice.VatBreakdowns) != 0 || len(f.questions) != 2 || !slices.ContainsFunc(f.questions[1].Objections, func(o string) bool { return strings.Contains(o, c.objection) }) {
				t.Errorf("%s: %d rows; told are %q", name, len(r.Invoice.VatBreakdowns), f.questions[len(f.questions)-1].Objections)
			}
			continue
		}
		for pointer, want := range map[string]string{
			"/vatBreakdowns/0/rate": "24", "/vatBreakdowns/0/taxableAmount": "150.00", "/vatBreakdowns/1/taxAmount": "11.00",
		} {
			if got := r.Fields[pointer]; got == nil || got.Value != want || got.Source != parse.SourceModel || got.Box == nil || got.Confidence >= 0.95 {
				t.Errorf("%s: %s is %+v, want %s", name, pointer, got, want)
			}
		}
		if len(f.questions) != 1 || len(f.questions[0].Vat) != 3 {
			t.Errorf("%s: asked %d times for %v", name, len(f.questions), f.questions[0].Vat)
		}
	}
}
