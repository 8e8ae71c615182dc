// Package ruletest tests rules and tells about them: it runs the examples that
// are written beside a rule, makes the smallest documents that a row of a table
// accepts and refuses, counts what rules did over many documents, compares two
// rulesets, and gathers all that is known of a rule on its card.
//
//	for _, result := range ruletest.Examples(library, ruleset.Rules, formats.Read) {
//		if !result.OK() {
//			fmt.Println(result.File, result.Line, result.Error)
//		}
//	}
package ruletest
