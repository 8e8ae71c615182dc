package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/numeral"
	"einvoice/model/pattern"
	"einvoice/service/importer/xpath2"
)

// text is a value as one text, "" where there is none.
func (t *translator) text(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nothing:
		return term{`""`, whole}
	case text:
		if len(v.quantor) == 0 {
			return v.term
		}
		if len(v.quantor) == 1 {
			o := v.quantor[0]
			if v.text == o.variable {
				return call("%s.firstOr(\"\")", o.list)
			}
			return call("%s.map(%s, %s).firstOr(\"\")", o.list, o.variable, v.text)
		}
	case nodes:
		if from, self := v.self(); self {
			return call("%s.text()", from)
		}
		if from, many, path, ok := v.alternatives.path(); ok && !many {
			return call("%s.text(%s)", from, quoted(path))
		}
		return call("%s.firstOr(\"\")", v.alternatives.texts().in(whole))
	case texts:
		return call("%s.firstOr(\"\")", v.in(whole))
	case choice:
		return chosenText(v.condition, t.text(n, v.then), t.text(n, v.other))
	case number:
		if v.literal != nil {
			return term{quoted(*v.literal), whole}
		}
	case boolean:
		return chosenText(v.each(v.term), term{`"true"`, whole}, term{`"false"`, whole})
	case sequence:
		if len(v.members) == 1 {
			return t.text(n, v.members[0])
		}
	}
	refuse(n, "this is not translated as one text")
	return term{}
}

func chosenText(c, a, b term) term {
	return term{fmt.Sprintf("%s ? %s : %s", c.in(either), a.in(either), b.in(either)), choose}
}

// texts is a value as a list of texts.
func (t *translator) texts(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nodes:
		if v.first {
			refuse(n, "the first of several elements is not translated as a list")
		}
		return v.alternatives.texts()
	case texts:
		return v.term
	case text:
		if len(v.quantor) == 0 {
			return call("[%s]", v.text)
		}
		if len(v.quantor) == 1 {
			o := v.quantor[0]
			if v.text == o.variable {
				return term{o.list, whole}
			}
			return call("%s.map(%s, %s)", o.list, o.variable, v.text)
		}
	case choice:
		return term{fmt.Sprintf("%s ? %s : %s", v.condition.in(either), t.texts(n, v.then).in(either), t.texts(n, v.other).in(either)), choose}
	case sequence:
		if literals(v) {
			var all []string
			for _, m := range v.members {
				all = append(all, m.text)
			}
			return call("[%s]", strings.Join(all, ", "))
		}
		var all []string
		for _, m := range v.members {
			all = append(all, t.texts(n, m).in(added))
		}
		return term{strings.Join(all, " + "), added}
	}
	refuse(n, "this is not translated as a list of texts")
	return term{}
}

func someText(t term) *value { return &value{kind: text, term: t} }

func (t *translator) argument(n *xpath2.Node, i int, s *scope) *value {
	if i < len(n.Args) {
		return t.value(n.Args[i], s)
	}
	if s.item == nil {
		refuse(n, "%s without an argument needs an element around it", n.Name)
	}
	return s.item
}

// call translates a call of a function.
func (t *translator) call(n *xpath2.Node, s *scope) *value {
	if f, own := t.functions[n.Name]; own {
		return t.ownFunction(n, f, s)
	}
	arguments(n)
	if translate, known := textFunctions[n.Name]; known {
		var all []term
		known, isKnown := "", n.Name == "concat"
		for i := range max(len(n.Args), 1) {
			v := t.argument(n, i, s)
			if isKnown = isKnown && v.literal != nil && v.kind == text; isKnown {
				known += *v.literal
			}
			all = append(all, t.text(n, v))
		}
		if isKnown {
			return literalText(known)
		}
		return someText(translate(n, all))
	}
	if condition, known := textConditions[n.Name]; known {
		first, second := t.argument(n, 0, s), t.argument(n, 1, s)
		if first.literal != nil && second.literal != nil {
			return &value{kind: boolean, term: term{fmt.Sprint(knownCondition(n.Name, *first.literal, *second.literal)), whole}}
		}
		return &value{kind: boolean, term: call("%s.%s(%s)", t.text(n, first).in(whole), condition, t.text(n, second).text)}
	}
	return t.otherCall(n, s)
}

func knownCondition(name, a, b string) bool {
	switch name {
	case "contains":
		return strings.Contains(a, b)
	case "starts-with":
		return strings.HasPrefix(a, b)
	}
	return strings.HasSuffix(a, b)
}

var textConditions = map[string]string{"contains": "contains", "starts-with": "startsWith", "ends-with": "endsWith"}

// textFunctions make one text of texts.
var textFunctions = map[string]func(n *xpath2.Node, a []term) term{
	"string":           func(_ *xpath2.Node, a []term) term { return a[0] },
	"normalize-space":  method("normalizeSpace"),
	"upper-case":       method("upperCase"),
	"lower-case":       method("lowerCase"),
	"substring-before": method("substringBefore"),
	"substring-after":  method("substringAfter"),
	"translate":        method("translate"),
	"concat": func(_ *xpath2.Node, a []term) term {
		var all []string
		for _, one := range a {
			all = append(all, one.in(added))
		}
		return term{strings.Join(all, " + "), added}
	},
}

func method(name string) func(*xpath2.Node, []term) term {
	return func(_ *xpath2.Node, a []term) term {
		var rest []string
		for _, one := range a[1:] {
			rest = append(rest, one.text)
		}
		return call("%s.%s(%s)", a[0].in(whole), name, strings.Join(rest, ", "))
	}
}

// arity is how many arguments functions take.
var arity = map[string][2]int{
	"string": {0, 1}, "data": {1, 1}, "normalize-space": {0, 1}, "upper-case": {1, 1}, "lower-case": {1, 1}, "substring-before": {2, 2}, "substring-after": {2, 2},
	"translate": {3, 3}, "concat": {2, 1000}, "contains": {2, 2}, "starts-with": {2, 2}, "ends-with": {2, 2}, "not": {1, 1}, "exists": {1, 1}, "empty": {1, 1},
	"boolean": {1, 1}, "true": {0, 0}, "false": {0, 0}, "count": {1, 1}, "sum": {1, 1}, "number": {0, 1}, "round": {1, 1}, "abs": {1, 1}, "string-length": {0, 1},
	"matches": {2, 3}, "replace": {3, 3}, "tokenize": {2, 2}, "string-join": {1, 2}, "distinct-values": {1, 1}, "substring": {2, 3}, "name": {0, 1}, "local-name": {0, 1},
	"index-of": {2, 2}, "floor": {1, 1}, "ceiling": {1, 1}, "max": {1, 1}, "min": {1, 1},
}

func arguments(n *xpath2.Node) {
	if of, known := arity[n.Name]; known && (len(n.Args) < of[0] || len(n.Args) > of[1]) {
		refuse(n, "%s has %s, which is not translated", n.Name, numeral.Count(len(n.Args), "argument"))
	}
}

func (t *translator) otherCall(n *xpath2.Node, s *scope) *value {
	truth := func(c term) *value { return &value{kind: boolean, term: c} }
	switch n.Name {
	case "true", "false":
		return truth(term{n.Name, whole})
	case "not":
		return truth(negated(t.condition(n.Args[0], s)))
	case "boolean":
		return truth(t.condition(n.Args[0], s))
	case "exists":
		return truth(t.isThere(n, t.argument(n, 0, s)))
	case "empty":
		return truth(negated(t.isThere(n, t.argument(n, 0, s))))
	case "count":
		return t.count(n, t.argument(n, 0, s))
	case "sum":
		return t.sum(n, t.argument(n, 0, s))
	case "number":
		return t.number(n, t.argument(n, 0, s))
	case "round":
		return t.numeric(n, t.argument(n, 0, s), "roundXPath(%s, 0)")
	case "abs":
		return t.numeric(n, t.argument(n, 0, s), "abs(%s)")
	case "string-length":
		v := t.argument(n, 0, s)
		if v.kind == text && v.literal != nil {
			size := strconv.Itoa(len([]rune(*v.literal)))
			return &value{kind: number, term: term{size, whole}, integer: true, literal: &size}
		}
		return &value{kind: number, term: call("%s.size()", t.text(n, v).in(whole)), integer: true}
	case "matches":
		pattern := t.literal(n.Args[1], s)
		if len(n.Args) == 3 {
			flags := t.literal(n.Args[2], s)
			if strings.Trim(flags, "smi") != "" {
				refuse(n, "the flags %s of a regular expression are not translated", flags)
			}
			if flags != "" {
				return truth(call("%s.matches(%s)", t.text(n, t.argument(n, 0, s)).in(whole), quoted("(?"+flags+")"+t.pattern(n, pattern))))
			}
		}
		return truth(t.matches(n, t.text(n, t.argument(n, 0, s)), pattern))
	case "replace":
		pattern, with := t.literal(n.Args[1], s), t.literal(n.Args[2], s)
		if strings.ContainsAny(with, `\$`) {
			refuse(n, "a replacement with $ or \\ is not translated")
		}
		return someText(call("%s.replaceMatches(%s, %s)", t.text(n, t.argument(n, 0, s)).in(whole), quoted(t.pattern(n, pattern)), quoted(with)))
	case "tokenize":
		return t.tokenize(n, t.argument(n, 0, s), t.literal(n.Args[1], s))
	case "string-join":
		separator := ""
		if len(n.Args) > 1 {
			separator = t.literal(n.Args[1], s)
		}
		return someText(call("%s.join(%s)", t.texts(n, t.argument(n, 0, s)).in(whole), quoted(separator)))
	case "data":
		v := t.argument(n, 0, s)
		if v.kind == nodes {
			if _, self := v.self(); !self {
				return &value{kind: texts, term: t.texts(n, v)}
			}
			return someText(t.text(n, v))
		}
		return v
	case "distinct-values":
		return &value{kind: texts, term: call("%s.distinct()", t.texts(n, t.argument(n, 0, s)).in(whole))}
	case "substring":
		return t.substring(n, s)
	case "index-of":
		x := t.variable("t")
		return &value{kind: positions, term: call("%s.filter(%s, %s == %s)", t.texts(n, t.argument(n, 0, s)).in(whole), x, x, t.text(n, t.argument(n, 1, s)).in(added))}
	case "name", "local-name":
		v := t.argument(n, 0, s)
		from, self := v.alternatives.self()
		if v.kind != nodes || v.attributes() {
			refuse(n, "the name of anything but elements is not translated")
		}
		named := call("%s.name()", from)
		if !self {
			x := t.variable("e")
			named = call("%s.map(%s, %s.name()).firstOr(\"\")", v.elements().in(whole), x, x)
		}
		if n.Name == "local-name" {
			named = call("%s.substringAfter(\":\")", named.text)
		}
		return someText(named)
	case "xs:decimal", "xs:double", "xs:float", "xs:integer", "xs:int", "xs:date", "xs:string", "xs:boolean", "xs:dayTimeDuration":
		return t.cast(n, n.Name, t.argument(n, 0, s))
	}
	refuse(n, "the function %s is not translated: give it in CEL (--functions)", n.Name)
	return nil
}

// literal is an argument that must be known, as regular expressions in rules are.
func (t *translator) literal(n *xpath2.Node, s *scope) string {
	v := t.value(n, s)
	if v.literal == nil {
		refuse(n, "a regular expression or separator that is not a literal is not translated")
	}
	return *v.literal
}

func (t *translator) isThere(n *xpath2.Node, v *value) term {
	switch v.kind {
	case nothing:
		return term{"false", whole}
	case nodes:
		return v.has()
	case texts, positions:
		return term{v.in(whole) + ".size() > 0", compared}
	case number:
		if v.nan { // NaN is there as well
			refuse(n, "whether there are values is not translated where number() may give none")
		}
		return v.each(term{"true", whole})
	case text, date, boolean:
		return v.each(term{"true", whole})
	case choice:
		return chosen(v.condition, t.isThere(n, v.then), t.isThere(n, v.other))
	case sequence:
		var all []term
		for _, m := range v.members {
			all = append(all, t.isThere(n, m))
		}
		return joined("||", all...)
	}
	return term{"true", whole}
}

func (t *translator) count(n *xpath2.Node, v *value) *value {
	constant := func(i int) *value {
		s := strconv.Itoa(i)
		return &value{kind: number, term: term{s, whole}, integer: true, literal: &s}
	}
	counted := func(c term) *value { return &value{kind: number, term: c, integer: true} }
	switch v.kind {
	case nothing:
		return constant(0)
	case nodes:
		if _, self := v.self(); self {
			return constant(1)
		}
		if len(v.alternatives) == 1 && v.alternatives[0].path == "" {
			return counted(call("%s.size()", v.alternatives[0].from))
		}
		return counted(v.alternatives.ask("count", " + ", added))
	case texts, positions:
		return counted(call("%s.size()", v.in(whole)))
	case choice:
		return either2(v.condition, t.count(n, v.then), t.count(n, v.other))
	case text, number, date, boolean:
		if v.nan {
			refuse(n, "values are not counted where number() may give none")
		}
		if len(v.quantor) == 0 {
			return constant(1)
		}
		last := len(v.quantor) - 1
		inner := call("%s.size()", v.quantor[last].list)
		if last == 0 {
			return counted(inner)
		}
		inner = call("decimal(%s)", inner.text)
		for i := last - 1; i >= 0; i-- {
			inner = call("%s.sum(%s, %s)", v.quantor[i].list, v.quantor[i].variable, inner.text)
		}
		return &value{kind: number, term: inner}
	case sequence:
		var all []string
		for _, m := range v.members {
			all = append(all, t.count(n, m).in(added))
		}
		return counted(term{strings.Join(all, " + "), added})
	}
	refuse(n, "such values are not counted")
	return nil
}

func (t *translator) sum(n *xpath2.Node, v *value) *value {
	floating := func(c term) *value { return &value{kind: number, term: c, float: true} }
	switch v.kind {
	case nothing:
		return numberLiteral(&xpath2.Node{Text: "0.0"})
	case nodes:
		if r := t.readerOf(v); r.floats {
			x := t.variable("n")
			return floating(call("%s.sum(%s, %s(%s))", t.texts(n, v).in(whole), x, r.reads, x))
		}
		return floating(v.alternatives.ask("total", " + ", added))
	case texts:
		x := t.variable("t")
		return floating(call("%s.sum(%s, decimal(%s))", v.in(whole), x, x))
	case choice:
		return either2(v.condition, t.sum(n, v.then), t.sum(n, v.other))
	case sequence:
		var all []string
		float := false
		for _, m := range v.members {
			one := t.sum(n, m)
			all = append(all, one.in(added))
			float = float || one.float
		}
		return &value{kind: number, term: term{strings.Join(all, " + "), added}, float: float}
	case number, text:
		if v.nan {
			sum := *v
			sum.nan = false
			return either2(allNumbers(v.quantor), t.sum(n, &sum), notANumber(t.variable("n")))
		}
		one := t.atom(n, v, number)
		inner := one.term
		if one.integer {
			inner = asDecimal(one).term
		}
		for i := len(one.quantor) - 1; i >= 0; i-- {
			inner = call("%s.sum(%s, %s)", one.quantor[i].list, one.quantor[i].variable, inner.text)
		}
		return &value{kind: number, term: inner, float: v.float || v.kind == text}
	}
	refuse(n, "such values are not added up")
	return nil
}

var (
	isNumeral = pattern.Later(`^[0-9]+(\.[0-9]+)?$`)
	isDays    = pattern.Later(`^P([0-9]+)D$`)
)

// A reader is how CEL reads a text as a number.
type reader struct {
	reads, asks string // functions
	floats      bool   // it gives what floating point has
}

var (
	decimalNumber = reader{"decimal", "isDecimal", false}
	untypedNumber = reader{"binary", "isNumber", true}
)

// readerOf is how a value without a type is read: as XPath does, which knows exponents, but
// as a decimal number where the schemas let nothing else be.
func (t *translator) readerOf(v *value) reader {
	switch v.kind {
	case nodes:
		for _, a := range v.alternatives {
			if a.attribute || t.exponents(a) {
				return untypedNumber
			}
		}
		return decimalNumber
	case texts, text:
		if v.literal == nil {
			return untypedNumber
		}
	}
	return decimalNumber
}

// exponents reports whether a number with an exponent can be at a path, as far as is known.
func (t *translator) exponents(a alternative) bool {
	places, err := t.follow(a)
	if err != nil || places == nil {
		return true
	}
	for e := range places {
		if e.Exponent {
			return true
		}
	}
	return false
}

// number is what number() gives: a text that is not a number compares with nothing.
func (t *translator) number(n *xpath2.Node, v *value) *value {
	switch v.kind {
	case number:
		return v
	case choice:
		return either2(v.condition, t.number(n, v.then), t.number(n, v.other))
	case text:
		if v.literal != nil && isNumeral().MatchString(*v.literal) {
			return numberLiteral(&xpath2.Node{Text: *v.literal})
		}
	}
	list, r := t.texts(n, v), t.readerOf(v)
	x, y := t.variable("t"), t.variable("n")
	asks := call("(%s, %s.%s())", x, x, r.asks).text
	return &value{
		kind: number, nan: true, term: call("%s(%s)", r.reads, y), float: r.floats, rounded: r.floats, untyped: r.floats,
		quantor: []over{{y, list.in(whole) + ".filter" + asks, list.in(whole) + ".exists" + asks}},
	}
}

// notANumber is NaN: it compares with nothing.
func notANumber(variable string) *value {
	return &value{kind: number, nan: true, float: true, term: term{variable, whole}, quantor: []over{{variable, "[]", "false"}}}
}

// allNumbers asks whether none of the items that lists go through is NaN.
func allNumbers(lists []over) term {
	c := term{"true", whole}
	for _, o := range slices.Backward(lists) {
		if c.text != "true" {
			c = call("%s.all(%s, %s)", o.list, o.variable, c.text)
		}
		if o.number != "" {
			c = joined("&&", term{o.number, whole}, c)
		}
	}
	return c
}

func (t *translator) numeric(n *xpath2.Node, v *value, format string) *value {
	if v.kind == choice {
		return either2(v.condition, t.numeric(n, v.then, format), t.numeric(n, v.other, format))
	}
	if v.kind == nothing {
		return v
	}
	out := *t.atom(n, v, number)
	out.nan = v.nan
	if out.integer {
		out = *asDecimal(&out)
	}
	out.term, out.literal, out.integer = call(format, out.text), nil, false
	out.float = inexact(v)
	if out.float && format != "abs(%s)" { // floating point has whole numbers
		out.rounded, out.computed = true, false
	}
	return &out
}

func (t *translator) cast(n *xpath2.Node, to string, v *value) *value {
	if v.kind == choice {
		return either2(v.condition, t.cast(n, to, v.then), t.cast(n, to, v.other))
	}
	if v.kind == nothing {
		return v
	}
	switch to {
	case "xs:decimal", "xs:double", "xs:float", "xs:integer", "xs:int":
		if v.kind != number {
			v = t.atomRead(n, v, number, decimalNumber)
		}
		switch {
		case to == "xs:double" || to == "xs:float":
			exact := *v
			exact.float = true
			return &exact
		case v.float: // a decimal number with all digits of the one in floating point
			v = inFloat(v)
			v.float, v.rounded, v.computed = false, false, false
		}
		return v
	case "xs:date":
		if v.kind == date {
			return v
		}
		return t.atom(n, v, date)
	case "xs:dayTimeDuration": // of days alone, as their difference is a number
		if v.kind == text && v.literal != nil {
			if days := isDays().FindStringSubmatch(*v.literal); days != nil {
				return numberLiteral(&xpath2.Node{Text: days[1]})
			}
		}
		refuse(n, "a duration is translated where it is a literal of days, such as P30D")
	case "xs:string":
		return someText(t.text(n, v))
	}
	refuse(n, "the type %s is not translated", to)
	return nil
}

// literalSeparators are those of lists of codes that are written in one text.
var literalSeparators = map[string]func() *regexp.Regexp{`\s+`: pattern.Later(`\s+`), `\s`: pattern.Later(`\s`), " ": pattern.Later(" ")}

func (t *translator) tokenize(n *xpath2.Node, v *value, pattern string) *value {
	if separator := literalSeparators[pattern]; v.literal != nil && separator != nil {
		out := &value{kind: sequence}
		for _, code := range separator().Split(*v.literal, -1) {
			out.members = append(out.members, literalText(code))
		}
		if *v.literal == "" {
			out = &value{kind: nothing}
		}
		return out
	}
	of := t.text(n, v)
	parts := &value{kind: texts, term: call("%s.splitMatches(%s)", of.in(whole), quoted(t.pattern(n, pattern)))}
	if v.literal != nil && *v.literal != "" {
		return parts
	}
	return either2(term{of.in(added) + ` == ""`, compared}, &value{kind: nothing}, parts) // an empty text has no parts
}

// substring is XPath's, which takes positions that the text does not have.
func (t *translator) substring(n *xpath2.Node, s *scope) *value {
	of := t.text(n, t.argument(n, 0, s))
	var at []string
	for _, a := range n.Args[1:] {
		v := t.atom(a, t.value(a, s), number)
		if !v.integer || len(v.quantor) > 0 {
			refuse(a, "a position that is not an integer is not translated")
		}
		at = append(at, v.text)
	}
	return someText(call("%s.substringXPath(%s)", of.in(whole), strings.Join(at, ", ")))
}

// ownFunction puts in what a function of the artefact says, with the arguments as its
// parameters.
func (t *translator) ownFunction(n *xpath2.Node, f *function, s *scope) *value {
	defer t.enter(n)()
	if f.cel != "" {
		out := f.cel
		for i := len(n.Args) - 1; i >= 0; i-- {
			v := t.value(n.Args[i], s)
			out = strings.ReplaceAll(out, "$"+strconv.Itoa(i+1), t.text(n, v).in(whole))
		}
		return &value{kind: boolean, term: call("(%s)", out)}
	}
	if f.why != "" {
		refuse(n, "%s %s: give it in CEL (--functions)", n.Name, f.why)
	}
	if len(n.Args) != len(f.parameters) {
		refuse(n, "%s takes %s", n.Name, numeral.Count(len(f.parameters), "argument"))
	}
	inner := &scope{variables: map[string]*variable{}}
	for name, v := range t.globals {
		inner.variables[name] = v
	}
	for i, p := range f.parameters {
		argument := n.Args[i]
		switch p.Type {
		case "xs:decimal", "xs:decimal?", "xs:double", "xs:integer": // an untyped value becomes a number of that type
			argument = &xpath2.Node{Op: xpath2.Cast, Name: strings.TrimSuffix(p.Type, "?"), Args: []*xpath2.Node{argument}}
		}
		inner.variables[p.Name] = &variable{node: argument, scope: s}
	}
	for _, v := range f.variables {
		inner = inner.with(v.name, &variable{node: v.node, scope: inner})
	}
	return t.value(f.result, inner)
}

// matches asks for a regular expression; of those that only say how long a text is, its length.
func (t *translator) matches(n *xpath2.Node, of term, pattern string) term {
	if least, most, ok := lengthAlone(pattern); ok {
		return joined("&&",
			call(`!%s.contains("\n")`, of.in(whole)).weaker(prefixed),
			term{fmt.Sprintf("%s.size() >= %d", of.in(whole), least), compared},
			term{fmt.Sprintf("%s.size() <= %d", of.in(whole), most), compared})
	}
	return call("%s.matches(%s)", of.in(whole), quoted(t.pattern(n, pattern)))
}

// lengthAlone reads ^(.{1,50})$ and the like with more than RE2 can count.
func lengthAlone(pattern string) (least, most int, ok bool) {
	s := strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	if len(s) != len(pattern)-2 {
		return 0, 0, false
	}
	for strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s = s[1 : len(s)-1]
	}
	if n, err := fmt.Sscanf(s, ".{%d,%d}", &least, &most); err != nil || n != 2 || s != fmt.Sprintf(".{%d,%d}", least, most) {
		return 0, 0, false
	}
	return least, most, most > 1000
}

// pattern is a regular expression of XPath as RE2 has it.
func (t *translator) pattern(n *xpath2.Node, s string) string {
	var b strings.Builder
	class := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; e {
			case 'd':
				b.WriteString(`\p{Nd}`)
			case 'D':
				b.WriteString(`\P{Nd}`)
			case 's':
				b.WriteString(map[bool]string{true: ` \t\n\r`, false: `[ \t\n\r]`}[class > 0])
			case 'S':
				if class > 0 {
					refuse(n, `\S in [...] is not translated`)
				}
				b.WriteString(`[^ \t\n\r]`)
			case 'w', 'W', 'i', 'I', 'c', 'C':
				refuse(n, `\%c in a regular expression is not translated`, e)
			default:
				b.WriteByte('\\')
				b.WriteByte(e)
			}
		case c == '[' && class > 0:
			refuse(n, "the difference of classes in a regular expression is not translated")
		case c == '[':
			class++
			b.WriteByte(c)
		case c == ']' && class > 0:
			class--
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
