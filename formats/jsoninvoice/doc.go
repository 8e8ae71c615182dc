// Package jsoninvoice reads invoices in JSON, and describes that JSON as a JSON Schema.
//
//	invoice, err := jsoninvoice.Decode(ctx, data)
//	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
//		for _, m := range e.Mistakes {
//			fmt.Println(m.Pointer, m.Message)
//		}
//	}
//
// The member names are those of package model, from which both are derived. Unknown
// members are refused, because a misspelt name would otherwise be a term that is
// silently missing. Amounts, quantities and percentages are numbers or strings and
// keep all their digits; dates are ISO 8601; null is an absent term. All mistakes are
// reported at once.
package jsoninvoice
