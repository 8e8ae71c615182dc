// Package expr is the CEL of rules: cel-go parses and type-checks an
// expression, this package compiles it into closures over the model's own
// types and evaluates them.
//
//	env := expr.NewEnvironment(expr.Options{})
//	program, err := env.Condition("this.lines.all(l, l.netAmount > 0)", expr.Group(model.InvoiceType()))
//	var activation expr.Activation
//	activation.Begin(document, &xpath.Evaluation{Tree: document.Source, Budget: budget.New(ctx, 1_000_000)})
//	activation.SetGroup(model.ObjectOf(document.Invoice))
//	if holds, ok := program.Bool(&activation); !ok {
//		return activation.Err()
//	}
//
// The closures run many times faster than cel-go's interpreter, which boxes
// every value; tests compare the two (docs/adr/0003-cel.md). The package does not
// know rules, nor the files that they are written in.
package expr
