// Package engine loads rulesets, checks and compiles their rules, and runs them
// over a normalized invoice.
//
// A rule selects groups of the invoice with XPath and decides each with CEL:
//
//	library, err := engine.Open(rulesets.FS)
//	validator, err := library.Validator("en16931")
//	report, err := validator.Validate(ctx, document)
//	for _, f := range report.Findings {
//		fmt.Println(f.Rule, f.Line, f.Message)
//	}
//
// Nothing in this package knows a single rule: what the standards say is in the
// rulesets, and every function that rules may call is general.
//
// Package expr is the CEL of rules, package xpath their XPath, package budget
// bounds what a rule may cost, package lint checks a library of rules, and package ruletest
// runs the examples of rules and describes them.
package engine
