package expr_test

import (
	"errors"
	"testing"
)

// withoutValue are expressions that have no value on the base invoice, of the kinds that the
// generator of expressions does not make.
var withoutValue = []string{
	`lookup("countries", "FR").capital == ""`,
	`addDays(date("9999-12-31"), 1) == addDays(date("0001-01-01"), -1)`,
	`addDays(date("0001-01-01"), -1) == date("2026-01-01")`,
	`"1".checksum([1].filter(x, x > 1), 10) == 0`,
	`roundHalfUp(1.5, 9999) == 1.5`, `roundXPath(1.5, -9999) == 1.5`,
	`"abc".substring(2, 1) == ""`, `"abc".substring(9) == ""`, `"a".substring(0, 4) == ""`,
	`[1, 2][5] == 1`, `invoice.lines[99].netAmount == 1.0`,
	`9223372036854775807 + 1 == 0`, `1 / 0 == 1`, `1 % 0 == 1`, `1.5 / 0.0 == 1.0`,
	`decimal("x") == 1.0`, `decimal("") == 1.0`, `date("2026-13-01") == date("2026-01-01")`, `date("") == date("2026-01-01")`, `binary("x") == 1.0`,
	`invoice.lines.sum(l, l.netAmount * 99999999999999999999999999999999999999999999999999999999999999999999999999999999.0 * 99999999999999999999999999999999999999999999999999999999999999999999999999999999.0 * 99999999999999999999999999999999999999999999999999999999999999999999999999999999.0) == 1.0`,
	`this.total("cbc:ID") == 1.0`, `this.buyerReference == "x"`,
}

// Whatever keeps an expression from having a value: validate --explain says it in the language of
// the report.
func TestReasonsAreTranslated(t *testing.T) {
	library := shippedLibrary(t)
	at := places(t)
	reasons := map[string]string{} // with an expression
	v := &evaluator{env: environment()}
	try := func(text string, p place) {
		if _, err := v.value(text, p.doc, p.this); err != nil && !errors.Is(err, errRefused) {
			reasons[err.Error()] = text
		}
	}
	for _, p := range at {
		for _, text := range withoutValue {
			try(text, p)
		}
		for seed := range uint64(1500) {
			try(newGenerator(seed, p.this).expression(boolean, 4), p)
		}
	}
	if len(reasons) < 20 {
		t.Errorf("only %d reasons were tried: %v", len(reasons), reasons)
	}
	for _, tag := range []string{"de", "fr"} {
		language, err := library.Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		for reason, text := range reasons {
			if _, found := language.Phrase(reason); !found {
				t.Errorf("%s: %s: not said in the language: %s", tag, text, reason)
			}
		}
	}
}
