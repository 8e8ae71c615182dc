package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/nearest"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// mistakeIn is the first mistake that cel-go found, nil if there is none, in words for
// people who write rules. without is the group that lacks a field.
func mistakeIn(issues *cel.Issues, this This, without func(field string) *model.Type) error {
	if issues.Err() == nil {
		return nil
	}
	first := issues.Errors()[0]
	for _, e := range issues.Errors() {
		if !strings.Contains(e.Message, "!error!") { // otherwise it only follows from another
			first = e
			break
		}
	}
	// A mistake of the whole, such as its length, has no place: line -1.
	return &Error{Line: max(first.Location.Line(), 1), Column: max(first.Location.Column(), 0) + 1, Message: inWords(first.Message, this, without)}
}

// inWords says a message of cel-go in the words of the rule language.
func inWords(message string, this This, without func(field string) *model.Type) string {
	if rest, found := strings.CutPrefix(message, "Syntax error: "); found {
		return syntaxMistake(rest)
	}
	if name, found := cut(message, "undeclared reference to '", "'"); found {
		return unknownName(name, this)
	}
	if field, found := cut(message, "undefined field '", "'"); found {
		return unknownField(field, without(field))
	}
	if rest, found := strings.CutPrefix(message, "found no matching overload for '"); found {
		name, args, _ := strings.Cut(rest, "' applied to '")
		return wrongOperands(name, strings.TrimSuffix(args, "'"))
	}
	if name, found := cut(message, "reserved identifier: ", "\n"); found || strings.HasPrefix(message, "reserved identifier: ") {
		if !found {
			name = strings.TrimPrefix(message, "reserved identifier: ")
		}
		if name == "if" {
			return "there is no if: choose with condition ? a : b"
		}
		return name + " is reserved and cannot be a name"
	}
	if t, found := cut(message, "expected type 'bool' but found '", "'"); found {
		return "a condition is needed here, and " + aType(t) + " is neither true nor false"
	}
	if t, found := cut(message, "type '", "' does not support field selection"); found {
		if strings.HasPrefix(t, "list(") {
			return aType(t) + " has no fields: ask its elements, as in .all(x, x.netAmount > 0), or one of them, as in [0]"
		}
		return aType(t) + " has no fields"
	}
	if t, found := cut(message, "expression of type '", "' cannot be range of a comprehension"); found {
		return "a list is needed before the dot here, and " + aType(t) + " is none: name a list in it, as in this.lines"
	}
	if sign, found := cut(message, "unsupported syntax '", "'"); found {
		return sign + " is not part of the rule language: write . before a field, which is absent where it is not there; filled(x) asks for it"
	}
	if strings.HasPrefix(message, "expression code point size exceeds limit") {
		return "the expression has more than 100,000 characters: divide it among several rules"
	}
	if strings.HasPrefix(message, "expression recursion limit exceeded") {
		return "the expression is nested too deeply: use fewer parentheses, or divide it among several rules"
	}
	if strings.HasPrefix(message, "invalid argument to has() macro") {
		return "has(...) asks about a field, as in has(this.number)"
	}
	return message
}

// cut takes the part between two texts out of the beginning of a message.
func cut(message, before, after string) (string, bool) {
	rest, found := strings.CutPrefix(message, before)
	between, _, ends := strings.Cut(rest, after)
	return between, found && ends
}

// elsewhere are names that other languages have for what the rule language says
// otherwise.
var elsewhere = map[string]string{
	"int": "decimal(...) makes a number of a text", "uint": "decimal(...) makes a number of a text", "double": "decimal(...) makes a number of a text",
	"string": "raw(...) is a term as text, and a message shows any value in braces", "bytes": "there are no bytes, only texts",
	"bool": "compare the text, as in x == \"true\"", "dyn": "the type of every value is known when the rule loads", "type": "the type of every value is known when the rule loads",
	"timestamp": "date(...) is the day that a text gives", "duration": "days are compared, as in date(\"2026-11-20\") <= this.issueDate",
	"lowerAscii": "lowerCase()", "upperAscii": "upperCase()", "trim": "normalizeSpace()", "charAt": "substring(i, i + 1)",
	"join": "show texts one by one in the message", "format": "a message shows any value in braces", "distinct": "isDistinct()",
	"first": "firstOr(default)", "last": "lastOr(default)", "len": "size(x)", "length": "x.size()", "round": "roundHalfUp(x, digits)",
	"and": "write a && b", "or": "write a || b", "not": "write !a", "today": "compare with terms of the invoice, or give the rule the key effective",
	"max": "compare with exists(x, ...) or all(x, ...)", "min": "compare with exists(x, ...) or all(x, ...)",
	"ceil": "roundHalfUp(x + 0.5, 0), or compare without rounding", "floor": "roundHalfUp(x - 0.5, 0), or compare without rounding",
	"now": "compare with terms of the invoice, or give the rule the key effective",
}

func unknownName(name string, this This) string {
	if instead := elsewhere[name]; instead != "" {
		return fmt.Sprintf("%s is not a function of the rule language: %s", name, instead)
	}
	for variable, t := range map[string]*model.Type{varThis: provider().byName[this.typ.TypeName()], varInvoice: model.InvoiceType()} {
		if t == nil {
			continue
		}
		if _, has := t.Field(name); has && (variable == varThis || this.typ.TypeName() != t.Name) {
			return fmt.Sprintf("%s is not known by itself: write %s.%s", name, variable, name)
		}
	}
	if slices.Contains(macros, name) {
		return fmt.Sprintf("%s goes with a list and names its elements, as in this.lines.%s(x, ...)", name, name)
	}
	near := nearest.Of(name, names())
	if instead := elsewhere[near]; instead != "" {
		return fmt.Sprintf("there is no %s, and in place of %s: %s", name, near, instead)
	}
	if near != "" {
		return fmt.Sprintf("there is no %s: did you mean %s?", name, near)
	}
	return fmt.Sprintf("there is no %s: known are this, invoice, the names that a list gives its elements, and functions (`einvoice rules functions`)", name)
}

// macros are what is written after a list.
var macros = []string{"all", "exists", "exists_one", "filter", "map", "sum"}

// names are the functions, macros and variables of the rule language, and names that have
// something in their place.
func names() []string {
	all := append([]string{varThis, varInvoice, "has"}, macros...)
	all = slices.AppendSeq(all, maps.Keys(elsewhere))
	slices.Sort(all)
	for _, f := range functions {
		all = append(all, f.name)
	}
	return all
}

// unknownField says that a group has no field of a name, and which one may be meant. The group is
// nil if it cannot be told.
func unknownField(field string, of *model.Type) string {
	message := fmt.Sprintf("undefined field '%s'", field)
	switch {
	case of == nil:
		return message
	case of.Nearest(field) == "":
		return fmt.Sprintf("%s: %s has none of that name or a similar one", message, of.Name)
	}
	return message + ": did you mean " + of.Nearest(field) + "?"
}

// groupWithout is the group in which cel-go looks for a field in vain, which its message does not
// say.
func groupWithout(env *cel.Env, parsed *cel.Ast, field string) *model.Type {
	asked := &failedLookups{modelProvider: provider(), of: map[string]*model.Type{}}
	again, err := env.Extend(cel.CustomTypeProvider(asked))
	if err != nil {
		return nil
	}
	_, _ = again.Check(parsed) // the mistakes are known
	return asked.of[field]
}

// failedLookups notes the fields that groups lack, of each name the first.
type failedLookups struct {
	*modelProvider
	of map[string]*model.Type
}

// FindStructFieldType notes a field that is not there.
func (f *failedLookups) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	found, ok := f.modelProvider.FindStructFieldType(name, field)
	if !ok && f.of[field] == nil {
		f.of[field] = f.byName[name]
	}
	return found, ok
}

// typeWords are what the types of cel-go are called.
var typeWords = map[string]string{
	"string": "a text", "int": "an integer", "bool": "a condition", "decimal": "a decimal", "date": "a date", "binary": "a binary", "element": "an element", "null": "null",
}

// aType is a type of cel-go in words.
func aType(t string) string {
	if word := typeWords[t]; word != "" {
		return word
	}
	if inside, is := strings.CutPrefix(t, "list("); is {
		return "a list of " + strings.TrimPrefix(strings.TrimPrefix(aType(strings.TrimSuffix(inside, ")")), "an "), "a ")
	}
	return "a group (" + t + ")"
}

// wrongOperands says what an operator or a function cannot be applied to.
func wrongOperands(name, written string) string {
	receiver, inside, member := strings.Cut(written, ".(")
	if !member {
		receiver, inside = "", strings.TrimPrefix(written, "(")
	}
	var args []string
	for _, arg := range strings.Split(strings.TrimSuffix(inside, ")"), ", ") {
		if arg != "" {
			args = append(args, arg)
		}
	}
	switch {
	case name == "_?_:_" && len(args) == 3 && args[0] != "bool":
		return "before ? a condition is needed, and " + aType(args[0]) + " is neither true nor false"
	case name == "_?_:_" && len(args) == 3:
		return fmt.Sprintf("the values on both sides of : are of one type, and these are %s and %s; 0.0 is a decimal and 0 is an integer", aType(args[1]), aType(args[2]))
	case name == "@in" && len(args) == 2 && !strings.HasPrefix(args[1], "list("):
		return "in looks for a value in a list, and on its right is " + aType(args[1])
	case name == "@in" && len(args) == 2:
		return fmt.Sprintf("in looks for a value in a list of its type, and these are %s and %s; 0.0 is a decimal and 0 is an integer", aType(args[0]), aType(args[1]))
	case name == "_[_]" && len(args) == 2:
		return "[...] takes an element of a list by its number, and before it is " + aType(args[0])
	case name == "!_" && len(args) == 1:
		return "! turns a condition around, and " + aType(args[0]) + " is neither true nor false"
	case name == "-_" && len(args) == 1:
		return "- makes a number negative, and here is " + aType(args[0])
	}
	if operator := strings.Trim(name, "_"); len(args) == 2 && strings.HasPrefix(name, "_") {
		return fmt.Sprintf("%s does not go with %s and %s%s", operator, aType(args[0]), aType(args[1]), operandHint(operator, args[0], args[1]))
	}
	return wrongArguments(name, receiver, args)
}

// operandHint says what may have been meant.
func operandHint(operator, left, right string) string {
	has := func(t string) bool { return left == t || right == t }
	number := has("int") || has("decimal")
	switch {
	case has("null"):
		return ": null is not part of the rule language; ask has(...), which is false for what is absent"
	case has("bool") && slices.Contains([]string{"<", "<=", ">", ">="}, operator):
		return ": write two comparisons, a < b && b < c"
	case left == "date" && right == "date" && operator == "-":
		return ": daysBetween(from, to) counts the days between two dates"
	case left == "date" && right == "int" && (operator == "-" || operator == "+"):
		return ": addDays(date, days) is the date so many days later"
	case has("date"):
		return ": date(\"2026-11-20\") is the date that a text gives"
	case has("string") && number && slices.Contains([]string{"+", "-", "*", "/", "%"}, operator):
		return ": numbers are written without quotation marks, and decimal(...) is the number that a text gives"
	case has("string") && number:
		return ": write a text in quotation marks and a number without; decimal(...) is the number that a text gives"
	case operator == "%":
		return ": it is for integers"
	}
	return ""
}

// wrongArguments says how a function is called.
func wrongArguments(name, receiver string, args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = aType(arg)
	}
	given := "nothing"
	if len(words) > 0 {
		given = strings.Join(words, ", ")
	}
	if receiver != "" {
		given = aType(receiver) + " before it, " + given + " in parentheses"
	}
	if isLookup(name) && len(args) > 1 {
		return fmt.Sprintf("the key of a look-up is a text, and here is %s", words[1])
	}
	for _, f := range Functions() {
		if f.Name == name {
			return fmt.Sprintf("%s does not go with %s: it is %s", name, given, strings.Join(f.Signatures, ", or "))
		}
	}
	return fmt.Sprintf("%s does not go with %s", name, given)
}

// wordsForOperators are words that other languages have for operators.
var wordsForOperators = map[string]string{"and": "&&", "or": "||", "not": "!", "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "is": "=="}

// syntaxMistake says what is wrong with an expression that cannot be read.
func syntaxMistake(message string) string {
	if token, found := cut(message+"\n", "token recognition error at: '", "'\n"); found {
		return unknownToken(strings.TrimSpace(token))
	}
	if strings.Contains(message, "'<EOF>' expecting ':'") {
		return "the : is missing, as in condition ? a : b; where YAML ends the text at it, put the whole expression in quotation marks"
	}
	if missing, found := cut(message, "missing '", "' at"); found {
		return "a " + missing + " is missing"
	}
	if strings.Contains(message, "input '<EOF>'") || strings.Contains(message, "at input '<EOF>'") {
		return "the expression ends too early: something is missing after its last sign"
	}
	for _, before := range []string{"mismatched input '", "extraneous input '", "no viable alternative at input '"} {
		token, found := strings.CutPrefix(message, before)
		if !found {
			continue
		}
		if end := strings.LastIndex(token, "' expecting"); end >= 0 {
			token = token[:end]
		} else {
			token = strings.TrimSuffix(token, "'")
		}
		if operator := wordsForOperators[token]; operator != "" {
			return fmt.Sprintf("%s is not an operator: write %s", token, operator)
		}
		if token == ">" {
			return "> is not expected here; not equal is written !="
		}
		if strings.HasSuffix(message, "expecting {']', ','}") {
			return "a comma is missing before " + token
		}
		return token + " is not expected here: an operator or a comma is missing before it, or something else after what stands before"
	}
	return message
}

// unknownToken says what to write in place of signs that mean nothing.
func unknownToken(token string) string {
	switch {
	case strings.HasPrefix(token, "="):
		return "= is not an operator: compare with =="
	case token == "|" || token == "&":
		return fmt.Sprintf("%s is not an operator: write %s%s", token, token, token)
	case (strings.HasPrefix(token, "\"") || strings.HasPrefix(token, "'")) && strings.Contains(token, `\`):
		return `a \ in a text begins a sign such as \n or \t, and this one begins none: write regular expressions as r"..."`
	case strings.HasPrefix(token, "\"") || strings.HasPrefix(token, "'"):
		return "a text has no end: its closing quotation mark is missing"
	case strings.ContainsAny(token, "“”„‘’«»"):
		return "a text is between straight quotation marks, \" or '"
	}
	return token + " means nothing in an expression"
}
