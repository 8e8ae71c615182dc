// Package jsoninvoice reads the JSON form of an invoice strictly, and describes
// it as a JSON Schema.
//
//	invoice, err := jsoninvoice.Decode(data)
//	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
//		for _, m := range e.Mistakes {
//			fmt.Println(m.Pointer, m.Message)
//		}
//	}
//
// The names of the members are those of package model, from which all of this is
// derived. What is not known is refused rather than ignored: a misspelt name
// would otherwise be a term that silently went missing. Amounts, quantities and
// percentages are numbers or strings and keep every digit; dates are ISO 8601;
// null is an absent term. All mistakes are reported at once.
package jsoninvoice
