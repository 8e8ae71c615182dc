package parse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// Compare finds what an attached invoice says otherwise than the pages, where these surely have
// another value. A value that is only written in another form, or that the pages show beside a
// label for it (an alternative), is not doubted. That it stands somewhere else on the pages says
// nothing for an amount or a day: the net total is on each page whose amount due was forged to it.
func (r *Result) Compare(attached *model.Invoice) ([]Contradiction, error) {
	said, err := ValuesOf(attached)
	if err != nil {
		return nil, err
	}
	shown, more := r.shown(), r.linesMore(attached)
	found := []Contradiction{}
	for pointer, f := range r.Fields {
		value, has := said[pointer]
		isLine := strings.HasPrefix(pointer, linesAt)
		if !has || value == "" || !compared().MatchString(pointer) || f.Source == SourceComputed || f.Confidence < leastSure || isLine && len(attached.Lines) != len(r.Invoice.Lines) {
			continue
		}
		isSame := func(other string) bool {
			return lexicon.Fold(value) == lexicon.Fold(other) || sameAmount(value, other)
		}
		isOther := slices.ContainsFunc(f.Alternatives, func(a Alternative) bool { return isSame(a.Value) })
		if isSame(f.Value) || isOther || isWritten(pointer) && shown.says(value) || isLine && !(more[unsigned(value)] < 0 && more[unsigned(f.Value)] > 0) {
			continue
		}
		found = append(found, Contradiction{pointer, value, f})
	}
	slices.SortFunc(found, func(a, b Contradiction) int { return strings.Compare(a.Pointer, b.Pointer) })
	return found, nil
}

// isWritten reports whether a value is an identifier or a code, which is the same wherever a page
// has it, and no amount or day.
func isWritten(pointer string) bool {
	return !strings.HasPrefix(pointer, totalsAt) && !strings.HasPrefix(pointer, linesAt) && !strings.HasSuffix(pointer, "Date")
}

// linesMore is how many lines more that were read have an amount than attached ones. Pages and documents may have the lines
// in another order, and where one line was not read, and a row that is none was, all between them are one farther: only an
// amount that more lines of the pages have contradicts one that fewer have.
func (r *Result) linesMore(attached *model.Invoice) map[string]int {
	more := map[string]int{}
	for i := range r.Invoice.Lines {
		more[unsigned(r.Invoice.Lines[i].NetAmount.Raw)]++
	}
	for i := range attached.Lines {
		more[unsigned(attached.Lines[i].NetAmount.Raw)]--
	}
	return more
}

// unsigned is an amount without its sign and what of it says nothing, as the last 0 of 1.50.
func unsigned(amount string) string {
	s := strings.TrimLeft(strings.TrimPrefix(amount, "-"), "0")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// ValuesOf returns the values of an invoice by JSON pointer, as the fields of a result have them.
func ValuesOf(invoice *model.Invoice) (map[string]string, error) {
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

// sameAmount reports whether two decimal numbers are equal but for their sign: pages show
// those of credit notes with and without one.
func sameAmount(a, b string) bool {
	x, err := model.ParseDecimal(strings.TrimPrefix(a, "-"))
	y, err2 := model.ParseDecimal(strings.TrimPrefix(b, "-"))
	return err == nil && err2 == nil && x.Equal(y)
}

// A shownText is the text of pages without spaces and marks, a row to a line, and their words.
type shownText struct {
	text  string
	words map[string]bool // and two words together
}

func (r *Result) shown() shownText {
	var text strings.Builder
	words := map[string]bool{}
	for _, row := range layout.New(r.sheets[r.part.first:r.part.end]).Rows {
		before := ""
		for _, w := range row.Words {
			word := lexicon.Fold(w.Text)
			text.WriteString(word)
			words[word], words[before+word] = true, true
			before = word
		}
		text.WriteByte('\n')
	}
	return shownText{text.String(), words}
}

// says reports whether an identifier or a code is on the pages in any form; a short one, as R 1, by itself.
func (s shownText) says(value string) bool {
	const short = 2 // characters
	plain := lexicon.Fold(value)
	if len(plain) <= short {
		return s.words[plain]
	}
	return strings.Contains(s.text, plain)
}
