package parse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model"
)

// A Contradiction is a value of an attached invoice that the pages do not show, where
// they show another.
type Contradiction struct {
	Pointer  string `json:"pointer"`  // JSON pointer into the invoice
	Attached string `json:"attached"` // what the attached invoice says
	*Field          // what the pages say
}

// compared are the fields that are compared: a person would act on a difference. Names
// are not, because pages and documents write them in many ways.
var compared = lexicon.Pattern(`^/(number|issueDate|paymentDueDate|currencyCode|purchaseOrderReference|` +
	`totals/(sumOfLineNetAmounts|totalAmountWithoutVat|taxTotalAmount|totalAmountWithVat|paidAmount|amountDueForPayment)|` +
	`(seller|buyer)/vatIdentifier|paymentInstructions/means/0/creditTransfers/0/accountIdentifier|` +
	`lines/\d+/netAmount)$`)

// leastSure is the confidence that a value of the pages needs to contradict another.
const leastSure = 0.8

// Compare finds what an attached invoice says otherwise than the pages: values that are
// nowhere on the pages, where these surely have another. What the pages show is not
// doubted where it is only written in another form.
func (r *Result) Compare(attached *model.Invoice) ([]Contradiction, error) {
	said, err := flat(attached)
	if err != nil {
		return nil, err
	}
	shown := r.shown()
	found := []Contradiction{}
	for pointer, f := range r.Fields {
		value, has := said[pointer]
		isLine := strings.HasPrefix(pointer, "/lines/")
		if !has || value == "" || !compared().MatchString(pointer) || f.Source == SourceComputed || f.Confidence < leastSure || isLine && len(attached.Lines) != len(r.Invoice.Lines) {
			continue
		}
		if plain := lexicon.Fold(value); plain == lexicon.Fold(f.Value) || shown.has(value) || sameAmount(value, f.Value) {
			continue
		}
		found = append(found, Contradiction{pointer, value, f})
	}
	slices.SortFunc(found, func(a, b Contradiction) int { return strings.Compare(a.Pointer, b.Pointer) })
	return found, nil
}

// flat are the values of an invoice by JSON pointer.
func flat(invoice *model.Invoice) (map[string]string, error) {
	data, err := json.Marshal(invoice)
	if err != nil {
		return nil, err
	}
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	values := map[string]string{}
	var walk func(at string, of any)
	walk = func(at string, of any) {
		switch v := of.(type) {
		case map[string]any:
			for name, child := range v {
				walk(at+"/"+name, child)
			}
		case []any:
			for i, child := range v {
				walk(fmt.Sprintf("%s/%d", at, i), child)
			}
		case string:
			values[at] = v
		case json.Number:
			values[at] = v.String()
		}
	}
	walk("", tree)
	return values, nil
}

// sameAmount tells whether two decimal numbers are equal but for their sign: pages show
// those of credit notes with and without one.
func sameAmount(a, b string) bool {
	x, err := model.ParseDecimal(strings.TrimPrefix(a, "-"))
	y, err2 := model.ParseDecimal(strings.TrimPrefix(b, "-"))
	return err == nil && err2 == nil && x.Equal(y)
}

// A shownText is all that pages show: their text without spaces and marks, and their
// numbers and days.
type shownText struct {
	text   string
	values map[string]bool
}

func (r *Result) shown() *shownText {
	l := layout.New(r.sheets)
	n := candidate.NotationOf(l)
	s := &shownText{values: map[string]bool{}}
	var text strings.Builder
	for _, row := range l.Rows {
		for i, w := range row.Words {
			text.WriteString(lexicon.Fold(w.Text))
			if number, used := n.At(row.Words[i:]); used > 0 {
				s.values[candidate.DecimalText(candidate.Abs(number.Value), 0)] = true
			}
			if day, used := n.DateAt(row.Words[i:]); used > 0 {
				s.values[day.ISO()] = true
			}
		}
		text.WriteByte('\n')
	}
	s.text = text.String()
	return s
}

// has tells whether a value of an invoice is on the pages in any form.
func (s *shownText) has(value string) bool {
	if s.values[value] {
		return true
	}
	n := candidate.Number{}
	if (candidate.Notation{Decimal: '.'}).Parse(strings.TrimPrefix(value, "-"), &n) {
		return s.values[candidate.DecimalText(n.Value, 0)]
	}
	plain := lexicon.Fold(value)
	return len(plain) > 2 && strings.Contains(s.text, plain)
}
