package xpath_test

import (
	"strings"
	"testing"

	"einvoice/engine/xpath"
)

// Values as XPath 1.0 has them (sections 3 and 4).
func TestValues(t *testing.T) {
	d := parseDocument(t, lines)
	for _, c := range []struct{ expression, want string }{
		// 4.2, texts
		{"string(1)", "1"}, {"string(1.50)", "1.5"}, {"string(-0)", "0"}, {"string(100)", "100"}, {"string(.05)", "0.05"},
		{"string(number('a'))", "NaN"}, {"string(true())", "true"}, {"string(1 = 2)", "false"}, {"string(//cbc:Nothing)", ""},
		{"string(//cac:InvoiceLine[3]/cbc:Note)", "true"}, {"string(//cac:SubInvoiceLine)", "23"},
		{"concat('a', 1, true())", "a1true"}, {"concat(//cbc:Note[1], '', //cbc:ID)", "0"},
		{"starts-with('abc', 'ab')", "true"}, {"starts-with('abc', '')", "true"}, {"starts-with(//cbc:Nothing, '')", "true"}, {"starts-with('', 'a')", "false"},
		{"contains('abc', 'bc')", "true"}, {"contains('abc', 'd')", "false"}, {"contains(123, 2)", "true"},
		{"substring-before('1999/04/01', '/')", "1999"}, {"substring-before('a', 'b')", ""}, {"substring-before('a', '')", ""},
		{"substring-after('1999/04/01', '/')", "04/01"}, {"substring-after('1999/04/01', '19')", "99/04/01"}, {"substring-after('a', 'b')", ""}, {"substring-after('a', '')", "a"},
		{"substring('12345', 2, 3)", "234"}, {"substring('12345', 2)", "2345"}, {"substring('12345', 1.5, 2.6)", "234"},
		{"substring('12345', 0, 3)", "12"}, {"substring('12345', number('a'), 3)", ""}, {"substring('12345', 1, number('a'))", ""},
		{"substring('12345', -42)", "12345"}, {"substring('12345', -42, 44)", "1"}, {"substring('12345', 3, -1)", ""}, {"substring('12345', 9)", ""},
		{"substring('zwölf', 3, 1)", "ö"}, {"substring('12345', -0.5, 3)", "12"}, {"substring('12345', 6)", ""},
		{"string-length('zwölf')", "5"}, {"string-length('')", "0"}, {"string-length(//cbc:Nothing)", "0"},
		{"normalize-space(' \t\n a \r b ')", "a b"}, {"normalize-space('a\u00a0 b')", "a\u00a0 b"}, {"normalize-space('')", ""},
		{"translate('bar', 'abc', 'ABC')", "BAr"}, {"translate('--aaa--', 'abc-', 'ABC')", "AAA"}, {"translate('aa', 'aa', 'xy')", "xx"}, {"translate('ä', 'ä', 'ö')", "ö"},
		// 4.3, booleans
		{"boolean('0')", "true"}, {"boolean('')", "false"}, {"boolean(0)", "false"}, {"boolean(-0.0)", "false"}, {"boolean(number('a'))", "false"}, {"boolean(0.01)", "true"},
		{"boolean(//cbc:Note)", "true"}, {"boolean(//cbc:Nothing)", "false"}, {"not('')", "true"}, {"not(//cbc:Note)", "false"}, {"not(2)", "false"},
		// 4.4, numbers
		{"number(' 12 ')", "12"}, {"number('-1.5')", "-1.5"}, {"number('- 1')", "NaN"}, {"number('+1')", "NaN"}, {"number('1e3')", "NaN"}, {"number('0x1')", "NaN"}, {"number('')", "NaN"}, {"number('.')", "NaN"},
		{"number(true())", "1"}, {"number(1 = 2)", "0"}, {"number(//cbc:ID)", "0"}, {"number(//cbc:Nothing)", "NaN"}, {"-number('a')", "NaN"},
		{"sum(//cac:TaxTotal/cbc:Amount)", "0.3"}, {"sum(//cbc:Amount)", "NaN"}, {"sum(//cbc:Nothing)", "0"},
		{"floor(2.6)", "2"}, {"floor(-2.5)", "-3"}, {"ceiling(2.2)", "3"}, {"ceiling(-2.5)", "-2"}, {"floor('a')", "NaN"},
		{"round(2.5)", "3"}, {"round(-2.5)", "-2"}, {"round(-2.6)", "-3"}, {"round(1.4)", "1"}, {"round(2)", "2"},
		{"count(//cbc:Note)", "3"}, {"count(//cbc:Note | //cbc:Note[1] | //cbc:ID)", "9"}, {"count(//cac:InvoiceLine/..)", "1"}, {"count(//*//*//*)", "18"}, {"count(//@currencyID)", "4"}, {"count(//cac:InvoiceLine//@currencyID)", "2"},
		{"position()", "1"}, {"last()", "1"}, {"count(/*/..)", "1"},
		// 4.1, names
		{"name(/*)", "ubl:Invoice"}, {"local-name(/*)", "Invoice"}, {"name(//@currencyID)", "currencyID"}, {"name(//cbc:Nothing)", ""}, {"name()", ""}, {"local-name(..)", ""},
		{"namespace-uri(//@currencyID)", ""},
		// 3.4, comparisons
		{"1 = 1.0", "true"}, {"'1' = '1.0'", "false"}, {"'1' = 1.0", "true"}, {"'1' >= '1.0'", "true"}, {"'a' < 'b'", "false"},
		{"number('a') = number('a')", "false"}, {"number('a') != number('a')", "true"}, {"number('a') <= 1", "false"},
		{"true() = 'a'", "true"}, {"false() = ''", "true"}, {"true() = 2", "true"}, {"true() > 0", "true"}, {"true() >= '1'", "true"},
		{"//cbc:Note = //cbc:Note[1]", "true"}, {"//cbc:Note != //cbc:Note", "true"}, {"//cbc:Nothing = ''", "false"}, {"//cbc:Nothing != ''", "false"},
		{"//cbc:ID > //cbc:Amount", "true"}, {"//cbc:ID < //cbc:Nothing", "false"}, {"boolean(//cbc:Nothing) = (1 = 2)", "true"}, {"(1 = 2) < //cbc:ID", "true"}, {"3 = //cbc:ID", "true"}, {"4 = //cbc:ID", "false"},
		// XPath 2.0, as it has them
		{"ends-with('abc', 'bc')", "true"}, {"ends-with('abc', '')", "true"}, {"ends-with('abc', 'b')", "false"},
		{"upper-case('straße')", "STRASSE"}, {"upper-case('vat')", "VAT"}, {"upper-case(//cbc:Nothing)", ""},
	} {
		if got := d.value(t, c.expression); got != c.want {
			t.Errorf("%s gives %q, want %q", c.expression, got, c.want)
		}
	}
}

// Numbers are exact, however many digits they have.
func TestExactNumbers(t *testing.T) {
	d := parseDocument(t, lines)
	long := strings.Repeat("9", 100) + "." + strings.Repeat("1", 99)
	for expression, want := range map[string]string{
		"string(" + long + ")":                              long,
		long + " > number('" + long[:150] + "')":            "true",
		"floor(" + long + ")":                               strings.Repeat("9", 100),
		"ceiling(" + long + ")":                             "1" + strings.Repeat("0", 100),
		"number('" + strings.Repeat("1", 201) + "')":        "NaN",
		"substring('abc', -" + long + ", " + long + ")":     "",
		"substring('abc', -" + long + ", 1" + long + ")":    "abc",
		"0.1 = number('0.1000000000000000055511151231258')": "false",
	} {
		if got := d.value(t, expression); got != want {
			t.Errorf("%s gives %q, want %q", expression, got, want)
		}
	}
}

// Letters are mapped as Saxon 12.5 maps them by upper-case and lower-case of XPath 2.0.
func TestCase(t *testing.T) {
	for _, c := range [][3]string{
		{"straße", "STRASSE", "straße"}, {"ΟΔΥΣΣΕΥΣ", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"}, {"İstanbul", "İSTANBUL", "i̇stanbul"},
		{"ŉabc", "ʼNABC", "ŉabc"}, {"ﬁn", "FIN", "ﬁn"}, {"aΣ", "AΣ", "aσ"}, {"ǆ", "Ǆ", "ǆ"}, {"Vat", "VAT", "vat"},
	} {
		if got := xpath.UpperCase(c[0]); got != c[1] {
			t.Errorf("upper case of %s: %s, not %s", c[0], got, c[1])
		}
		if got := xpath.LowerCase(c[0]); got != c[2] {
			t.Errorf("lower case of %s: %s, not %s", c[0], got, c[2])
		}
	}
}
