package jsoninvoice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
)

func ExampleDecode() {
	_, err := jsoninvoice.Decode(context.Background(), []byte(`{
  "number": 17,
  "isueDate": "2026-11-20",
  "lines": [{"vat": {"rate": "19 %"}}]
}`))
	fmt.Println(err)
	// Output:
	// line 2, column 13: /number: this is a number; write it as a string: "17"
	// line 3, column 15: /isueDate: there is no such member; did you mean "issueDate"?
	// line 4, column 30: /lines/0/vat/rate: this is not a decimal number; write one such as 12.50
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, json     string
		pointer, field string
		message        string // part of it
	}{
		{"no JSON", `{"number": }`, "", "", "this is not JSON"},
		{"cut off", `{"number": "1"`, "", "", "ends before it is complete"},
		{"nothing", ``, "", "", "ends before it is complete"},
		{"two values", `{} {}`, "", "", "something follows"},
		{"no UTF-8", "{\"number\": \"\xff\"}", "", "", "not UTF-8"},
		{"too deep", strings.Repeat(`{"a":`, 100), "", "", "more than 64 levels"},
		{"too many values", `{"number": [` + strings.Repeat("0,", 1_000_000) + `0]}`, "", "", "more than 1000000 values"},
		{"a name too long to be meant", `{"` + strings.Repeat("x", 101) + `": 1}`, "/" + strings.Repeat("x", 101), strings.Repeat("x", 101), "nor one of so long a name"},
		{"no object", `[]`, "", "", "this is an array; write an object"},
		{"unknown and far from all", `{"xyzzyplugh": 1}`, "/xyzzyplugh", "xyzzyplugh", "there are number, issueDate,"},
		{"escaped pointer", `{"a/b~c": 1}`, "/a~1b~0c", "a/b~c", "no such member"},
		{"unknown inside", `{"seller": {"nam": "x"}}`, "/seller/nam", "seller.nam", `did you mean "name"?`},
		{"twice", `{"number": "1", "number": "2"}`, "/number", "number", "written twice"},
		{"list no array", `{"lines": {}}`, "/lines", "lines", "this is an object; write an array"},
		{"group no object", `{"seller": "x"}`, "/seller", "seller", "this is a string; write an object with \"name\", \"tradingName\""},
		{"text no string", `{"notes": [{}, {"text": true}]}`, "/notes/1/text", "notes[1].text", "this is a boolean; write a string"},
		{"date of another form", `{"issueDate": "20.11.2026"}`, "/issueDate", "issueDate", "not a date"},
		{"date that is none", `{"issueDate": "2026-02-30"}`, "/issueDate", "issueDate", "not a date"},
		{"amount with comma", `{"totals": {"paidAmount": "1,50"}}`, "/totals/paidAmount", "totals.paidAmount", "not a decimal number"},
		{"huge exponent", `{"totals": {"paidAmount": 1e999999}}`, "/totals/paidAmount", "totals.paidAmount", "more than 200 digits"},
		{"long text", `{"totals": {"paidAmount": "` + strings.Repeat("1", 201) + `"}}`, "/totals/paidAmount", "totals.paidAmount", "more than 200 digits"},
		{"no base64", `{"supportingDocuments": [{"attachment": "§"}]}`, "/supportingDocuments/0/attachment", "supportingDocuments[0].attachment", "not base64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jsoninvoice.Decode(t.Context(), []byte(c.json))
			e, ok := errors.AsType[*jsoninvoice.Error](err)
			if !ok || len(e.Mistakes) != 1 {
				t.Fatalf("got %v, want one mistake", err)
			}
			if m := e.Mistakes[0]; m.Pointer != c.pointer || m.Field != c.field || !strings.Contains(m.Message, c.message) || m.Line == 0 || m.Column == 0 {
				t.Errorf("got %+v", m)
			}
		})
	}
}

// Every number that JSON allows is taken as it is, or has too many digits; none is "not a decimal number".
func TestNumbersOfJSON(t *testing.T) {
	digits := func(n int) string {
		text := make([]byte, 1+rand.IntN(n))
		for i := range text {
			text[i] = byte('0' + rand.IntN(10))
		}
		return string(text)
	}
	for range 5000 {
		number := []string{"", "-"}[rand.IntN(2)] + strings.TrimLeft(digits(30), "0") + "7"
		if rand.IntN(2) == 0 {
			number += "." + digits(30)
		}
		if rand.IntN(2) == 0 {
			number += []string{"e", "E"}[rand.IntN(2)] + []string{"", "+", "-"}[rand.IntN(3)] + digits(3)
		}
		inv, err := jsoninvoice.Decode(t.Context(), []byte(`{"totals": {"paidAmount": `+number+`}}`))
		if err != nil {
			if !strings.Contains(err.Error(), "more than 200 digits") {
				t.Errorf("%s: %v", number, err)
			}
			continue
		}
		want, _ := new(big.Rat).SetString(number)
		if got, ok := new(big.Rat).SetString(inv.Totals.PaidAmount.Value.String()); !ok || got.Cmp(want) != 0 {
			t.Errorf("%s is read as %s", number, inv.Totals.PaidAmount.Raw)
		}
	}
}

// The report on a text with very many mistakes is bounded.
func TestMistakesAreBounded(t *testing.T) {
	_, err := jsoninvoice.Decode(t.Context(), []byte(`{"lines":[`+strings.Repeat(`1,`, 5000)+`1]}`))
	if e, ok := errors.AsType[*jsoninvoice.Error](err); !ok || len(e.Mistakes) != 100 {
		t.Errorf("got %d mistakes", len(e.Mistakes))
	}
}

// A text that consists of empty objects must not take many times its own size, and a
// long name must not take much time.
func TestCostIsBounded(t *testing.T) {
	_, err := jsoninvoice.Decode(t.Context(), []byte(`{"lines":[`+strings.Repeat(`{},`, 900_000)+`{}]}`))
	if e, ok := errors.AsType[*jsoninvoice.Error](err); !ok || !strings.Contains(e.Mistakes[0].Message, "more groups") {
		t.Errorf("got %v", err)
	}
	if _, err := jsoninvoice.Decode(t.Context(), []byte(`{"lines":[`+strings.Repeat(`{},`, 1000)+`{}]}`)); err != nil {
		t.Errorf("a thousand empty lines: %v", err)
	}
	_, err = jsoninvoice.Decode(t.Context(), []byte(`{"`+strings.Repeat("x", 1<<20)+`":1}`))
	if e, ok := errors.AsType[*jsoninvoice.Error](err); !ok || !strings.Contains(e.Mistakes[0].Message, "there is no such member") {
		t.Error("a long name is not a mistake")
	}
}

func TestNumbersAreExact(t *testing.T) {
	for in, want := range map[string]string{
		`0.10`: "0.10", `"0.10"`: "0.10", `123456789012345678901234567890.12`: "123456789012345678901234567890.12",
		`-5`: "-5", `" 7.5 "`: "7.5", `1e3`: "1000", `1.25E-2`: "0.0125", `-1.5e1`: "-15", `12.34e1`: "123.4", `0e5`: "000000",
	} {
		invoice, err := jsoninvoice.Decode(t.Context(), []byte(`{"totals": {"paidAmount": `+in+`}}`))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := invoice.Totals.PaidAmount.Value; !got.Equal(model.MustDecimal(want)) || got.FractionDigits() != model.MustDecimal(want).FractionDigits() {
			t.Errorf("%s is read as %s, want %s", in, got, want)
		}
	}
}

// A member that is null or missing is an absent term; an empty one is not.
func TestAbsent(t *testing.T) {
	invoice, err := jsoninvoice.Decode(t.Context(), []byte(`{"number": null, "buyerReference": "", "seller": null, "lines": null, "buyer": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	if invoice.Number.Present || !invoice.BuyerReference.Present || invoice.Seller != nil || invoice.Lines != nil || invoice.Buyer == nil {
		t.Errorf("got %+v", invoice)
	}
}

// The schema allows exactly the members that decoding knows, and describes them with
// the codes of the standard.
func TestSchemaFollowsTheModel(t *testing.T) {
	var schema struct {
		Ref  string `json:"$ref"`
		Defs map[string]struct {
			Properties map[string]struct {
				Description string
				Type        any
			}
			AdditionalProperties bool
		} `json:"$defs"`
	}
	if err := json.Unmarshal(jsoninvoice.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(*model.Type)
	walk = func(typ *model.Type) {
		if seen[typ.Name] {
			return
		}
		seen[typ.Name] = true
		def, ok := schema.Defs[typ.Name]
		if !ok || def.AdditionalProperties || len(def.Properties) != len(typ.Fields) {
			t.Errorf("%s has %d members, want %d and no others", typ.Name, len(def.Properties), len(typ.Fields))
		}
		for i := range typ.Fields {
			f := &typ.Fields[i]
			if p, ok := def.Properties[f.Name]; !ok || !strings.HasPrefix(p.Description, f.BT) {
				t.Errorf("%s.%s is described as %+v", typ.Name, f.Name, p)
			}
			if f.Elem != nil {
				walk(f.Elem)
			}
		}
	}
	walk(model.InvoiceType())
	if schema.Ref != "#/$defs/Invoice" || len(seen) != len(schema.Defs) {
		t.Errorf("%d definitions for %d groups, root %s", len(schema.Defs), len(seen), schema.Ref)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"number": "1", "lines": [{"netAmount": 1.5e2, "vat": {"rate": "19"}}]}`))
	f.Add([]byte(`{"issueDate": "2026-11-20", "seller": null, "x": [[[{}]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		invoice, err := jsoninvoice.Decode(t.Context(), data)
		if err != nil {
			if e, ok := errors.AsType[*jsoninvoice.Error](err); !ok || len(e.Mistakes) == 0 {
				t.Fatalf("%v says nothing", err)
			}
			return
		}
		// What was read can be written and read again.
		out, err := json.Marshal(invoice)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jsoninvoice.Decode(t.Context(), out); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	})
}

// What is not JSON is told by what belongs there, never in the words of the decoder.
func TestNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"number": }`:             `there is "}"; a value belongs here`,
		`{"number": 'x'}`:          `texts are in double quotes`,
		`{"number": "x",}`:         `after the last member there is no comma`,
		`{number: "x"}`:            `a name in double quotes belongs here`,
		`{"number" "x"}`:           `a colon belongs here`,
		`{"number": "x" "a": 1}`:   `a comma or } belongs here`,
		`{"lines": [{} {}]}`:       `a comma or ] belongs here`,
		"{\"number\": \"a\nb\"}":   `write a line feed as \n`,
		`{"number": "C:\x"}`:       `write a backslash as \\`,
		`{"number": "\u12x"}`:      `four digits`,
		`{"number": 1.}`:           `write one such as`,
		`{"number": True}`:         `a value belongs here`,
		`{"number": nul}`:          `only true, false and null`,
		`{"number": "x"`:           `ends before it is complete`,
		`{"number": "ä" ß}`:        `there is "ß"`,
		`{"number": "x"} {}`:       `something follows`,
		"":                         `ends before it is complete`,
		`{"number": "` + "\x00\"}": `write a line feed as`,
	} {
		_, err := jsoninvoice.Decode(t.Context(), []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
			continue
		}
		for _, word := range []string{"invalid character", "looking for", "literal", "EOF", "object key"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v has the words of the decoder", text, err)
			}
		}
	}
}

// endsAt is a context that ends when it is asked for the nth time.
type endsAt struct {
	context.Context
	asked, end int
}

func (c *endsAt) Err() error {
	if c.asked++; c.asked > c.end {
		return context.Canceled
	}
	return nil
}

// Reading asks its context while it parses and while it makes the invoice, and ends wherever the
// context ends: with its error.
func TestDecodingEnds(t *testing.T) {
	const lines = 2000
	text := []byte(`{"lines":[` + strings.Repeat(`{"identifier":"1"},`, lines) + `{}]}`)
	decode := func(end int) (asked int, err error) {
		ctx := &endsAt{Context: t.Context(), end: end}
		_, err = jsoninvoice.Decode(ctx, text)
		return ctx.asked, err
	}
	all, err := decode(1 << 30)
	if err != nil || all < lines {
		t.Fatalf("reading %d lines asked its context %d times: %v", lines, all, err)
	}
	for _, end := range []int{0, 1, 5, 20, lines / 2, lines} {
		if asked, err := decode(end); !errors.Is(err, context.Canceled) || asked > end+5 {
			t.Errorf("reading whose context ended at %d of %d asked %d times: %v", end, all, asked, err)
		}
	}
}

// Of many mistakes the first hundred are told, and how many there are.
func TestMistakesAreCounted(t *testing.T) {
	for n, says := range map[int]string{3: "", 100: "", 101: "and 1 more", 400: "and 300 more"} {
		_, err := jsoninvoice.Decode(t.Context(), []byte("{"+strings.Repeat(`"x":1,`, n/2)+`"lines":[`+strings.Repeat("1,", n-n/2-1)+"1]}"))
		mistaken, is := errors.AsType[*jsoninvoice.Error](err)
		if !is || mistaken.Count() != n || len(mistaken.Mistakes) != min(n, 100) {
			t.Fatalf("of %d mistakes: %v", n, err)
		}
		if last := err.Error()[strings.LastIndexByte(err.Error(), '\n')+1:]; says != "" && last != says {
			t.Errorf("%d mistakes end with %q", n, last)
		}
	}
}
