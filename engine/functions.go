package engine

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// A function may be called by rules. The table below is the whole library; the
// documentation (docs/rule-language.md, `einvoice rules functions`) is printed
// from it, and a test runs every example.
type function struct {
	name      string
	doc       string
	example   string // an expression over the engine's example invoice that is true
	overloads []overload
}

type overload struct {
	member  bool
	args    []*types.Type
	result  *types.Type
	compile func(*Library, []expr) (expr, error)
}

// member and global declare an overload whose compiled form follows from its
// arguments alone.
func member(compile func([]expr) expr, result *types.Type, args ...*types.Type) overload {
	return overload{member: true, args: args, result: result, compile: plain(compile)}
}

func global(compile func([]expr) expr, result *types.Type, args ...*types.Type) overload {
	return overload{args: args, result: result, compile: plain(compile)}
}

func plain(compile func([]expr) expr) func(*Library, []expr) (expr, error) {
	return func(_ *Library, args []expr) (expr, error) { return compile(args), nil }
}

// function compiles a call of the table's overload that takes these arguments.
func (c *compiler) function(name string, args []expr) (expr, error) {
	for i := range functions {
		if functions[i].name != name {
			continue
		}
		for _, o := range functions[i].overloads {
			if o.takes(args) {
				out, err := o.compile(c.library, args)
				if out.typ == nil {
					out.typ = o.result
				}
				return out, err
			}
		}
	}
	names := make([]string, len(args))
	for i := range args {
		names[i] = typeName(args[i].typ)
	}
	return expr{}, fmt.Errorf("%s cannot take %s", strings.Trim(name, "_"), strings.Join(names, " and "))
}

func (o overload) takes(args []expr) bool {
	if len(args) != len(o.args) {
		return false
	}
	for i, want := range o.args {
		if !accepts(want, args[i]) {
			return false
		}
	}
	return true
}

func accepts(want *types.Type, arg expr) bool {
	switch {
	case want.IsExactType(decimalType):
		return asDecimal(arg) != nil
	case want.IsExactType(types.IntType):
		return arg.integer != nil
	case want.IsExactType(types.StringType):
		return arg.text != nil
	case want.IsExactType(dateType):
		return arg.date != nil
	case want.IsExactType(binaryType):
		return arg.binary != nil
	case want.IsExactType(elementType):
		return arg.element != nil
	case want.Kind() == types.ListKind:
		return arg.list != nil && (want.Parameters()[0].Kind() == types.TypeParamKind || want.Parameters()[0].IsExactType(arg.typ.Parameters()[0]))
	}
	return false
}

var (
	listOfText = types.NewListType(types.StringType)
	listOfAny  = types.NewListType(anyType)
)

// functions is filled here rather than in its declaration, because compiling an
// example refers to it.
var functions []function

func init() {
	functions = append(functions, termFunctions...)
	functions = append(functions, textFunctions...)
	functions = append(functions, numberFunctions...)
	functions = append(functions, listFunctions...)
	functions = append(functions, elementFunctions...)
}

func ofText[T any](g func(string) T, set func(fn[T]) expr) func([]expr) expr {
	return func(args []expr) expr { return set(map1(args[0].text, g)) }
}

func ofTexts[T any](g func(a, b string) T, set func(fn[T]) expr) func([]expr) expr {
	return func(args []expr) expr { return set(map2(args[0].text, args[1].text, g)) }
}

func asBool(f fn[bool]) expr            { return expr{boolean: f} }
func asText(f fn[string]) expr          { return expr{text: f} }
func asInt(f fn[int64]) expr            { return expr{integer: f} }
func asNumber(f fn[model.Decimal]) expr { return expr{decimal: f} }
func asList(f fn[list]) expr            { return expr{list: f} }

var textFunctions = []function{
	{"normalizeSpace", "Removes white space at both ends and makes every run of it inside one space, as XPath's normalize-space.",
		`"  a \n b ".normalizeSpace() == "a b"`,
		[]overload{member(ofText(normalizeSpace, asText), types.StringType, types.StringType)}},
	{"upperCase", "Makes all letters capitals, as XPath's upper-case.", `"Vat".upperCase() == "VAT"`,
		[]overload{member(ofText(strings.ToUpper, asText), types.StringType, types.StringType)}},
	{"lowerCase", "Makes all letters small, as XPath's lower-case.", `"Vat".lowerCase() == "vat"`,
		[]overload{member(ofText(strings.ToLower, asText), types.StringType, types.StringType)}},
	{"startsWith", "Whether a text begins with another.", `"DE123".startsWith("DE")`,
		[]overload{member(ofTexts(strings.HasPrefix, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"endsWith", "Whether a text ends with another.", `"a.pdf".endsWith(".pdf")`,
		[]overload{member(ofTexts(strings.HasSuffix, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"contains", "Whether a text contains another.", `"#AAI#text".contains("#")`,
		[]overload{member(ofTexts(strings.Contains, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"substringBefore", "The part before the first occurrence of a text, empty without one, as XPath's substring-before.", `"AAI#x".substringBefore("#") == "AAI"`,
		[]overload{member(ofTexts(substringBefore, asText), types.StringType, types.StringType, types.StringType)}},
	{"substringAfter", "The part after the first occurrence of a text, empty without one, as XPath's substring-after.", `"12.345".substringAfter(".") == "345"`,
		[]overload{member(ofTexts(substringAfter, asText), types.StringType, types.StringType, types.StringType)}},
	{"substring", "The characters from a position on, at most so many; positions count from 0.", `"DE123".substring(0, 2) == "DE" && "DE123".substring(2) == "123"`,
		[]overload{
			member(func(a []expr) expr {
				return asText(map2(a[0].text, a[1].integer, func(s string, i int64) string { return substring(s, i, int64(len(s))) }))
			}, types.StringType, types.StringType, types.IntType),
			member(func(a []expr) expr {
				return asText(func(f *frame) (string, bool) {
					s, ok := a[0].text(f)
					i, okI := a[1].integer(f)
					n, okN := a[2].integer(f)
					if !ok || !okI || !okN {
						return "", false
					}
					return substring(s, i, n), true
				})
			}, types.StringType, types.StringType, types.IntType, types.IntType),
		}},
	{"replace", "Replaces every match of a regular expression (RE2); $1 stands for the first group.", `"DE 12\n3".replace("\\s", "") == "DE123"`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType, types.StringType}, result: types.StringType, compile: compileReplace}}},
	{"matches", "Whether a regular expression (RE2) matches anywhere in a text; anchor it with ^ and $ for all of it.", `"DE123".matches("^[A-Z]{2}")`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileMatches}}},
	{"split", "The parts between the matches of a regular expression (RE2).", `"a\r\nb".split("\r?\n").size() == 2`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: listOfText, compile: compileSplit}}},
	{"isInCodeList", "Whether a text, without white space around it, is a code of the named list (rulesets/codelists).", `"EUR".isInCodeList("iso-4217")`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileCodeList}}},
	{"isDecimal", "Whether a text is a decimal number as XML Schema writes it.", `" 12.50 ".isDecimal() && !"1e3".isDecimal()`,
		[]overload{member(ofText(func(s string) bool { _, err := model.ParseDecimal(s); return err == nil }, asBool), types.BoolType, types.StringType)}},
	{"isDate", "Whether a text is a day as XML Schema writes it.", `"2026-11-20".isDate() && !"20.11.2026".isDate()`,
		[]overload{member(ofText(func(s string) bool { return model.NewDate(s).Valid }, asBool), types.BoolType, types.StringType)}},
	{"mod97", "The remainder by 97 of a text of digits and letters, as ISO 7064 and IBAN take it; -1 for any other text. A counts 10, Z 35; small letters count by their code too, from a = 42, as published rules take them: apply upperCase first where they shall not.", `"370400440532013000DE89".mod97() == 1 && "a".mod97() == 42`,
		[]overload{member(ofText(mod97, asInt), types.IntType, types.StringType)}},
}

func normalizeSpace(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") && !strings.Contains(s, "  ") {
		return strings.Trim(s, " ")
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }), " ")
}

// binaryValue is the exact value of the float64 next to d.
func binaryValue(d model.Decimal) model.Decimal {
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil {
		return d // too large for one
	}
	exact, err := model.ParseDecimal(strings.TrimRight(new(big.Float).SetFloat64(f).Text('f', 80), "0"))
	if err != nil {
		return d
	}
	return exact
}

func substringBefore(s, sep string) string {
	if before, _, found := strings.Cut(s, sep); found {
		return before
	}
	return ""
}

func substringAfter(s, sep string) string {
	_, after, _ := strings.Cut(s, sep)
	return after
}

// substring counts characters, not bytes.
func substring(s string, from, n int64) string {
	var b strings.Builder
	i := int64(0)
	for _, r := range s {
		if i >= from && i-from < n {
			b.WriteRune(r)
		}
		i++
	}
	return b.String()
}

func mod97(s string) int64 {
	rest := int64(0)
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int64(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int64(c-'A'+10)) % 97
		case c >= 'a' && c <= 'z':
			rest = (rest*100 + int64(c-'a'+42)) % 97
		default:
			return -1
		}
	}
	return rest
}

// regularExpression compiles one that stands as a literal, as all do:
// a pattern out of an invoice would be an attack.
func regularExpression(e expr) (*regexp.Regexp, error) {
	text, ok := e.literal.(string)
	if !ok {
		return nil, fmt.Errorf("the regular expression must be a literal")
	}
	return regexp.Compile(text)
}

func compileMatches(_ *Library, args []expr) (expr, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return expr{}, err
	}
	return asBool(map1(args[0].text, re.MatchString)), nil
}

func compileReplace(_ *Library, args []expr) (expr, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return expr{}, err
	}
	return asText(map2(args[0].text, args[2].text, re.ReplaceAllString)), nil
}

func compileSplit(_ *Library, args []expr) (expr, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return expr{}, err
	}
	return asList(map1(args[0].text, func(s string) list { return list{strs: re.Split(s, -1)} })), nil
}

func compileCodeList(l *Library, args []expr) (expr, error) {
	name, ok := args[1].literal.(string)
	if !ok {
		return expr{}, fmt.Errorf("the name of the code list must be a literal")
	}
	codes, err := l.CodeList(name)
	if err != nil {
		return expr{}, err
	}
	return asBool(map1(args[0].text, codes.Contains)), nil
}

var numberFunctions = []function{
	{"roundHalfUp", "Rounds to so many fraction digits, halves away from zero: commercial rounding (-2.5 becomes -3).", `roundHalfUp(decimal("-2.5"), 0) == -3`,
		[]overload{rounding(model.Decimal.RoundHalfUp)}},
	{"roundXPath", "Rounds to so many fraction digits, halves upwards, as XPath's round (-2.5 becomes -2): only where a published rule does so.", `roundXPath(decimal("-2.5"), 0) == -2`,
		[]overload{rounding(model.Decimal.RoundXPath)}},
	{"binary", "The exact value of the 64 bit floating point number next to this one, which is what XPath's sum of untyped values gives (0.01 becomes a little more): only where a published rule is decided by it.", `binary(decimal("0.01")) > 0.01 && binary(decimal("0.25")) == 0.25`,
		[]overload{global(func(a []expr) expr { return asNumber(map1(asDecimal(a[0]), binaryValue)) }, decimalType, decimalType)}},
	{"abs", "The number without its sign.", `abs(decimal("-2.50")) == 2.5`,
		[]overload{global(func(a []expr) expr { return asNumber(map1(asDecimal(a[0]), model.Decimal.Abs)) }, decimalType, decimalType)}},
	{"fractionDigits", "How many digits follow the point, as written or as computed (12.50 has two).", `fractionDigits(decimal("12.50")) == 2`,
		[]overload{global(func(a []expr) expr {
			return asInt(map1(asDecimal(a[0]), func(d model.Decimal) int64 { return int64(d.FractionDigits()) }))
		}, types.IntType, decimalType)}},
	{"decimal", "The decimal number that a text or an integer stands for.", `decimal("0.1") + decimal("0.2") == decimal("0.3")`,
		[]overload{
			global(func(a []expr) expr { return asNumber(parseDecimal(a[0].text)) }, decimalType, types.StringType),
			global(func(a []expr) expr { return asNumber(asDecimal(a[0])) }, decimalType, types.IntType),
		}},
	{"date", "The day that an ISO 8601 text stands for.", `date("2026-11-20") < date("2026-12-01")`,
		[]overload{global(func(a []expr) expr { return expr{date: parseDate(a[0].text)} }, dateType, types.StringType)}},
}

func rounding(round func(model.Decimal, int) model.Decimal) overload {
	return global(func(a []expr) expr {
		return asNumber(map2(asDecimal(a[0]), a[1].integer, func(d model.Decimal, n int64) model.Decimal { return round(d, int(n)) }))
	}, decimalType, decimalType, types.IntType)
}

func parseDecimal(text fn[string]) fn[model.Decimal] {
	return func(f *frame) (model.Decimal, bool) {
		s, ok := text(f)
		if !ok {
			return model.Decimal{}, false
		}
		d, err := model.ParseDecimal(s)
		if err != nil {
			f.fail(errOther, nil, fmt.Sprintf("%q: %v", s, err))
		}
		return d, err == nil
	}
}

func parseDate(text fn[string]) fn[*model.Date] {
	return func(f *frame) (*model.Date, bool) {
		s, ok := text(f)
		if !ok {
			return nil, false
		}
		d := model.NewDate(s)
		if !d.Valid {
			f.fail(errOther, nil, fmt.Sprintf("%q is no date", s))
		}
		return &d, d.Valid
	}
}

var listFunctions = []function{
	{"size", "How many elements a list has, or how many characters a text.", `invoice.lines.size() >= 1 && "añb".size() == 3`,
		[]overload{
			member(ofText(func(s string) int64 { return int64(len([]rune(s))) }, asInt), types.IntType, types.StringType),
			member(func(a []expr) expr { return asInt(map1(a[0].list, listSize)) }, types.IntType, types.NewListType(anyType)),
		}},
	{"nested", "The groups of a list, each followed by those of its own kind inside it, at any depth: lines with their sub lines.", `invoice.lines.nested().size() >= invoice.lines.size()`,
		[]overload{{member: true, args: []*types.Type{listOfAny}, result: listOfAny, compile: compileNested}}},
	{"isDistinct", "Whether no text occurs twice in a list.", `["a", "b"].isDistinct() && !["a", "a"].isDistinct()`,
		[]overload{member(func(a []expr) expr { return asBool(map1(a[0].list, isDistinct)) }, types.BoolType, listOfText)}},
	{"first", "The first text of a list, or a default if it is empty.", `["a", "b"].first("") == "a"`,
		[]overload{member(func(a []expr) expr {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if len(l.strs) == 0 {
					return otherwise
				}
				return l.strs[0]
			}))
		}, types.StringType, listOfText, types.StringType)}},
	{"last", "The last text of a list, or a default if it is empty.", `["a", "b"].last("") == "b"`,
		[]overload{member(func(a []expr) expr {
			return asText(map2(a[0].list, a[1].text, func(l list, otherwise string) string {
				if len(l.strs) == 0 {
					return otherwise
				}
				return l.strs[len(l.strs)-1]
			}))
		}, types.StringType, listOfText, types.StringType)}},
}

// listSize counts whichever part of the list is in use; the others are empty.
func listSize(l list) int64 {
	return int64(l.lenObjs() + len(l.strs) + len(l.decs) + len(l.nodes))
}

func compileNested(_ *Library, args []expr) (expr, error) {
	over := args[0].list
	return expr{typ: args[0].typ, list: func(f *frame) (list, bool) {
		l, ok := over(f)
		if !ok || !hasNested(&l) {
			return l, ok
		}
		out := list{picked: true}
		for i := range l.lenObjs() {
			addNested(&out, l.objAt(i))
		}
		return out, true
	}}, nil
}

// nestedIn is the field of a type that holds a list of that same type, nil if
// there is none.
func nestedIn(t *model.Type) *model.Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Kind == model.KindList && f.Elem == t {
			return f
		}
	}
	return nil
}

func hasNested(l *list) bool {
	for i := range l.lenObjs() {
		o := l.objAt(i)
		field := nestedIn(o.Type)
		if field == nil {
			return false
		}
		if inner := o.List(field); inner.Len() > 0 {
			return true
		}
	}
	return false
}

func addNested(out *list, o model.Object) {
	out.objs = append(out.objs, o)
	field := nestedIn(o.Type)
	if field == nil {
		return
	}
	inner := o.List(field)
	for i := range inner.Len() {
		addNested(out, inner.At(i))
	}
}

func isDistinct(l list) bool {
	seen := make(map[string]bool, len(l.strs))
	for _, s := range l.strs {
		if seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}
