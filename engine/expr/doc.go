// Package expr is the CEL of rules: cel-go parses and type-checks an
// expression, this package compiles it into closures over the model's own
// types and evaluates them.
//
//	env := expr.NewEnvironment(expr.Options{})
//	program, err := env.Condition("this.lines.all(l, l.netAmount > 0)", expr.Group(model.InvoiceType()))
//	activation := new(expr.Activation)
//	activation.Begin(document, budget)
//	activation.SetGroup(model.ObjectOf(document.Invoice))
//	holds, err := program.Bool(activation)
//
// The closures run many times faster than cel-go's interpreter, which boxes
// every value (docs/adr/0003-cel.md). The package knows the model and documents,
// and neither rules nor how they are written.
package expr
