// Package model is the normalized invoice, independent of the syntax that it was read
// from: the semantic model of EN 16931-1 (business groups BG-1 to BG-32, business terms
// BT-1 to BT-165), the XRechnung extension and that of Factur-X EXTENDED, as Go structs.
//
// A term has one name everywhere: the json tag is its name in the API, in XPath
// contexts, in CEL and in the fields of findings. The bt tag is its code in the
// standard, and the term tag its name there. The ext tag names the extension that a term
// belongs to, with all that is inside it. Everything else is derived from these
// tags:
//
//	var inv model.Invoice
//	inv.Totals = &model.Totals{SumOfLineNetAmounts: model.NewAmount("100.00")}
//	f, _ := model.TypeOf[model.Totals]().Field("sumOfLineNetAmounts") // f.BT == "BT-106"
//
// Absent, empty and zero are three different things: every leaf says whether it is
// Present, and keeps the text that was written as Raw.
package model
