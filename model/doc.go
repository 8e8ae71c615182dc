// Package model is the normalized invoice: the semantic model of EN 16931-1
// (business groups BG-1 to BG-32, business terms BT-1 to BT-165) and the
// XRechnung extension as Go structs, whatever syntax an invoice came in.
//
// A term has one name everywhere: the JSON tag is its name in the API, in an
// XPath context, in CEL and in a finding's fields; the bt tag is its code in the
// standard; the term tag its name there. Everything else is derived from these:
//
//	var inv model.Invoice
//	inv.Totals = &model.Totals{SumOfLineNetAmounts: model.NewAmount("100.00")}
//	f, _ := model.TypeOf[model.Totals]().Field("sumOfLineNetAmounts") // f.BT == "BT-106"
//
// Absent, empty and zero are three different things: every leaf knows whether
// it was Present, and keeps what was written as Raw.
package model
