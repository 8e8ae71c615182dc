package expr_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/engine/expr"
	"einvoice/model"
)

// What people write who do not know the language yet is told in its own words, with the
// column and what to write.
func TestMistakes(t *testing.T) {
	env := expr.NewEnvironment(expr.Options{})
	for _, c := range []struct{ text, want string }{
		{`this.number > 5`, `13: > does not go with a text and an integer: write a text in quotation marks and a number without; decimal(...) is the number that a text gives`},
		{`this.number > `, `15: the expression ends too early: something is missing after its last sign`},
		{`this.numbr == "1"`, `5: undefined field 'numbr': did you mean number?`},
		{`this.lines.all(l, l.netAmount > 0`, `34: a ) is missing`},
		{`this.lines.al(l, true)`, `14: there is no al: did you mean all?`},
		{`has(this)`, `5: has(...) asks about a field, as in has(this.number)`},
		{`this.number = "1"`, `13: = is not an operator: compare with ==`},
		{`number == "1"`, `1: number is not known by itself: write this.number`},
		{`filed(this.number)`, `6: there is no filed: did you mean filled?`},
		{`this.number.isInCodeLst("x")`, `24: there is no isInCodeLst: did you mean isInCodeList?`},
		{`this.number.isInCodeList("x")`, `25: there is no code list "x"`},
		{`this.number && true`, `5: a condition is needed here, and a text is neither true nor false`},
		{`this.lines.sum(l, l.note)`, `15: + does not go with a decimal and a text: numbers are written without quotation marks, and decimal(...) is the number that a text gives`},
		{`this.totals.amountDueForPayment + "1"`, `33: + does not go with a decimal and a text: numbers are written without quotation marks, and decimal(...) is the number that a text gives`},
		{`this.issueDate > "2026-01-01"`, `16: > does not go with a date and a text: date("2026-11-20") is the date that a text gives`},
		{`this.issueDate > 20260101`, `16: > does not go with a date and an integer: date("2026-11-20") is the date that a text gives`},
		{`daysBetween(this.issueDate, this.number)`, `12: daysBetween does not go with a date, a text: it is daysBetween(date, date) -> integer`},
		{`this.?number`, `5: .? is not part of the rule language: write . before a field, which is absent where it is not there; filled(x) asks for it`},
		{`this.sum(l, 1) > 0`, `1: a list is needed before the dot here, and a group (Invoice) is none: name a list in it, as in this.lines`},
		{`"abc`, `1: a text has no end: its closing quotation mark is missing`},
		{`'a' + 'b'`, `1: an assertion must be true or false, this one is a text`},
		{`this.number.matches("[")`, `20: the regular expression has a mistake: missing closing ]: ` + "`" + `[` + "`"},
		{`this.number ? true : false`, `13: before ? a condition is needed, and a text is neither true nor false`},
		{`true ? 1 : "a"`, `6: the values on both sides of : are of one type, and these are an integer and a text; 0.0 is a decimal and 0 is an integer`},
		{`this.number in "abc"`, `13: in looks for a value in a list, and on its right is a text`},
		{`this.number in [1,2]`, `13: in looks for a value in a list of its type, and these are a text and a list of integer; 0.0 is a decimal and 0 is an integer`},
		{`this.lines.netAmount > 0`, `11: a list of group (Line) has no fields: ask its elements, as in .all(x, x.netAmount > 0), or one of them, as in [0]`},
		{`!this.number`, `1: ! turns a condition around, and a text is neither true nor false`},
		{`-this.number == 1`, `1: - makes a number negative, and here is a text`},
		{`this.number.size() == "1"`, `20: == does not go with an integer and a text: write a text in quotation marks and a number without; decimal(...) is the number that a text gives`},
		{`this.lines.exists(l, k.note == "a")`, `22: there is no k: known are this, invoice, the names that a list gives its elements, and functions (` + "`" + `einvoice rules functions` + "`" + `)`},
		{`a ? b`, `6: the : is missing, as in condition ? a : b; where YAML ends the text at it, put the whole expression in quotation marks`},
		{`this.totals.paidAmount % 2 == 0`, `24: % does not go with a decimal and an integer: it is for integers`},
		{`this.number == null`, `13: == does not go with a text and null: null is not part of the rule language; ask has(...), which is false for what is absent`},
		{`{"a": 1}`, `1: maps are not part of the rule language: compare with a list, as in this.typeCode in ["380", "381"], or choose with ? and :`},
		{`[1,"a"]`, `4: the elements of a list have one type: write all numbers with a point, or none`},
		{`this.lines.filter(l, l.note)`, `18: before ? a condition is needed, and a text is neither true nor false`},
		{`1 == 1` + strings.Repeat(" ", 100_000), `1: the expression has more than 100,000 characters: divide it among several rules`},
		{strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + " == 1", `1: the expression is nested too deeply: use fewer parentheses, or divide it among several rules`},
		{`and(true, true)`, `4: and is not a function of the rule language: write a && b`},
		{`this.number == "1" and true`, `20: and is not an operator: write &&`},
		{`this.number == "1" or true`, `20: or is not an operator: write ||`},
		{`not(true)`, `4: not is not a function of the rule language: write !a`},
		{`true | false`, `6: | is not an operator: write ||`},
		{`true & false`, `6: & is not an operator: write &&`},
		{`this.number <> "1"`, `14: > is not expected here; not equal is written !=`},
		{`sum(this.lines)`, `4: sum goes with a list and names its elements, as in this.lines.sum(x, ...)`},
		{`round(1.5)`, `6: round is not a function of the rule language: roundHalfUp(x, digits)`},
		{`len(this.number) == 1`, `4: len is not a function of the rule language: size(x)`},
		{`this.lines.count() == 1`, `17: count does not go with a list of group (Line) before it, nothing in parentheses: it is element.count(text) -> integer, or list of element.count(text) -> integer`},
		{`this.seller.name.lenght() == 1`, `24: there is no lenght, and in place of length: x.size()`},
		{`this.text("cbc:ID") == ""`, `10: text does not go with a group (Invoice) before it, a text in parentheses: it is element.text() -> text, or element.text(text) -> text`},
		{`this.issueDate - this.issueDate == 1`, `16: - does not go with a date and a date: daysBetween(from, to) counts the days between two dates`},
		{`this.issueDate + 1 == this.issueDate`, `16: + does not go with a date and an integer: addDays(date, days) is the date so many days later`},
		{`this.number.startsWith(1)`, `23: startsWith does not go with a text before it, an integer in parentheses: it is text.startsWith(text) -> boolean`},
		{`filled(this.seller)`, `7: filled does not go with a group (Seller): it is filled(text) -> boolean, or filled(decimal) -> boolean, or filled(date) -> boolean, or filled(binary) -> boolean`},
		{`this.lines.map(l, l.netAmount).max() > 1`, `35: max is not a function of the rule language: compare with exists(x, ...) or all(x, ...)`},
		{`ceil(1.5) == 2`, `5: ceil is not a function of the rule language: roundHalfUp(x + 0.5, 0), or compare without rounding`},
		{`this.number == 'it''s'`, `20: 's' is not expected here: an operator or a comma is missing before it, or something else after what stands before`},
		{`this.number == “x”`, `16: a text is between straight quotation marks, " or '`},
		{`10 < this.totals.paidAmount < 20`, `29: < does not go with a condition and an integer: write two comparisons, a < b && b < c`},
		{`5`, `1: an assertion must be true or false, this one is an integer`},
		{`""`, `1: an assertion must be true or false, this one is a text`},
		{`true; false`, `5: ; means nothing in an expression`},
		{`if (true) true`, `1: there is no if: choose with condition ? a : b`},
		{`this.lines.isDistinct()`, `22: isDistinct does not go with a list of group (Line) before it, nothing in parentheses: it is list of text.isDistinct() -> boolean`},
		{`this.typeCode in ["380" "381"]`, `25: a comma is missing before "381"`},
		{`size(this.seller) > 1`, `5: size does not go with a group (Seller): it is text.size() -> integer, or list of A.size() -> integer, or size(text) -> integer, or size(list of A) -> integer`},
		{`this[0] == 1`, `5: [...] takes an element of a list by its number, and before it is a group (Invoice)`},
		{`int("1") == 1`, `4: int is not a function of the rule language: decimal(...) makes a number of a text`},
		{`today() > this.issueDate`, `6: today is not a function of the rule language: compare with terms of the invoice, or give the rule the key effective`},
		{`this.seller.nam == "x"`, `12: undefined field 'nam': did you mean name?`},
		{`this.seller.address.countryCode == "DE"`, `12: undefined field 'address': did you mean legalAddress?`},
		{`this.lines.all(l, l.item.naem == "x" && l.netAmount > 0)`, `25: undefined field 'naem': did you mean name?`},
		{`this.lines.exists(l, this.totals.names == "x" || l.item.name == "")`, `33: undefined field 'names': Totals has none of that name or a similar one`},
		{`this.seller == "x"`, `13: == does not go with a group (Seller) and a text`},
		{`invoice`, `1: an assertion must be true or false, this one is a group (Invoice)`},
		{`this.number.trim() == ""`, `17: trim is not a function of the rule language: normalizeSpace()`},
		{`filled(this.number, 1)`, `7: filled does not go with a text, an integer: it is filled(text) -> boolean, or filled(decimal) -> boolean, or filled(date) -> boolean, or filled(binary) -> boolean`},
		{`this.lines.all(l)`, `15: all goes with a list and names its elements, as in this.lines.all(x, ...)`},
	} {
		_, err := env.Condition(c.text, expr.Group(model.InvoiceType()))
		at, is := errors.AsType[*expr.Error](err)
		if !is {
			t.Errorf("%s: got %v", c.text, err)
			continue
		}
		if got := fmt.Sprintf("%d: %s", at.Column, at.Message); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
		if strings.Contains(at.Message, "overload") || strings.Contains(at.Message, "(in container") || strings.Contains(at.Message, "IDENTIFIER") {
			t.Errorf("%s: the message is that of cel-go", c.text)
		}
	}
}
