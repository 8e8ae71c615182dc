package expr

import (
	"fmt"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/cel"
)

// check parses an expression and checks it against the type of this.
func check(text string, this This) (*node, error) {
	env, err := envFor(this.typ)
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(text)
	if err := mistakeIn(issues, this); err != nil {
		return nil, err
	}
	if err := exactNumbers(parsed.NativeRep(), text); err != nil {
		return nil, err
	}
	checked, issues := env.Check(parsed)
	if err := mistakeIn(issues, this); err != nil {
		return nil, err
	}
	return nodesOf(checked.NativeRep(), checked.NativeRep().Expr())
}

// mistakeIn is the first mistake that cel-go found, nil if there is none.
func mistakeIn(issues *cel.Issues, this This) error {
	if issues.Err() == nil {
		return nil
	}
	first := issues.Errors()[0]
	return &Error{Line: first.Location.Line(), Column: first.Location.Column() + 1, Message: explain(first.Message, this)}
}

// elsewhere are functions of CEL that the rule language does not have, and what to
// write instead.
var elsewhere = map[string]string{
	"int": "decimal(...) makes a number of a text", "uint": "decimal(...) makes a number of a text", "double": "decimal(...) makes a number of a text",
	"string": "raw(...) is a term as text, and a message shows any value in braces", "bytes": "there are no bytes, only texts",
	"bool": "compare the text, as in x == \"true\"", "dyn": "the type of every value is known when the rule loads", "type": "the type of every value is known when the rule loads",
	"timestamp": "date(...) is the day that a text gives", "duration": "days are compared, as in date(\"2026-11-20\") <= this.issueDate",
	"lowerAscii": "lowerCase()", "upperAscii": "upperCase()", "trim": "normalizeSpace()", "charAt": "substring(i, i + 1)",
	"join": "show texts one by one in the message", "format": "a message shows any value in braces", "distinct": "isDistinct()",
	"first": "firstOr(default)", "last": "lastOr(default)",
}

// explain adds to the checker's message what helps people who write rules: the
// nearest field name for a misspelt one, what to write instead of a function that
// does not exist.
func explain(message string, this This) string {
	if name, found := cut(message, "undeclared reference to '", "'"); found {
		if instead := elsewhere[name]; instead != "" {
			return fmt.Sprintf("%s is no function of the rule language: %s", name, instead)
		}
		return message
	}
	if field, found := cut(message, "undefined field '", "'"); found {
		for _, t := range []*model.Type{provider().byName[this.typ.TypeName()], model.InvoiceType()} {
			if t != nil && t.Nearest(field) != "" {
				return message + ": did you mean " + t.Nearest(field) + "?"
			}
		}
		return message
	}
	if strings.HasPrefix(message, "found no matching overload for '_?_:_'") || strings.HasPrefix(message, "found no matching overload for '@in'") {
		return message + ": both sides need the same type, 0.0 is a decimal and 0 is none"
	}
	return message
}

// cut takes the part between two texts out of the beginning of a message.
func cut(message, before, after string) (string, bool) {
	rest, found := strings.CutPrefix(message, before)
	between, _, ends := strings.Cut(rest, after)
	return between, found && ends
}
