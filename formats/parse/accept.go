package parse

import (
	"cmp"
	"fmt"
	"slices"
)

// A Decision says whether an invoice may be posted without a look.
type Decision struct {
	Accept bool    `json:"accept"`
	Least  float64 `json:"least"` // the confidence that was asked for
	// Fields are what a person has to look at, as JSON pointers, the most money at risk first.
	Fields []string `json:"fields"`
}

// atRisk is what is posted and paid by, the most money first: how much of it a wrong value
// puts at risk, and whether an invoice has to have it.
var atRisk = []struct {
	pointer string
	risk    float64
	needed  bool
}{
	{"/typeCode", 1, false}, {accountAt, 1, false}, {"/totals/amountDueForPayment", 1, true}, {"/totals/totalAmountWithVat", 1, true}, {"/currencyCode", 0.9, true},
	{"/totals/taxTotalAmount", 0.9, true}, {"/totals/totalAmountWithoutVat", 0.9, true}, {"/number", 0.8, true}, {"/seller/name", 0.8, true},
	{"/issueDate", 0.7, true}, {"/buyer/name", 0.6, true}, {"/seller/vatIdentifier", 0.5, false}, {"/paymentDueDate", 0.5, false},
	{"/delivery/actualDeliveryDate", 0.4, false},
}

// otherRisk is that of all other values.
const otherRisk = 0.3

// riskOf is how much money a wrong value puts at risk, from 0 to 1.
func riskOf(pointer string) float64 {
	for _, f := range atRisk {
		if f.pointer == pointer {
			return f.risk
		}
	}
	return otherRisk
}

// grave is the weight of what a person has to look at however sure the values are.
const grave = 0.8

// Decide accepts a document that is an invoice, and of which everything that is posted and paid
// by was read, with a confidence each, where the review has nothing grave.
func (r *Result) Decide(least float64) *Decision {
	d := &Decision{Least: least, Fields: []string{}}
	look := func(pointer string) {
		if !slices.Contains(d.Fields, pointer) {
			d.Fields = append(d.Fields, pointer)
		}
	}
	for _, f := range atRisk {
		switch got := r.Fields[f.pointer]; {
		case f.pointer == "/typeCode": // by the kind of the document
		case got == nil && f.needed, got != nil && got.Confidence < least:
			look(f.pointer)
		}
	}
	for i := range r.Invoice.Lines {
		at := fmt.Sprintf("%s/%d/netAmount", linesAt, i)
		if got := r.Fields[at]; got == nil || got.Confidence < least {
			look(at)
		}
	}
	if r.Kind.Confidence < least {
		look("/typeCode")
	}
	told := false // of something that is about no value
	for _, x := range r.Review {
		if x.Weight >= grave {
			told = true
			for _, pointer := range x.Fields {
				look(pointer)
			}
		}
	}
	slices.SortStableFunc(d.Fields, func(a, b string) int { return cmp.Compare(riskOf(b), riskOf(a)) })
	d.Accept = len(d.Fields) == 0 && !told && len(r.CodeContradictions) == 0
	return d
}
